import EventLog
import Events
import Foundation
import LMDB
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import Trips

/// Compares the worked example in the description of the format with what the library writes.
@Suite("The worked example of the log format")
struct LogFormatTests {
    private let example: WorkedExample
    private let folder = TemporaryFolder()

    init() throws { example = try WorkedExample(in: SourceFile.logFormat) }

    /// Makes the store of the example and returns its log; the folder outlives it.
    private func makeLog() async throws -> Log {
        let seed = try example.block("seed")
        let next = Mutex<UInt8>(0)
        let dependencies = Dependencies(
            now: { 1_798_761_600_000 },
            randomBytes: { count in
                next.withLock { next in
                    defer { next += UInt8(count) }
                    return (0..<UInt8(count)).map { next + $0 }
                }
            }, newKey: { seed },
            // The row about the file differs from machine to machine.
            fileOrigin: { _ in nil })
        let journal = try #require(JournalID("00112233-4455-6677-8899-aabbccddeeff"))
        let log = try Log.open(
            at: folder.path("log"), keyPath: folder.path("replica.key"),
            options: Log.Options(
                journal: journal, deviceName: "example", schema: 1,
                environment: Environment.Options(mapSize: 1 << 30), dependencies: dependencies))
        let trip = EntityReference(
            kind: EntityKind(rawValue: 1), id: try #require(UUID(uuidString: "018f0000-0000-7000-8000-0000000000aa")))
        let changes: [FieldChange<Trip>] = [.set(\.name, "Lisbon"), .set(\.startDay, Day(2027, 5, 1))]
        _ = try await log.append(
            Payload(
                author: "ana",
                events: [
                    Event(
                        verb: .created, entity: trip,
                        changes: changes.map { Change(path: FieldPath(field: $0.field), value: $0.value) })
                ]))
        // Reading the line for another replica signs it up to its head.
        try await log.signHead()
        return log
    }

    @Test("Every row but the signature is the one in the document, byte for byte", arguments: LogTableName.allCases)
    func rowsAreAsDescribed(table: LogTableName) async throws {
        let log = try await makeLog()
        var stored: [String: String] = [:]
        try EnvironmentRows(at: folder.path("log")).forEachRow(of: table) { key, value in
            stored[key.hexadecimal] = value.hexadecimal
        }
        var described = example.rows(of: table.rawValue)
        // Nothing is erased in the example, and its journal is open.
        try #require(described.isEmpty == (table == .erasures || table == .members))
        if table == .signatures {
            // Not every implementation of Ed25519 gives the same signature twice.
            #expect(Set(stored.keys) == Set(described.keys))
            stored = [:]
            described = [:]
        }
        #expect(stored == described)
        withExtendedLifetime(log) {}
    }

    @Test("Its signature is valid, and that of the library over the same message")
    func signatureIsValid() async throws {
        let log = try await makeLog()
        let (publicKey, message) = (try example.block("public key"), try example.block("message"))
        let head = try #require(try log.read { try $0.head(of: log.ownLine) })
        #expect(
            LineSignature.message(
                journal: log.journal, replica: log.replica, sequence: head.sequence, hash: head.hash) == message)
        let described = try example.block("signatures 00000001 0000000000000002")
        #expect(LineSignature.isValid(described, publicKey: publicKey, message: message))
        let stored = try #require(try log.read { try $0.signature(of: SequenceNumber(2), in: log.ownLine) })
        #expect(LineSignature.isValid(stored, publicKey: publicKey, message: message))
        #if !canImport(Darwin)
            #expect(stored == described)
        #endif
    }

    @Test("Its ids and hashes are what the document says they are made of")
    func hashesAreAsDescribed() async throws {
        let log = try await makeLog()
        #expect(ReplicaID(publicKey: try example.block("public key")).bytes == (try example.block("replica")))
        #expect(log.replica.bytes == (try example.block("replica")))
        let hashes = try log.read { log in
            [try log.commit(at: Position(1)), try log.commit(at: Position(2))].map { $0?.header.payloadHash.bytes }
        }
        #expect(hashes == [try example.block("payload hash 1"), try example.block("payload hash 2")])
    }

    @Test("The verifier finds nothing wrong with it")
    func isIntact() async throws {
        let log = try await makeLog()
        let report = try LogVerifier.verify(EnvironmentRows(at: folder.path("log")))
        #expect(report.findings == [])
        #expect((report.commits, report.events, report.replicas) == (2, 1, 1))
        withExtendedLifetime(log) {}
    }
}
