import DatabaseSupport
import EventLog
import Events
import Foundation
import Logging
import StoreSupport
import Testing

@testable import HubDatabase

@Suite("The rows of a journal", .enabled(if: TestServer.isAvailable, "\(TestServer.hint)"))
struct JournalRowsTests {
    private let journal = JournalID(UUID())

    /// Runs `body` with the rows of an empty journal, and its cursor.
    private func withRows(_ body: (JournalRows, DatabaseCursor) throws -> Void) async throws {
        let (server, name, address) = try await TestServer.database()
        var options = HubDatabase.Options(connections: 2)
        options.allowsUnsynced = true
        let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let hub = try await HubDatabase.open(address, options: options, logger: quiet)
        defer { hub.close() }
        // On this thread, of which it is known whose expectations these are.
        try hub.pool.with { connection in
            let rows = JournalRows(connection: connection, journal: journal)
            try rows.begin()
            try body(rows, DatabaseCursor.start(try HubRow(connection: connection).identity().epoch))
            #expect(connection.isIdle)
        }
        #expect(try await server.gaps(in: name) == [])
    }

    private static func replica(_ number: UInt8) -> ReplicaID {
        ReplicaID(publicKey: [UInt8](repeating: number, count: 32))
    }

    private static func digest(_ number: UInt8) throws -> Digest {
        try #require([UInt8](repeating: number, count: 32).withUnsafeBytes { Digest($0) })
    }

    /// Two commits of a replica.
    private static func segment(_ replica: UInt8, from sequence: UInt64) throws -> EntryRow {
        let range = EntryRow.Range(
            replica: Self.replica(replica), firstSequence: sequence, first: try digest(UInt8(sequence)),
            last: try digest(UInt8(sequence + 100)))
        return EntryRow(
            operation: UUID().bytes, kind: .segment, commits: 2, range: range, time: 0, isContinued: false,
            body: [1, 2])
    }

    @Test("Rows replace others with the same commits where the journal is, and set nothing aside where it is not")
    func replacing() async throws {
        try await withRows { rows, start in
            let (good, same) = (try Self.segment(1, from: 1), try Self.segment(1, from: 1))
            #expect(try rows.append([good], at: start))
            // As a hub that has not replayed it does.
            #expect(throws: LedgerConflict.self) {
                try rows.append([same], rewriting: [], at: start, replacing: true)
            }
            #expect(try rows.entries(from: 1).map(\.setAside) == [nil])
            #expect(try rows.append([same], rewriting: [], at: start.after(1, good.operation), replacing: true))
            #expect(try rows.entries(from: 1).map { $0.setAside == nil } == [false, true])
        }
    }

    @Test("What was erased goes from rows that were set aside, and from no others")
    func erasing() async throws {
        try await withRows { rows, start in
            let segments = [
                try Self.segment(1, from: 1), try Self.segment(1, from: 3), try Self.segment(2, from: 1),
                try Self.segment(3, from: 1),
            ]
            #expect(try rows.append(segments, at: start))
            for entry in Int64(1)...3 { try rows.setAside(entry, because: "a test") }
            let erased = try [1, 3].map { replica in
                CommitID(replica: Self.replica(replica), sequence: SequenceNumber(2), hash: try Self.digest(9))
            }
            let more = try Self.segment(1, from: 5)
            #expect(
                try rows.append([more], rewriting: [], erasing: Set(erased), at: start.after(4, segments[3].operation)))
            #expect(try rows.entries(from: 1).map(\.body) == [[], [1, 2], [1, 2], [1, 2], [1, 2]])
        }
    }

    @Test("Journals are counted up to a number")
    func counting() async throws {
        let (_, _, address) = try await TestServer.database()
        var options = HubDatabase.Options(connections: 2)
        options.allowsUnsynced = true
        let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let hub = try await HubDatabase.open(address, options: options, logger: quiet)
        defer { hub.close() }
        for _ in 0..<3 {
            let journal = JournalID(UUID())
            try hub.pool.with { connection in
                let rows = JournalRows(connection: connection, journal: journal)
                try rows.begin()
                let epoch = try HubRow(connection: connection).identity().epoch
                #expect(try rows.append([try Self.segment(1, from: 1)], at: .start(epoch)))
            }
        }
        #expect(try await hub.journalCount(upTo: 2) == 2)
        #expect(try await hub.journalCount(upTo: 10) == 3)
        let sizes = try await hub.sizes()
        #expect(sizes.map(\.journal) == (try await hub.journals()))
        #expect(sizes.map(\.bytes) == [2, 2, 2] && sizes.map(\.commits) == [2, 2, 2])
    }
}
