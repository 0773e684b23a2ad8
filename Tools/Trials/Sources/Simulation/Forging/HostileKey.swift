import Crypto
import Foundation
import TripStoreTestSupport

@testable import EventLog
@testable import Events

/// The key pair of a hostile writer, which signs anything.
struct HostileKey {
    private let key: Curve25519.Signing.PrivateKey
    let publicKey: [UInt8]
    let replica: ReplicaID

    init(_ random: inout SeededRandom) throws {
        key = try Curve25519.Signing.PrivateKey(rawRepresentation: random.bytes(32))
        publicKey = Array(key.publicKey.rawRepresentation)
        replica = ReplicaID(publicKey: publicKey)
    }

    /// The signature over a commit, and so over all before it on its line.
    func signature(of commit: ForgedCommit, in journal: JournalID) throws -> [UInt8] {
        let message = LineSignature.message(
            journal: journal, replica: replica, sequence: SequenceNumber(commit.sequence), hash: commit.hash)
        return Array(try key.signature(for: message))
    }
}

extension HostileKey {
    /// The message of a signed erasure of some leaves, or of all, with that many bytes of an unknown field.
    func erasure(of commit: CommitID, leaves: LeafSet?, in journal: JournalID, padding: Int) throws -> [UInt8] {
        var statement = WireWriter()
        statement.bytes(1, journal.bytes)
        statement.bytes(2, commit.replica.bytes)
        statement.varint(3, commit.sequence.rawValue)
        statement.bytes(4, commit.hash.bytes)
        statement.bytes(5, publicKey)
        if let leaves { statement.bytes(7, leaves.encoded()) }
        if padding > 0 { statement.bytes(100, [UInt8](repeating: 0, count: padding)) }
        let said = statement.finish()
        let domain = Array("TripStore erasure v1".utf8) + [UInt8](repeating: 0, count: 8)
        var message = WireWriter()
        message.bytes(1, said)
        message.bytes(2, Array(try key.signature(for: domain + said)))
        return message.finish()
    }
}

extension SeededRandom {
    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
    }

    /// True once in `count` times on average.
    mutating func once(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
