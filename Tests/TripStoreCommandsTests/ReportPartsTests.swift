import Foundation
import StoreSupport
import Testing
import TripStore

@Suite("The report of a long log")
struct ReportPartsTests {
    private static let mostBytes = 2_000_000

    /// A store in which trips have notes of that many characters, as many trips in each commit.
    private func store(trips: Int, notes: Int, perCommit: Int) async throws -> Tool {
        let tool = try await Tool.withStore()
        let handle = try await TripStoreHandle.open(tool.path)
        for first in stride(from: 0, to: trips, by: perCommit) {
            try await handle.store.commit(by: "ana") { commit in
                for number in first..<min(first + perCommit, trips) {
                    let text = String(repeating: "\(number) ", count: notes / "\(number) ".count)
                    commit.create(Trip(name: "Trip \(number)", notes: text))
                }
            }
        }
        await handle.store.close()
        return tool
    }

    /// The data of each page of a report, and the size of the largest.
    private func pages(_ folder: String) throws -> (data: [String: [String: Any]], largest: Int) {
        var (data, largest) = ([String: [String: Any]](), 0)
        for file in try FileManager.default.contentsOfDirectory(atPath: folder) where file.hasSuffix(".html") {
            let html = try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
            largest = max(largest, html.utf8.count)
            let start = try #require(html.range(of: #"<script type="application/json" id="data">"#)).upperBound
            let end = try #require(html.range(of: "</script>", range: start..<html.endIndex)).lowerBound
            data[file] = try Tool.Outcome.object(String(html[start..<end]))
        }
        return (data, largest)
    }

    private func part(_ page: [String: Any]?) -> [String: Any]? {
        (page?["store"] as? [String: Any])?["part"] as? [String: Any]
    }

    /// The verbs and entities of all events of a page.
    private func entities(_ page: [String: Any]) throws -> [String] {
        let (log, entities) = (try #require(page["log"] as? [Int]), try #require(page["entities"] as? [[Any]]))
        var (found, at) = ([String](), 0)
        while at < log.count {
            let count = log[at + 9]
            at += 10
            for _ in 0..<count {
                found.append(entities[log[at + 1]][1] as? String ?? "")
                at += 3 + 3 * log[at + 2]
            }
        }
        return found
    }

    @Test(
        "A long log is an index and parts of at most 2 MB, which together have every event, also of a single commit",
        arguments: [50, 1_000])
    func parts(perCommit: Int) async throws {
        let tool = try await store(trips: 1_000, notes: 5_000, perCommit: perCommit)
        let folder = tool.folder.path("report")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let report = try await tool.run("audit", "report", folder + "/log.html", "--json").object()
        #expect(report["commits"] as? Int == 1 + 1_000 / perCommit && report["events"] as? Int == 1_000)
        let count = try #require(report["parts"] as? Int)
        let (data, largest) = try pages(folder)
        #expect(count >= 3 && data.count == count + 1 && largest <= Self.mostBytes, "\(count) \(data.count) \(largest)")
        let index = try #require(data["log.html"])
        let files = (index["parts"] as? [[Any]])?.compactMap { $0.first as? String }
        #expect(files == (1...count).map { "log-\($0).html" })
        #expect((index["trips"] as? [[Any]])?.count == 1_000 && index["areAllListed"] as? Bool == true)
        let found = try (1...count).flatMap { try entities(try #require(data["log-\($0).html"])) }
        // An event may go on in the next part.
        #expect(found.count < 1_000 + count && Set(found).count == 1_000)
        #expect(part(index) == nil && part(data["log-1.html"])?["newer"] is NSNull)
        #expect(part(data["log-2.html"])?["newer"] as? String == "log-1.html")
        #expect(part(data["log-2.html"])?["older"] as? String == "log-3.html")
        #expect(part(data["log-\(count).html"])?["older"] is NSNull)
        await tool.expectInvariants()
    }

    @Test("A later report that is shorter removes the parts that it does not need, and no other files")
    func shorter() async throws {
        let tool = try await store(trips: 1_000, notes: 5_000, perCommit: 50)
        let folder = tool.folder.path("report")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let file = folder + "/log.html"
        #expect(await tool.run("audit", "report", file).code == 0)
        #expect(await tool.run("audit", "report", folder + "/other.html", "--limit", "1").code == 0)
        #expect(await tool.run("audit", "report", file).code == 0)
        #expect(try pages(folder).data.count > 4)
        let short = try await tool.run("audit", "report", file, "--limit", "1", "--json").object()
        #expect(short["parts"] as? Int == 0)
        #expect(Set(try pages(folder).data.keys) == ["log.html", "other.html"])
        // A part's name that something else has stops the report before its index is written.
        try "mine".write(toFile: folder + "/log-2.html", atomically: true, encoding: .utf8)
        let refused = await tool.run("audit", "report", file)
        #expect(refused.code == 2 && refused.error.contains("log-2.html"), "\(refused.error)")
        #expect(try String(contentsOfFile: folder + "/log-2.html", encoding: .utf8) == "mine")
        await tool.expectInvariants()
    }

    @Test("Standard output gets one page with the newest commits that fit, and says that there are more")
    func standardOutput() async throws {
        let tool = try await store(trips: 1_000, notes: 5_000, perCommit: 50)
        let outcome = await tool.run("audit", "report", "-")
        #expect(outcome.code == 0 && outcome.error.contains("Name a file to get all of them, in several."))
        let html = outcome.out.joined(separator: "\n")
        #expect(html.utf8.count < Self.mostBytes && html.utf8.count > Self.mostBytes / 2)
        #expect(html.contains("Trip 999") && !html.contains("\"Trip 0\""))
        await tool.expectInvariants()
    }

    @Test("A value that would fill a page is cut")
    func longValues() async throws {
        let tool = try await store(trips: 8, notes: 1_000_000, perCommit: 1)
        let folder = tool.folder.path("report")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let report = try await tool.run("audit", "report", folder + "/log.html", "--json").object()
        #expect(report["parts"] as? Int == 0 && report["events"] as? Int == 8)
        #expect(try pages(folder).largest < 500_000)
        await tool.expectInvariants()
    }
}
