import Events
import Foundation
import LMDB
import Platform
import StoreSupport
import Testing

@testable import EventLog

/// A store that is opened at several homes: on a stick, by a service and a person, in containers.
@Suite("The homes of a log")
struct HomesTests {
    private let machine = TemporaryFolder()

    private func fixture(at home: String, seed: UInt64 = 1) -> LogFixture {
        var fixture = LogFixture(seed: seed)
        fixture.dependencies.machineFolder = machine.path(home)
        return fixture
    }

    /// Opens at a home, appends and closes.
    @discardableResult
    private func write(_ fixture: LogFixture, at home: String, _ count: Int = 1) async throws -> ReplicaID {
        var fixture = fixture
        fixture.dependencies.machineFolder = machine.path(home)
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

    @Test("Two homes that open a log by turns write as one replica, also where files have no lasting identity")
    func byTurns() async throws {
        let fixture = fixture(at: "a")
        let replica = try await write(fixture, at: "a")
        for turn in 0..<6 { #expect(try await write(fixture, at: turn % 2 == 0 ? "b" : "a") == replica) }
        var stick = self.fixture(at: "a", seed: 2)
        stick.dependencies.fileOrigin = { _ in nil }
        let first = try await write(stick, at: "a")
        // The first visit takes an id, for the file could be a copy.
        let second = try await write(stick, at: "b")
        #expect(second != first)
        for turn in 0..<6 { #expect(try await write(stick, at: turn % 2 == 0 ? "a" : "b") == second) }
        try fixture.expectIntact()
        try stick.expectIntact()
    }

    @Test("A log that was restored in place is detected by a home that saw newer commits, and by no other")
    func restored() async throws {
        let fixture = fixture(at: "a")
        let replica = try await write(fixture, at: "a")
        try await write(fixture, at: "b")
        let backup = try fixture.copied(seed: 2)
        try await write(fixture, at: "b", 2)
        try overwrite(fixture, with: backup)
        #expect(try await write(fixture, at: "a") == replica, "it saw nothing newer")
        #expect(try await write(fixture, at: "b") != replica)
        try fixture.expectIntact()
    }

    @Test("A home whose record was lost takes an id, and one whose records were all lost trusts the file")
    func lostRecords() async throws {
        let fixture = fixture(at: "a")
        let replica = try await write(fixture, at: "a")
        let record = machine.path("a/\(replica)-\(try fixture.open(readOnly: true).journal)")
        try FileManager.default.removeItem(atPath: record)
        let second = try await write(fixture, at: "a")
        #expect(second != replica)
        try FileManager.default.removeItem(atPath: machine.path("a"))
        #expect(try await write(fixture, at: "a") == second)
        try fixture.expectIntact()
    }

    @Test("A log keeps 64 homes, and drops the one that was not used for the longest time")
    func most() async throws {
        var stick = fixture(at: "first")
        stick.dependencies.fileOrigin = { _ in nil }
        try await write(stick, at: "first")
        let other = try await write(stick, at: "other")
        for number in 0..<StoreHomes.most - 2 { try await write(stick, at: "\(number)") }
        let last = try await write(stick, at: "first")
        #expect(last != other)
        try await write(stick, at: "one more")
        do {
            let log = try stick.open(readOnly: true)
            #expect(try log.read { try $0.homes() }?.visits.count == StoreHomes.most)
        }
        // It was used since, and the other is unknown by now.
        let known = try await write(stick, at: "first")
        #expect(try await write(stick, at: "first") == known)
        #expect(try await write(stick, at: "other") != known)
        try stick.expectIntact()
    }

    @Test("A log that an older version wrote, which kept one token alone, is judged by that")
    func olderVersion() async throws {
        let fixture = fixture(at: "a")
        let replica = try await write(fixture, at: "a")
        func forgetHomes() throws {
            let log = try fixture.open()
            let tables = log.tables
            _ = try log.environment.write { try $0.delete(MetaKey.homes, in: tables.meta) }
        }
        try forgetHomes()
        #expect(try await write(fixture, at: "a") == replica)
        try forgetHomes()
        let backup = try fixture.copied(seed: 2)
        for _ in 0..<2 { try await write(fixture, at: "a") }
        try overwrite(fixture, with: backup)
        #expect(try await write(fixture, at: "a") != replica)
        try fixture.expectIntact()
    }

    @Test("A log that joined a journal or took another id is the same one at the other home")
    func afterRenewal() async throws {
        let fixture = fixture(at: "a")
        do { try await fixture.open().join(JournalID(UUID())) }
        let replica = try await write(fixture, at: "a")
        #expect(try await write(fixture, at: "b") == replica)
        let copy = try fixture.copied(seed: 2)
        let renewed = try await write(copy, at: "b")
        #expect(renewed != replica)
        for home in ["a", "b", "a"] { #expect(try await write(copy, at: home) == renewed) }
        #expect(try await write(fixture, at: "a") == replica)
        try fixture.expectIntact()
        try copy.expectIntact()
    }

    @Test("A copy keeps its id at a home at which the original was opened since")
    func copied() async throws {
        let fixture = fixture(at: "a")
        let replica = try await write(fixture, at: "a")
        try await write(fixture, at: "b")
        let copy = try fixture.copied(seed: 2)
        let renewed = try await write(copy, at: "b")
        #expect(renewed != replica)
        for _ in 0..<2 { #expect(try await write(fixture, at: "a") == replica) }
        for home in ["a", "b", "a"] { #expect(try await write(copy, at: home) == renewed) }
        try fixture.expectIntact()
        try copy.expectIntact()
    }

    @Test("The row holds what it was given, and is refused with another length")
    func row() throws {
        var homes = StoreHomes()
        for number in 0..<UInt8(StoreHomes.most) {
            let bytes = [UInt8](repeating: number, count: 16)
            homes.note(StoreHomes.Visit(home: bytes, replica: try #require(ReplicaID(bytes)), token: bytes))
        }
        #expect(StoreHomes(homes.encoded()) == homes)
        #expect(StoreHomes([]) == StoreHomes())
        #expect(StoreHomes(homes.encoded() + [0]) == nil)
        #expect(StoreHomes(homes.encoded() + [UInt8](repeating: 0, count: 48)) == nil)
    }
}
