import EventLog
import Events
import LogExchange
import TripStoreTestSupport

/// What a hostile carrier does to segments between honest replicas.
public enum Tampering: String, Sendable, Hashable, CaseIterable {
    /// Removes salt and payload from commits, or withholds why something of them is missing.
    case strip
    /// Removes one leaf from payloads, leaving its hash as after an erasure.
    case hole
    /// Adds an unknown field to commits, where no hash covers it.
    case pad
    /// Swaps two commits of a segment.
    case swap
    /// Leaves out the last commit of segments.
    case shorten
    /// Flips a bit of commits.
    case flip
    /// Flips a bit of signatures.
    case flipSignature
    /// Claims that segments begin one commit later.
    case renumber
    /// Claims that segments follow another commit.
    case relink
    /// Sends the segments in another order.
    case reorder
    /// Sends segments several times.
    case replay
    /// Leaves out segments.
    case withhold

    /// Whether the result is never valid, so that the other has to refuse it.
    var isRefused: Bool { ![.reorder, .replay, .withhold].contains(self) }

    /// The delivered segments, and how many were changed, moved, repeated or left out.
    func apply(to segments: [LineSegment], _ random: inout SeededRandom) -> (segments: [LineSegment], altered: Int) {
        switch self {
        case .reorder:
            let shuffled = segments.shuffled(using: &random)
            return (shuffled, zip(segments, shuffled).count { $0 != $1 })
        case .replay:
            let repeated = segments.flatMap { segment in
                [LineSegment](repeating: segment, count: Int.random(in: 1...4, using: &random))
            }
            return (repeated, repeated.count - segments.count)
        case .withhold:
            let kept = segments.filter { _ in !random.once(in: 3) }
            return (kept, segments.count - kept.count)
        default:
            var altered = 0
            let changed = segments.map { segment in
                guard random.once(in: 2), let changed = change(segment, &random) else { return segment }
                altered += 1
                return changed
            }
            return (changed, altered)
        }
    }

    /// Nil if there is nothing in the segment to change.
    private func change(_ segment: LineSegment, _ random: inout SeededRandom) -> LineSegment? {
        var commits = segment.commits
        guard let place = commits.indices.randomElement(using: &random) else { return nil }
        switch self {
        case .strip, .hole, .pad:
            guard let parts = CommitParts(commits[place]) else {
                // For an erased commit: its statement is withheld.
                return self == .strip && !segment.erasures.isEmpty ? segment.with(erasures: []) : nil
            }
            commits[place] =
                switch self {
                case .strip: parts.erased
                case .hole: parts.holed(at: Int.random(in: 0..<64, using: &random))
                default: parts.padded(field: UInt32.random(in: 4...2000, using: &random), atEnd: random.once(in: 2))
                }
        case .swap:
            guard commits.count > 1 else { return nil }
            commits.swapAt(place, place == 0 ? 1 : place - 1)
        case .shorten:
            guard commits.count > 1 else { return nil }
            commits.removeLast()
        case .flip:
            let bit = Int.random(in: 0..<commits[place].count * 8, using: &random)
            commits[place][bit / 8] ^= 1 << UInt8(bit % 8)
        case .flipSignature:
            var signature = segment.signature
            signature[Int.random(in: 0..<64, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            return segment.with(signature: signature)
        case .renumber: return segment.with(first: SequenceNumber(segment.first.rawValue + 1))
        case .relink: return segment.with(previous: random.bytes(32).withUnsafeBytes { Digest($0) } ?? .zero)
        case .reorder, .replay, .withhold: return nil
        }
        return segment.with(commits: commits)
    }
}

extension LineSegment {
    /// The segment with some of it replaced.
    func with(
        first: SequenceNumber? = nil, previous: Digest? = nil, commits: [[UInt8]]? = nil, signature: [UInt8]? = nil,
        erasures: [[UInt8]]? = nil
    ) -> LineSegment {
        LineSegment(
            journal: journal, replica: replica, first: first ?? self.first, previous: previous ?? self.previous,
            commits: commits ?? self.commits, signature: signature ?? self.signature,
            erasures: erasures ?? self.erasures)
    }
}
