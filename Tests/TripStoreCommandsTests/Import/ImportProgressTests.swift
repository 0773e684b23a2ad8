import Dispatch
import Foundation
import StoreSupport
import Synchronization
import Testing
import TripFormats
import TripStore

@testable import TripStoreCommands

/// Takes what a console shows.
final class Shown: Sendable {
    private let value = Mutex<[String]>([])

    var lines: [String] { value.withLock { $0 } }

    func add(_ line: String) { value.withLock { $0.append(line) } }
}

@Suite("The progress of an import")
struct ImportProgressTests {
    @Test("It shows the share of the file, and the rate of the pass once it is long enough to have one")
    func pace() {
        let pace = ImportPace()
        func words(_ stage: ImportProgress.Stage, _ megabytes: Int64, at milliseconds: Int) -> String {
            pace.words(
                ImportProgress(stage: stage, bytesRead: megabytes * 1_000_000, total: 300_000_000),
                at: .milliseconds(milliseconds))
        }
        #expect(words(.checking, 0, at: 1_000) == "checking 0 %")
        #expect(words(.checking, 15, at: 1_100) == "checking 5 %")
        #expect(words(.checking, 150, at: 2_000) == "checking 50 %, 150.0 MB/s")
        #expect(words(.importing, 3, at: 2_500) == "importing 1 %")
        #expect(words(.importing, 300, at: 42_500) == "importing 100 %, 7.4 MB/s")
        let empty = ImportProgress(stage: .attachments, bytesRead: 0, total: 0)
        #expect(pace.words(empty, at: .zero) == "attachments 0 %")
    }

    @Test("An import that is interrupted keeps what it wrote, says how to go on, and goes on when it is run again")
    func interrupted() async throws {
        let tool = try await Tool.withStore()
        let (isImporting, isEnding) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let outcome = await tool.run("import", ExportFixture.planned) { console in
            console.progress = { line in
                guard line.hasPrefix("importing") else { return }
                isImporting.signal()
                // The file is read on a thread of its own, which may wait.
                isEnding.wait()
                isEnding.signal()
            }
            console.ended = {
                await Self.wait(for: isImporting)
                isEnding.signal()
            }
        }
        #expect(outcome.code == 2 && outcome.out.isEmpty)
        #expect(outcome.error.contains("The import was interrupted"), "\(outcome.error)")
        let again = try await tool.run("import", ExportFixture.planned, "--json").object()
        let (created, unchanged) = (again["created"] as? [String: Int], again["unchanged"] as? [String: Int])
        #expect((created?["trip"] ?? 0) + (unchanged?["trip"] ?? 0) == 649)
        #expect(await tool.run("import", "/nowhere/at/all") { $0.ended = {} }.code == 2)
        await tool.expectInvariants()
    }

    private static func wait(for semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                semaphore.wait()
                continuation.resume()
            }
        }
    }
}
