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
