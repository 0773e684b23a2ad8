import EventLog
import Events
import Foundation
import LMDB
import StoreSupport
import Testing

/// X4: a store that is a copy, or was restored to an earlier state, does not write under the original's id.
@Suite("A replica's identity")
struct IdentityTests {
    private let machine = TemporaryFolder()

    private func fixture(seed: UInt64 = 1) -> LogFixture {
        var fixture = LogFixture(seed: seed)
        fixture.dependencies.machineFolder = machine.path("replicas")
        return fixture
    }

    /// Opens, appends and closes.
    private func write(_ fixture: LogFixture, _ count: Int = 1) async throws -> ReplicaID {
        let log = try fixture.open()
        _ = try await log.appendSamples(count)
        return log.replica
    }

    /// Puts a copy's content over the existing file, in place, so that it stays the same file.
    private func overwrite(_ fixture: LogFixture, with copy: LogFixture) throws {
        let bytes = try #require(FileManager.default.contents(atPath: copy.folder.path("log/data.mdb")))
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: fixture.folder.path("log/data.mdb")))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: bytes)
        try handle.close()
    }

    @Test("Opening again and again, and a folder that was moved, change nothing")
    func staysTheSame() async throws {
        let fixture = fixture()
        let replica = try await write(fixture)
        for _ in 0..<3 { #expect(try await write(fixture) == replica) }
        let moved = self.fixture(seed: 2)
        try FileManager.default.moveItem(atPath: fixture.folder.url.path, toPath: moved.folder.url.path)
        let log = try moved.open()
        #expect(log.replica == replica && log.identityChange == nil)
        _ = try await log.appendSamples(1)
        try moved.expectIntact()
    }

    @Test("A copied folder continues as another replica, and the original as itself")
    func copy() async throws {
        let original = fixture()
        let replica = try await write(original, 3)
        let copy = try original.copied(seed: 2)
        let log = try copy.open()
        #expect(log.identityChange?.previous == replica && log.replica != replica)
        #expect(log.identityChange?.reason.contains("copy") == true)
        #expect(try await write(original) == replica)
        _ = try await log.appendSamples(1)
        // The original's commits in the copy can be forwarded, though they were not signed there.
        let heads = try log.read { try $0.signedHeads(of: $0.journal()) }
        #expect(heads.first { $0.replica == replica }?.sequence.rawValue == 4)
        #expect(try copy.open(readOnly: true).lastIdentityChange()?.previous == replica)
        #expect(try copy.open().identityChange == nil)
        try original.expectIntact()
        try copy.expectIntact()
    }

    @Test("The machine's record reveals a log that was restored in place", arguments: [true, false])
    func restored(opensBetween: Bool) async throws {
        let fixture = fixture()
        let replica = try await write(fixture, 2)
        let backup: LogFixture
        if opensBetween {
            backup = try fixture.copied(seed: 2)
            #expect(try await write(fixture) == replica)
        } else {
            // The copy is made while the log is open, so that it has the newest token.
            let log = try fixture.open()
            _ = try await log.appendSamples(1)
            backup = try fixture.copied(seed: 2)
            _ = try await log.appendSamples(1)
        }
        try overwrite(fixture, with: backup)
        let log = try fixture.open()
        #expect(log.identityChange?.previous == replica && log.replica != replica)
        #expect(log.identityChange?.reason.contains("restored") == true)
        _ = try await log.appendSamples(1)
        try fixture.expectIntact()
    }

    @Test(
        "Another home at which the file is the same one writes on as the same replica, and so does one without records")
    func otherHome() async throws {
        var fixture = fixture()
        let replica = try await write(fixture)
        fixture.dependencies.machineFolder = machine.path("other")
        #expect(try await write(fixture) == replica)
        let forgetful = LogFixture(seed: 3)
        let written = try await write(forgetful)
        #expect(try await write(forgetful) == written)
        try fixture.expectIntact()
    }

    @Test("An opening without a record keeps the token of those with one")
    func otherKeeper() async throws {
        let fixture = fixture()
        let replica = try await write(fixture)
        var other = fixture
        other.dependencies.machineFolder = nil
        do { #expect(try other.open().replica == replica) }
        #expect(try await write(fixture) == replica)
        // The token is unchanged: a restored log is detected.
        let backup = try fixture.copied(seed: 2)
        #expect(try await write(fixture) == replica)
        do { #expect(try other.open().replica == replica) }
        try overwrite(fixture, with: backup)
        #expect(try await write(fixture) != replica)
        try fixture.expectIntact()
    }

    @Test("A line whose key was lost here is forwarded again once another replica brings the signature")
    func lostKey() async throws {
        let (fixture, peer, third) = (LogFixture(seed: 1), LogFixture(seed: 2), LogFixture(seed: 3))
        let backup: LogFixture
        let former: ReplicaID
        let journal = JournalID(UUID())
        let other = try peer.open(journal: journal)
        do {
            let log = try fixture.open(journal: journal)
            former = log.replica
            _ = try await log.appendSamples(3)
            backup = try fixture.copied(seed: 4)
            for segment in try await log.allSegments() { try await other.store(segment) }
        }
        try FileManager.default.removeItem(atPath: backup.folder.path("replica.key"))
        let log = try backup.open()
        #expect(log.replica != former)
        #expect(try log.read { try $0.signedHeads(of: journal) } == [])
        let head = try #require(try other.read { try $0.signedHeads(of: journal) }.first)
        #expect(try log.read { try $0.holds(head, in: journal) })
        #expect(try log.read { try $0.heldSigned([head], in: journal) } == [])
        for segment in try await other.allSegments() { try await log.store(segment) }
        #expect(try log.read { try $0.signedHeads(of: journal) } == [head])
        let last = try third.open(journal: journal)
        for segment in try await log.allSegments() { try await last.store(segment) }
        #expect(try last.commits().count == 4)
        for fixture in [fixture, peer, third, backup] { try fixture.expectIntact() }
    }

    @Test("A machine folder that cannot be made does not prevent writing")
    func unusableFolder() async throws {
        var fixture = fixture()
        try FileManager.default.createDirectory(at: machine.url, withIntermediateDirectories: true)
        try Data([1]).write(to: machine.url.appendingPathComponent("file"))
        fixture.dependencies.machineFolder = machine.path("file/below")
        let replica = try await write(fixture)
        #expect(try await write(fixture) == replica)
        try fixture.expectIntact()
    }

    @Test("A stop between the machine's record and the log does not count as a restored log")
    func stopBetween() async throws {
        let fixture = fixture()
        let replica = try await write(fixture)
        do {
            // An open handle keeps the log's state; a further opening fails after its record is written.
            var failing = fixture
            failing.dependencies.machineFolder = machine.path("replicas")
            let environment = try Environment.open(at: fixture.folder.path("log"), options: .init(mapSize: 1 << 30))
            let meta = try environment.tables(["meta"])[0]
            let names = ["place", "homes"].map { Array($0.utf8) }
            let before = try environment.read { transaction in
                try names.map { try #require(try transaction.get($0, in: meta).map { [UInt8]($0) }) }
            }
            #expect(try failing.open().replica == replica)
            try environment.write { transaction in
                for (name, value) in zip(names, before) { try transaction.put(name, value, in: meta) }
            }
        }
        #expect(try fixture.open().replica == replica)
        try fixture.expectIntact()
    }

    @Test("Where a key is and no log, and the machine knows nothing of it, the key's replica is not used again")
    func keyWithoutLog() async throws {
        var fixture = fixture()
        let replica = try await write(fixture)
        try FileManager.default.removeItem(atPath: fixture.folder.path("log"))
        fixture.dependencies.machineFolder = machine.path("other")
        let log = try fixture.open()
        #expect(log.replica != replica && log.identityChange?.previous == replica)
        _ = try await log.appendSamples(1)
        try fixture.expectIntact()
    }

    @Test("A key that lies ready and is the one that the log names is put into force")
    func preparedKey() async throws {
        let fixture = fixture()
        let replica = try await write(fixture)
        let key = fixture.folder.path("replica.key")
        try FileManager.default.moveItem(atPath: key, toPath: key + ".next")
        #expect(try await write(fixture) == replica)
        #expect(FileManager.default.fileExists(atPath: key))
        #expect(!FileManager.default.fileExists(atPath: key + ".next"))
        try fixture.expectIntact()
    }

    @Test("An empty log joins another's journal, one with commits does not, and both journals are named")
    func joining() async throws {
        let fixture = fixture()
        let log = try fixture.open()
        let (own, other) = (log.journal, JournalID(UUID()))
        try await log.join(other)
        #expect(log.journal == other && log.ownLine.journal == other)
        _ = try await log.appendSamples(1)
        #expect(try log.commits().allSatisfy { $0.header.journal == other })
        try await log.join(other)
        await #expect {
            try await log.join(own)
        } throws: { error in
            guard let error = error as? EventLogError, error.code == .otherJournal else { return false }
            return error.message.contains("\(own)") && error.message.contains("\(other)")
        }
        #expect(try fixture.open().journal == other)
        try fixture.expectIntact()
    }

    @Test(
        "Neither a log that joined a journal nor one that learned of a fork counts as a copy when it is opened again"
    )
    func staysTheSameAfterChanges() async throws {
        let fixture = fixture()
        var replica: ReplicaID?
        do {
            let log = try fixture.open()
            try await log.join(JournalID(UUID()))
            replica = log.replica
        }
        #expect(try await write(fixture) == replica)
        // An undetected copy writes on under the same id.
        var copy = try fixture.copied(seed: 2)
        copy.dependencies.machineFolder = nil
        copy.dependencies.fileOrigin = { _ in nil }
        do {
            let (log, other) = (try fixture.open(), try copy.open())
            #expect(log.replica == replica && other.replica == replica)
            _ = try await other.appendSamples(1)
            for segment in try await other.allSegments() { try await log.store(segment) }
            #expect(log.replica != replica)
            replica = log.replica
        }
        #expect(try await write(fixture) == replica)
        #expect(try await write(fixture) == replica)
        try fixture.expectIntact()
    }
}
