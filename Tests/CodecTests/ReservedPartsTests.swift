import Crypto
import Events
import Foundation
import LMDB
import StoreSupport
import TestSupport
import Testing
import Trips

@testable import EventLog
@testable import TripStore

/// A line of a future writer, which uses everything that the format has reserved, in the described shapes.
private struct LineToCome {
    static let namespace = Array(SHA256.hash(data: Data("org.example.walks".utf8)).prefix(16))
    static let originalTime = Timestamp(milliseconds: 1_500_000_000_000)

    let identity: ReplicaIdentity
    let journal: JournalID
    private(set) var commits: [[UInt8]] = []
    private var last = Digest.zero

    /// The content of its commits that this version reads.
    let trip = Samples.id

    init(_ journal: JournalID) throws {
        identity = try #require(ReplicaIdentity(seed: [UInt8](repeating: 77, count: 32)))
        self.journal = journal
        try add(Payload(introduction: introduction).encoded())
        try add(namespaced, features: 1)
        try add(sealed(sequence: 3, Payload(author: "ana", events: [event(40_001)])), features: 2)
        try add(checkpoint, features: 8)
        try add(readable)
        try add(Payload(author: "ana", events: [event(40_002), event(40_003)]).encoded())
        try add(sealed(sequence: 7, Payload(author: "ben", events: [event(1), event(2)])), features: 1 | 2 | 8)
    }

    private var introduction: Payload.Introduction {
        Payload.Introduction(publicKey: identity.publicKey, name: "a newer one")
    }

    private func event(_ kind: UInt16) -> Event {
        Event(
            verb: .created, entity: EntityReference(kind: EntityKind(rawValue: kind), id: Samples.id),
            changes: [Change(path: FieldPath(field: 1), value: Array("hidden".utf8))])
    }

    private static func message(_ body: (inout WireWriter) -> Void) -> [UInt8] {
        var writer = WireWriter()
        body(&writer)
        return writer.finish()
    }

    /// An entity of an app's kind.
    private var namespaced: [UInt8] {
        Self.message { payload in
            payload.string(1, "ana")
            payload.bytes(7, Self.namespace)
            payload.message(15) { event in
                event.varint(1, 1)
                event.varint(2, 5)
                event.bytes(3, trip.bytes)
                event.message(4) { change in
                    change.varint(1, 1)
                    change.bytes(3, Array("a walk".utf8))
                }
                event.varint(10, 1)
            }
        }
    }

    private var checkpoint: [UInt8] {
        Self.message { payload in
            payload.string(1, "ana")
            payload.message(11) { introduction in
                introduction.bytes(1, identity.publicKey)
                introduction.string(2, "a newer one")
            }
        }
    }

    /// Without a feature: an original time, keys of elements, a reference to an app's entity, and an attachment.
    private var readable: [UInt8] {
        let attachment = Self.message { value in
            value.varint(1, 3)
            value.bytes(2, Array(SHA256.hash(data: Data([0, 1, 2, 3]))))
            value.string(3, "image/png")
        }
        let reference = [0x9C, 0x40] + Samples.id.bytes + Self.namespace
        return Self.message { payload in
            payload.string(1, "ana")
            payload.message(15) { event in
                event.varint(1, 1)
                event.varint(2, 1)
                event.bytes(3, trip.bytes)
                for (field, key, value) in [
                    (1, [], Array("Lisbon".utf8)), (900, [1, 2], [7]), (900, [1, 3], [8]), (901, [], reference),
                    (902, [], attachment),
                ] as [(UInt64, [UInt8], [UInt8])] {
                    event.message(4) { change in
                        change.varint(1, field)
                        if !key.isEmpty { change.bytes(2, key) }
                        change.bytes(3, value)
                    }
                }
                event.fixed64(7, Self.originalTime.rawValue)
            }
        }
    }

    /// A payload with each leaf encrypted by itself.
    private func sealed(sequence: UInt64, _ payload: Payload) throws -> [UInt8] {
        let keys = SymmetricKey(data: [UInt8](repeating: 5, count: 32))
        let fields = payload.encoded()
        var parts: [[UInt8]] = []
        fields.withUnsafeBytes { fields in
            var leaves = PayloadLeaves(fields)
            var start = 0
            while let end = leaves.next() {
                parts.append([UInt8](fields[start..<end]))
                start = end
            }
        }
        var ciphers: [[UInt8]] = []
        try Self.salt(sequence).withUnsafeBytes { salt in
            var salts = LeafSalts(of: salt)
            for (number, part) in parts.enumerated() {
                let leafSalt = salts.next().withBytes { [UInt8]($0) }
                let key = HKDF<SHA256>.deriveKey(
                    inputKeyMaterial: keys, salt: leafSalt, info: Array("TripStore sealed v1".utf8),
                    outputByteCount: 32)
                let bound =
                    journal.bytes + identity.id.bytes + sequence.bigEndianBytes + UInt32(number).bigEndianBytes
                let box = try ChaChaPoly.seal(
                    part, using: key, nonce: ChaChaPoly.Nonce(data: [UInt8](repeating: 0, count: 12)),
                    authenticating: bound)
                ciphers.append(Array(box.ciphertext + box.tag))
            }
        }
        return Self.message { payload in
            payload.bytes(1, [UInt8](repeating: 6, count: 16))
            payload.bytes(2, ciphers[0])
            for cipher in ciphers.dropFirst() { payload.bytes(15, cipher) }
        }
    }

