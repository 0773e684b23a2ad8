import Foundation
import Spawning
import StoreSupport
import Testing
import TripStore

/// The page in a browser. Chromium is not part of the project: without it these tests are skipped.
@Suite("The report in a browser", .enabled(if: Browser.installed != nil, "There is no Chromium here."))
struct ReportInBrowserTests {
    private static let hostile = "</script><script>document.title='broken'</script><img src=x onerror=alert(1)>"

    @Test("A trip's history is shown with old and new values, and a hostile name is text")
    func story() async throws {
        let tool = try await Tool.withStore()
        let trip = try await tool.value("add", "trip", "--name", Self.hostile, "--author", "ana")
        let tram = try await tool.value("add", "activity", "--name", "Tram 12", "--trip", trip, "--author", "ben")
        _ = await tool.run("edit", tram, "--name", "Tram 28", "--author", "ben")
        _ = try await tool.value("add", "trip", "--name", "Elsewhere")
        let story = try await page(tool, "#trip/\(trip)")
        #expect(story.contains("<del><bdi>Tram 12</bdi></del>") && story.contains("<ins><bdi>Tram 28</bdi></ins>"))
        #expect(story.contains("3 events, 1 item"))
        #expect(story.contains("<title>Audit of store</title>"))
        #expect(story.contains("&lt;img src=x") && !story.contains("<img"))
        #expect(!story.contains("<strong><bdi>Elsewhere"))
    }

    @Test("The log shows every commit, one commit can be pointed at, and an empty store says that it is")
    func log() async throws {
        let tool = try await Tool.withStore()
        #expect(try await page(tool, "").contains("Nothing has been written here yet."))
        let trip = try await tool.value("add", "trip", "--name", "Lisbon")
        _ = await tool.run("edit", trip, "--name", "Porto")
        let log = try await page(tool, "")
        #expect(log.contains("2 events in 3 commits") && log.contains(", test ("))
        #expect(log.contains("replica joined from the device"))
        let commit = try await page(tool, "#commit/3")
        #expect(commit.contains("<h3>Commit 3</h3>") && !commit.contains("#commit/2\""))
        #expect(try await page(tool, "#commit/9").contains("Commit 9 is not in this report"))
    }

    @Test("The index of a long log lists its parts and trips, leads to a commit's part, and each part leads on")
    func parts() async throws {
        let browser = try #require(Browser.installed)
        let tool = try await Tool.withStore()
        let handle = try await TripStoreHandle.open(tool.path)
        for number in 0..<600 {
            try await handle.store.create(
                Trip(name: "Trip \(number)", notes: String(repeating: "\(number) ", count: 1_500)))
        }
        await handle.store.close()
        let file = tool.folder.path("a log.html")
        #expect(await tool.run("audit", "report", file).code == 0)
        func shown(_ file: String, _ hash: String = "") async throws -> String {
            let (dom, complaints) = try await browser.show(URL(fileURLWithPath: file).absoluteString + hash)
            #expect(!complaints.contains("CONSOLE"), "\(complaints)")
            return dom
        }
        let index = try await shown(file)
        #expect(index.contains("href=\"a%20log-2.html\"") && index.contains("<bdi>Trip 599</bdi>"))
        #expect(index.contains("600 trips"))
        #expect(try await shown(file, "#commit/3").contains("<h3>Commit 3</h3>"))
        let part = try await shown(tool.folder.path("a log-1.html"), "#commit/3")
        #expect(part.contains("href=\"a%20log.html#commit/3\"") && part.contains("Older commits"))
    }

    private func page(_ tool: Tool, _ hash: String) async throws -> String {
        let browser = try #require(Browser.installed)
        let report = try await Report(tool)
        let (dom, complaints) = try await browser.show(URL(fileURLWithPath: report.file).absoluteString + hash)
        #expect(!complaints.contains("CONSOLE"), "\(complaints)")
        // The data is shown again at its place.
        return dom.replacing(report.data, with: "")
    }
}

/// Headless Chromium.
struct Browser {
    let path: String

    static let installed: Browser? = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let places = folders.flatMap { ["\($0)/chromium", "\($0)/chromium-browser", "\($0)/google-chrome"] }
        return places.first { FileManager.default.isExecutableFile(atPath: $0) }.map { Browser(path: $0) }
    }()

    /// Opens a page, and returns the resulting document and the browser's messages.
    func show(_ address: String) async throws -> (dom: String, complaints: String) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("browser-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = [
            "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--virtual-time-budget=5000",
            "--user-data-dir=\(folder.path)", "--dump-dom", address,
        ]
        let outputs = ["dom", "complaints"].map { folder.appendingPathComponent($0) }
        for output in outputs { _ = FileManager.default.createFile(atPath: output.path, contents: nil) }
        process.standardOutput = try FileHandle(forWritingTo: outputs[0])
        process.standardError = try FileHandle(forWritingTo: outputs[1])
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in done.resume() }
            do { try process.start() } catch { done.resume(throwing: error) }
        }
        let texts = try outputs.map { try String(contentsOf: $0, encoding: .utf8) }
        return (texts[0], texts[1])
    }
}
