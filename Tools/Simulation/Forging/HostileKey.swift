import Crypto
import EventLog
import Events
import Foundation
import TripStoreTestSupport

/// The key pair of a hostile writer, which signs whatever it is given.
struct HostileKey {
    private let key: Curve25519.Signing.PrivateKey
    let publicKey: [UInt8]
    let replica: ReplicaID

    init(_ random: inout SeededRandom) throws {
        key = try Curve25519.Signing.PrivateKey(rawRepresentation: random.bytes(32))
        publicKey = Array(key.publicKey.rawRepresentation)
        replica = ReplicaID(publicKey: publicKey)
    }

    /// The signature that makes a commit, and all before it on its line, the replica's.
    func signature(of commit: ForgedCommit, in journal: JournalID) throws -> [UInt8] {
        let message = LineSignature.message(
            journal: journal, replica: replica, sequence: SequenceNumber(commit.sequence), hash: commit.hash)
        return Array(try key.signature(for: message))
    }
}

extension SeededRandom {
    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
    }

    /// True once in so many times.
    mutating func once(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