    private static func salt(_ sequence: UInt64) -> [UInt8] { [UInt8](repeating: UInt8(sequence), count: 16) }

    private mutating func add(_ payload: [UInt8], features: UInt32 = 0) throws {
        let sequence = UInt64(commits.count + 1)
        let salt = Self.salt(sequence)
        let hash = salt.withUnsafeBytes { salt in payload.withUnsafeBytes { PayloadHash.of($0, salt: salt) } }
        let known = CommitHeader(
            journal: journal, replica: identity.id, sequence: SequenceNumber(sequence),
            timestamp: Timestamp(milliseconds: 1_600_000_000_000 + sequence), wallClock: nil, schema: 2,
            payloadHash: hash, features: features)
        let header = known.encoded() + Self.message { $0.bytes(11, Array("a field to come".utf8)) }
        last = header.withUnsafeBytes { CommitView.hash($0, after: last) }
        commits.append(
            Self.message { commit in
                commit.bytes(1, header)
                commit.bytes(2, salt)
                commit.bytes(3, payload)
            })
    }

    /// The whole line, without the second event of its sixth commit, which its author erased.
    func segment() throws -> LineSegment {
        var commits = commits
        let whole = try segment(commits)
        let sixth = whole.commitIDs()[5]
        let leaves = ErasedLeaves.some(LeafSet([2]))
        commits[5] = try commits[5].withUnsafeBytes { try CommitView($0).without(leaves) }
        let statement = Self.message { statement in
            statement.bytes(1, journal.bytes)
            statement.bytes(2, sixth.replica.bytes)
            statement.varint(3, sixth.sequence.rawValue)
            statement.bytes(4, sixth.hash.bytes)
            statement.bytes(5, identity.publicKey)
            statement.signed(6, 1_700_000_000_000)
            statement.bytes(7, leaves.encodedSet)
            statement.bytes(12, Array("why, say".utf8))
        }
        let signature = try identity.sign(Erasure.domain + statement)
        let erasure = Self.message { message in
            message.bytes(1, statement)
            message.bytes(2, signature)
        }
        return try segment(commits, erasures: [erasure])
    }

    private func segment(_ commits: [[UInt8]], erasures: [[UInt8]] = []) throws -> LineSegment {
        let message = LineSignature.message(
            journal: journal, replica: identity.id, sequence: SequenceNumber(UInt64(commits.count)), hash: last)
        return LineSegment(
            journal: journal, replica: identity.id, first: SequenceNumber(1), previous: .zero, commits: commits,
            signature: try identity.sign(message), erasures: erasures)
    }
}

extension ErasedLeaves {
    fileprivate var encodedSet: [UInt8] { if case .some(let leaves) = self { leaves.encoded() } else { [] } }
}

/// Tests how the format may grow.
@Suite("A writer to come, which uses all that is reserved")
struct ReservedPartsTests {
    @Test("Its line is stored, verified, shown as far as it is understood, and forwarded byte for byte by bundle")
    func allTogether() async throws {
        let journal = JournalID(UUID())
        let line = try LineToCome(journal)
        let segment = try line.segment()
        let folders = [TemporaryFolder(), TemporaryFolder()]
        var stores: [TripStore] = []
        for (index, folder) in folders.enumerated() {
            stores.append(
                try await TripStore.test(
                    journal: journal, clock: ManualClock(seed: UInt64(index)),
                    at: folder.url.appendingPathComponent("s")))
        }
        try await stores[0].store(segment)
        let bundle = folders[0].url.appendingPathComponent("handed.bundle")
        try await stores[0].write(bundle: bundle)
        try await stores[1].exchange(with: .bundle(bundle))
        for (store, folder) in zip(stores, folders) {
            try await store.catchUp()
            #expect(try await store.log.allSegments(of: line.identity.id) == [segment])
            let trip = try #require(try store.trip(Trip.ID(line.trip)))
            #expect(trip.name == "Lisbon")
            #expect(trip.createdAt == Date(timeIntervalSince1970: 1_500_000_000))
            #expect(try store.status().trips == 1)
            try store.log.read { log in
                var kinds: [UInt16] = []
                try log.forEachCommit(after: .start) { commit in
                    _ = commit.forEachEvent { event, _ in kinds.append(event.entity.kind.rawValue) }
                    return true
                }
                // Of the sixth commit the event that was not erased; of those with features nothing.
                #expect(kinds == [1, 40_002])
            }
            #expect(try LogVerifier.verify(EnvironmentRows(at: folder.path("s/log"))).findings == [])
            try await store.expectInvariants()
        }
    }

    @Test(
        "A verifier written from the document alone finds nothing wrong with it",
        .enabled(
            if: Program.succeeds("python3", "-c", "import lmdb, cryptography.hazmat.primitives.asymmetric.ed25519")))
    func independently() async throws {
        let folder = TemporaryFolder()
        let journal = JournalID(UUID())
        do {
            let log = try Log.open(
                at: folder.path("log"), keyPath: folder.path("replica.key"),
                options: Log.Options(
                    journal: journal, environment: Environment.Options(durability: .unsynced, mapSize: 1 << 30),
                    dependencies: ManualClock(seed: 1).dependencies))
            try await log.store(LineToCome(journal).segment())
        }
        let output = try #require(try Program.run("python3", ["-B", SourceFile.verifier, folder.path("log")]))
        #expect(output.code == 0, "\(output.text)\(output.complaint)")
        #expect(output.text == "ok 7 commits 2 events 1 lines 1 events and 0 commits erased\n")
    }
}
