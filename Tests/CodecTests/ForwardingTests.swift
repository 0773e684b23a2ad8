import Events
import Foundation
import LMDB
import StoreSupport
import SwiftProtobuf
import TestSupport
import Testing
import TripStore
import Trips

@testable import EventLog

/// Commits of a newer version, written by generated code: stored, verified, kept and forwarded unchanged.
@Suite("Commits with parts that this version does not know")
struct ForwardingTests {
    /// A line of commits by another program, with unknown fields everywhere, an unknown verb and an unknown kind.
    ///
    /// With features no reader here reads the payloads of all but the first commit: any bytes, or those of events.
    private static func segment(
        _ identity: ReplicaIdentity, features: UInt32 = 0, _ generator: inout SeededGenerator
    ) throws -> LineSegment {
        let line = LineID(journal: JournalID(generator.uuid()), replica: identity.id)
        var commits: [[UInt8]] = []
        var hash = Digest.zero
        for sequence in 1...UInt64(3) {
            var payload = Tripstore_Payload(Payload.random(&generator))
            if sequence == 1 { payload.introduction.publicKey = Data(identity.publicKey) }
            payload.events.append(
                .with {
                    $0.verb = 4_000_000_000
                    $0.kind = 60000
                    $0.id = Data(Samples.id.bytes)
                    $0.addUnknownFields(&generator)
                })
            payload.addUnknownFields(&generator)
            let salt = [UInt8](generator.digest().bytes.prefix(16))
            var payloadBytes: [UInt8] = try payload.serializedBytes()
            if features != 0 && sequence == 2 { payloadBytes = generator.bytes(upTo: 300) }
            let payloadHash = salt.withUnsafeBytes { salt in
                payloadBytes.withUnsafeBytes { PayloadHash.of($0, salt: salt) }
            }
            var header = Tripstore_Header(
                CommitHeader(
                    journal: line.journal, replica: line.replica, sequence: SequenceNumber(sequence),
                    timestamp: Timestamp(milliseconds: 1_798_761_600_000 + sequence), wallClock: nil, schema: 9,
                    payloadHash: payloadHash))
            if sequence > 1 { header.features = features }
            header.addUnknownFields(&generator)
            let headerBytes: [UInt8] = try header.serializedBytes()
            hash = headerBytes.withUnsafeBytes { CommitView.hash($0, after: hash) }
            var commit = Tripstore_Commit()
            commit.header = Data(headerBytes)
            commit.salt = Data(salt)
            commit.payload = Data(payloadBytes)
            commits.append(try commit.serializedBytes())
        }
        let message = LineSignature.message(
            journal: line.journal, replica: line.replica, sequence: SequenceNumber(3), hash: hash)
        return LineSegment(
            journal: line.journal, replica: line.replica, first: SequenceNumber(1), previous: .zero, commits: commits,
            signature: try identity.sign(message))
    }

    @Test(
        "With unknown features they are kept, verified and forwarded, and count as commits without events",
        arguments: [1, 2, 8, 15, 32, 1 << 31, ~16] as [UInt32])
    func features(bits: UInt32) async throws {
        var generator = SeededGenerator(seed: UInt64(bits))
        let identity = try #require(ReplicaIdentity(seed: generator.digest().bytes))
        let segment = try Self.segment(identity, features: bits, &generator)
        let clock = ManualClock(seed: 1)
        let folders = [TemporaryFolder(), TemporaryFolder()]
        let logs = try folders.map { folder in
            try Log.open(
                at: folder.path("log"), keyPath: folder.path("replica.key"),
                options: Log.Options(
                    journal: segment.journal,
                    environment: Environment.Options(durability: .unsynced, mapSize: 1 << 30),
                    dependencies: clock.dependencies))
        }
        try await logs[0].store(segment)
        for handedOn in try await logs[0].allSegments(of: segment.replica) { try await logs[1].store(handedOn) }
        for (folder, log) in zip(folders, logs) {
            #expect(try LogVerifier.verify(EnvironmentRows(at: folder.path("log"))).findings == [])
            #expect(try await log.allSegments(of: segment.replica) == [segment])
            try log.read { log in
                for position in [Position(2), Position(3)] {
                    let commit = try #require(try log.commit(at: position))
                    #expect(!commit.header.isUnderstood && commit.view.payload == nil)
                    #expect(commit.view.payloadMatches)
                    #expect(commit.forEachEvent { _, _ in Issue.record("an event was handed out") })
                }
            }
        }
    }

    @Test("Views show nothing of what a feature hides, whether its commits come one by one or all at once")
    func views() async throws {
        var generator = SeededGenerator(seed: 7)
        let identity = try #require(ReplicaIdentity(seed: generator.digest().bytes))
        // An older version would read events in the third commit.
        let segment = try Self.segment(identity, features: 1, &generator)
        let store = try await TripStore.test(journal: segment.journal, clock: ManualClock(seed: 2))
        try await store.create(Trip(name: "Lisbon"))
        try await store.store(segment)
        try await store.catchUp()
        // A rebuild yields the same.
        try await store.expectInvariants()
    }

    @Test("They are stored, found intact, and forwarded byte for byte", arguments: Seeds.some(5))
    func areHandedOn(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let identity = try #require(ReplicaIdentity(seed: generator.digest().bytes))
        let segment = try Self.segment(identity, &generator)
        let folder = TemporaryFolder()
        let log = try Log.open(
            at: folder.path("log"), keyPath: folder.path("replica.key"),
            options: Log.Options(
                journal: segment.journal, environment: Environment.Options(durability: .unsynced, mapSize: 1 << 30),
                dependencies: ManualClock(seed: seed).dependencies))
        try await log.store(segment)
        #expect(try LogVerifier.verify(EnvironmentRows(at: folder.path("log"))).findings == [])
        #expect(try await log.allSegments(of: segment.replica) == [segment])
        let last = try log.read { try $0.commit(at: Position(3)).map { RecordedCommit($0) } }
        #expect(last?.payload?.events.last?.verb == Verb(rawValue: 4_000_000_000))
        #expect(last?.payload?.events.last?.entity.kind == EntityKind(rawValue: 60000))
    }
}
