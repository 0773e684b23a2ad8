import EventLog
import Events
import Foundation
import LMDB
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import ProjectionEngine

@Suite("Generations")
struct GenerationTests {
    @Test("Changes are kept for so many batches at least, and for few more")
    func ring() async throws {
        let fixture = try EngineFixture()
        let group = try await fixture.group("ring", [Tally()])
        let batches = Invalidation.keptBatches + 2 * Invalidation.batchesDroppedAtOnce + 10
        let entity = UUID()
        try await fixture.append([.sample(.created, entity, "one")])
        for batch in 1..<batches {
            await group.applyPending()
            try await fixture.append([.sample(.edited, entity, "value \(batch)")])
        }
        await group.applyPending()
        let end = try group.position
        let generation = try #require(group.slot.serving)
        let kept = try generation.environment.read { try generation.rowCounts($0)[Generation.changesPart] }
        #expect(kept >= Invalidation.keptBatches)
        #expect(kept < Invalidation.keptBatches + Invalidation.batchesDroppedAtOnce)
        let reach = Position(end.rawValue - UInt64(Invalidation.keptBatches) + 1)
        #expect(try group.read { try $0.invalidations(since: reach) }?.count == Invalidation.keptBatches - 1)
        #expect(try group.read { try $0.invalidations(since: .start) } == nil)
        try await group.expectRebuildEquals()
    }

    @Test("Another kind or source of rows, or another schema of an app, makes other views, also at the same version")
    func fingerprint() throws {
        let fixture = try EngineFixture()
        func fingerprint(_ kind: RowKind, _ source: RowSource, _ schema: String = "") -> String {
            let projection = Described(rowKind: kind, source: source, schema: schema)
            return fixture.unstartedGroup("kinds", [projection]).configuration.fingerprint
        }
        let all = [
            fingerprint(.unique, .entities), fingerprint(.accumulating, .entities), fingerprint(.accumulating, .events),
            fingerprint(.unique, .entities, "1 text"), fingerprint(.unique, .entities, "1 integer"),
        ]
        #expect(Set(all).count == 5)
        #expect(fingerprint(.unique, .entities) == all[0])
    }

    /// A projection without rows.
    private struct Described: Projection {
        let name = "described"
        let version: UInt32 = 1
        let rowKind: RowKind
        let source: RowSource
        let schema: String
    }

    @Test("A folder that another process removes before it is in use is made again")
    func removedWhileTaken() throws {
        let folder = TemporaryFolder()
        let path = folder.path("generation")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let file = path + "/in-use"
        let descriptor = Foundation.open(file, O_RDWR | O_CREAT, 0o600)
        // Like a process that removes it.
        #expect(flock(descriptor, LOCK_EX) == 0)
        let taken = DispatchSemaphore(value: 0)
        let outcome = Mutex<GenerationFolder?>(nil)
        Thread.detachNewThread {
            let folder = try? GenerationFolder(creating: path)
            outcome.withLock { $0 = folder }
            taken.signal()
        }
        // Whether the other waits by now or comes later, it must end up with an existing folder. Its new file may keep
        // the folder from being removed.
        try? FileManager.default.removeItem(atPath: path)
        close(descriptor)
        taken.wait()
        #expect(outcome.withLock { $0 } != nil)
        #expect(FileManager.default.fileExists(atPath: file))
        #expect(!GenerationFolder.removeIfUnused(path))
    }

    @Test("A folder whose removal began before it was in use is not taken before that ends")
    func removedBesideTaking() throws {
        let folder = TemporaryFolder()
        let path = folder.path("generation")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        // Like a process that removes it, having found it unused.
        let turn = try #require(GenerationFolder.takeTurn(path))
        let taken = DispatchSemaphore(value: 0)
        let outcome = Mutex<GenerationFolder?>(nil)
        Thread.detachNewThread {
            let folder = try? GenerationFolder(creating: path)
            outcome.withLock { $0 = folder }
            taken.signal()
        }
        // It must not come. A late one would not fail the test, but a waiting one never comes.
        #expect(taken.wait(timeout: .now() + 0.2) == .timedOut)
        try FileManager.default.removeItem(atPath: path)
        close(turn)
        taken.wait()
        let made = try #require(outcome.withLock { $0 })
        try made.markOpen()
        #expect(made.mark != nil)
    }
}
