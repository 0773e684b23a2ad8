import EventLog
import Events
import Foundation
import LMDB
import Platform
import StoreSupport
import Testing

@Suite("Opening a log")
struct OpeningTests {
    @Test("A new log takes the journal that it is given, and keeps it")
    func givenJournal() throws {
        let fixture = LogFixture()
        let journal = JournalID(UUID())
        #expect(try fixture.open(journal: journal).journal == journal)
        #expect(try fixture.open().journal == journal)
        let other = JournalID(UUID())
        #expect { try fixture.open(journal: other) } throws: { error in
            guard let error = error as? EventLogError, error.code == .otherJournal else { return false }
            return error.message.contains("\(journal)") && error.message.contains("\(other)")
        }
        try fixture.expectIntact()
    }

    @Test("A log of a newer format is refused, and stays as it is")
    func newerFormat() async throws {
        let fixture = LogFixture()
        do { _ = try await fixture.open().appendSamples(1) }
        do {
            let environment = try Environment.open(at: fixture.folder.path("log"))
            let meta = try environment.tables(["meta"])[0]
            try environment.write { try $0.put(Array("format".utf8), [0, 0, 0, 9] as [UInt8], in: meta) }
        }
        for readOnly in [true, false] {
            #expect { try fixture.open(readOnly: readOnly) } throws: {
                ($0 as? EventLogError)?.code == .newerFormat
            }
        }
    }

    @Test("Without its key a log continues as another replica, says so, and keeps the old line")
    func missingKey() async throws {
        let fixture = LogFixture()
        let previous: ReplicaID
        do {
            let log = try fixture.open()
            previous = log.replica
            _ = try await log.appendSamples(2)
        }
        try FileManager.default.removeItem(atPath: fixture.folder.path("replica.key"))
        let log = try fixture.open()
        #expect(log.replica != previous)
        #expect(log.identityChange?.previous == previous)
        _ = try await log.appendSamples(2)
        #expect(try log.commits().map(\.header.sequence.rawValue) == [1, 2, 3, 1, 2, 3])
        try fixture.expectIntact()
    }

    @Test("A key that cannot be read is not called missing, nor another's")
    func damagedKey() async throws {
        for (contents, reason) in [
            ("tripstore key\n12", "the replica's key could not be read: the file was damaged"),
            ("", "the replica's key was missing"),
        ] {
            let fixture = LogFixture()
            do { _ = try await fixture.open().appendSamples(1) }
            try Data(contents.utf8).write(to: URL(filePath: fixture.folder.path("replica.key")))
            let log = try fixture.open()
            #expect(log.identityChange?.reason == reason)
            try fixture.expectIntact()
        }
    }

    @Test("The key is readable by its owner alone")
    func keyPermissions() throws {
        let fixture = LogFixture()
        _ = try fixture.open()
        let attributes = try FileManager.default.attributesOfItem(atPath: fixture.folder.path("replica.key"))
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test("A log that is not there, or an environment of something else, is not opened for reading")
    func notALog() throws {
        let fixture = LogFixture()
        #expect { try fixture.open(readOnly: true) } throws: { ($0 as? StorageError)?.code == .missing }
        do { _ = try Environment.open(at: fixture.folder.path("log")).tables(["something"]) }
        #expect { try fixture.open(readOnly: true) } throws: { ($0 as? EventLogError)?.code == .notALog }
    }

    @Test("What is opened for reading refuses to write")
    func readOnly() async throws {
        let fixture = LogFixture()
        let writer = try fixture.open()
        _ = try await writer.appendSamples(1)
        let reader = try fixture.open(readOnly: true)
        #expect(try reader.commits().count == 2)
        await #expect { try await reader.append(.sample("x")) } throws: {
            ($0 as? EventLogError)?.code == .readOnly
        }
        try fixture.expectIntact()
    }
}

extension OpeningTests {
    @Test("A replica that continues under a new id writes later than its former self, though the clock went back (L5)")
    func newIdentityIsLater() async throws {
        let fixture = LogFixture()
        do { _ = try await fixture.open().appendSamples(2) }
        try FileManager.default.removeItem(atPath: fixture.folder.path("replica.key"))
        fixture.clock.advance(by: -3_600_000)
        let log = try fixture.open()
        _ = try await log.appendSamples(1)
        let timestamps = try log.commits().map(\.header.timestamp)
        #expect(zip(timestamps, timestamps.dropFirst()).allSatisfy { earlier, later in earlier < later })
        try fixture.expectIntact()
    }
}
