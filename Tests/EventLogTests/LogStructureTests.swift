import EventLog
import Foundation
import LMDB
import Platform
import StoreSupport
import Testing

@Suite("The structure of a log before it is opened")
struct LogStructureTests {
    /// Appends while nothing else has the log open, and closes it: the writer's thread may hold it for a moment after an
    /// append has returned.
    private func append(_ fixture: LogFixture, _ count: Int, checkpointing: Bool = false) async throws {
        let log = try fixture.open()
        _ = try await log.appendSamples(count)
        if checkpointing { try log.checkpoint() }
        try await log.worker.run {}
    }

    private func damage(_ fixture: LogFixture) throws {
        let file = URL(fileURLWithPath: fixture.folder.path("log/data.mdb"))
        var bytes = try Data(contentsOf: file)
        for place in stride(from: 2 * 4096, to: bytes.count, by: 4096) {
            bytes.replaceSubrange(place..<min(place + 64, bytes.count), with: Data(repeating: 0xA5, count: 64))
        }
        let handle = try FileHandle(forUpdating: file)
        try handle.write(contentsOf: bytes)
        try handle.close()
    }

    @Test("A log that was damaged while closed is refused with an error, to every opener", arguments: [true, false])
    func damaged(isClosed: Bool) async throws {
        let fixture = LogFixture()
        try await append(fixture, 20, checkpointing: isClosed)
        try damage(fixture)
        for readOnly in [true, false] {
            #expect {
                try fixture.open(readOnly: readOnly)
            } throws: {
                ($0 as? StorageError)?.code == .damaged
            }
        }
    }

    @Test("One that was closed, or checked, is not read through again until it changes")
    func noted() async throws {
        let fixture = LogFixture()
        try await append(fixture, 5)
        let note = fixture.folder.path("log/checked")
        _ = try fixture.open()
        let first = try Data(contentsOf: URL(fileURLWithPath: note))
        try await append(fixture, 5)
        _ = try fixture.open()
        let second = try Data(contentsOf: URL(fileURLWithPath: note))
        #expect(first != second)
        _ = try fixture.open(readOnly: true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: note)) == second)
        try fixture.expectIntact()
    }
}
