import LogExchange
import TripStoreTestSupport

@testable import EventLog
@testable import Events

/// Segments with one fault each, which every replica has to refuse.
public enum Forgery: String, Sendable, Hashable, CaseIterable {
    /// Signed with another key.
    case signature
    /// The introduction holds another key than that of the replica's id.
    case introducedKey
    /// Commit 1 has no introduction.
    case noIntroduction
    /// A number is skipped.
    case gap
    /// A timestamp is not later than the one before.
    case backInTime
    /// A timestamp from the year 6429 on.
    case timestamp
    /// The first commit is missing.
    case missingStart
    /// The header names another payload.
    case payloadHash
    /// A future format.
    case format
    /// More commits than are allowed between two signatures.
    case length
    /// The header is of another journal than the segment.
    case journal
    /// The key is a point of small order, under which a signature of anything is valid.
    case smallOrder

    /// A segment that begins a line, and the name of its last commit.
    func segment(
        in journal: JournalID, at time: Timestamp, _ random: inout SeededRandom
    ) throws -> (segment: LineSegment, head: CommitID) {
        let key = try HostileKey(&random)
        let other = try HostileKey(&random)
        let replica = self == .smallOrder ? ReplicaID(publicKey: Self.neutral) : key.replica
        var commits: [ForgedCommit] = []
        for number in 1...UInt64(self == .length ? 1025 : 3) {
            var payload = Payload(author: "eve")
            if number == 1 && self != .noIntroduction {
                payload.introduction = Payload.Introduction(publicKey: introduced(key, other), name: "eve's")
            }
            var header = ForgedCommit.Header(
                journal: journal, replica: replica, sequence: number,
                timestamp: Timestamp(rawValue: time.rawValue + number))
            if number == 2 { spoil(&header, after: commits) }
            commits.append(
                ForgedCommit(
                    header, payload: payload.encoded(), salt: random.bytes(16), after: commits.last?.hash ?? .zero))
        }
        guard let last = commits.last else { throw SimulationFault("nothing was forged") }
        let kept = self == .missingStart ? Array(commits.dropFirst()) : commits
        let signature =
            switch self {
            case .signature: try other.signature(of: last, in: journal)
            // The neutral point for R, and 0 for S: the equation holds for every message.
            case .smallOrder: Self.neutral + [UInt8](repeating: 0, count: 32)
            default: try key.signature(of: last, in: journal)
            }
        let segment = LineSegment(
            journal: journal, replica: replica, first: SequenceNumber(kept.first?.sequence ?? 1),
            previous: self == .missingStart ? commits[0].hash : .zero, commits: kept.map(\.bytes), signature: signature)
        return (segment, CommitID(replica: replica, sequence: SequenceNumber(last.sequence), hash: last.hash))
    }

    private func introduced(_ key: HostileKey, _ other: HostileKey) -> [UInt8] {
        switch self {
        case .introducedKey: other.publicKey
        case .smallOrder: Self.neutral
        default: key.publicKey
        }
    }

    private func spoil(_ header: inout ForgedCommit.Header, after commits: [ForgedCommit]) {
        switch self {
        case .gap: header.sequence += 1
        case .backInTime: header.timestamp = commits.last?.timestamp ?? .zero
        case .timestamp: header.timestamp = Timestamp(milliseconds: Timestamp.limit)
        case .payloadHash: header.payloadHash = .zero
        case .format: header.format = 2
        case .journal: header.journal = JournalID(Array(header.journal.bytes.reversed()).withUnsafeBytes { $0.uuid() })
        default: break
        }
    }

    /// The neutral point of the curve, encoded.
    private static let neutral: [UInt8] = [1] + [UInt8](repeating: 0, count: 31)
}
