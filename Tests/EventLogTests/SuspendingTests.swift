import EventLog
import Events
import Foundation
import LMDB
import Platform
import StoreSupport
import TestSupport
import Testing

@Suite("Suspended logs")
struct SuspendingTests {
    private static var later: ContinuousClock.Instant { .now + .seconds(600) }

    @Test("Appends that were acknowledged before are there afterwards, and the others say that the log is suspended")
    func appends() async throws {
        let fixture = LogFixture()
        let log = try fixture.open()
        _ = try await log.appendSamples(1)
        let stored = Tally()
        let codes = try await withThrowingTaskGroup(of: StorageError.Code.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    while true {
                        do {
                            _ = try await log.append(.sample("\(writer)"))
                            stored.increase()
                        } catch let error as StorageError { return error.code }
                    }
                }
            }
            try await eventually { stored.value > 20 }
            log.suspension.isSet = true
            // Behind the appends that were begun.
            try await log.worker.run { try log.prepareClose() }
            try log.suspend(by: Self.later)
            var codes: [StorageError.Code] = []
            for try await code in group { codes.append(code) }
            return codes
        }
        #expect(codes == Array(repeating: .suspended, count: 8))
        #expect(throws: StorageError.self) { try log.isEmpty() }
        #expect(try log.resume() == nil)
        #expect(try log.commits().count == stored.value + 2)
        _ = try await log.appendSamples(1)
        try fixture.expectIntact()
    }

    @Test("A log that was restored from an older copy while it was suspended goes on as another replica")
    func restored() async throws {
        let machine = TemporaryFolder()
        var fixture = LogFixture()
        fixture.dependencies.machineFolder = machine.path("replicas")
        let log = try fixture.open()
        let replica = log.replica
        _ = try await log.appendSamples(2)
        try log.suspend(by: Self.later)
        let backup = try fixture.copied(seed: 2)
        #expect(try log.resume() == nil && log.replica == replica)
        _ = try await log.appendSamples(1)
        try log.suspend(by: Self.later)
        let bytes = try #require(FileManager.default.contents(atPath: backup.folder.path("log/data.mdb")))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: fixture.folder.path("log/data.mdb")))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: bytes)
        try file.close()
        let change = try #require(try log.resume())
        #expect(change.previous == replica && change.reason.contains("restored") && log.replica != replica)
        _ = try await log.appendSamples(1)
        #expect(try log.commits().last?.header.replica == log.replica)
        try fixture.expectIntact()
    }

    @Test("A log that is open for reading is suspended, and then shows what was written meanwhile")
    func reader() async throws {
        let fixture = LogFixture()
        do { _ = try await fixture.open().appendSamples(2) }
        let reader = try fixture.open(readOnly: true)
        let count = try reader.commits().count
        try reader.suspend(by: Self.later)
        #expect(throws: StorageError.self) { try reader.commits() }
        #expect(try reader.resume() == nil)
        #expect(try reader.commits().count == count)
        try fixture.expectIntact()
    }
}
