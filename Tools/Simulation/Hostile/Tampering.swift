import EventLog
import Events
import LogExchange
import TripStoreTestSupport

/// What a hostile carrier does to stretches that honest replicas send each other.
public enum Tampering: String, Sendable, Hashable, CaseIterable {
    /// Takes salt and payload out of commits, or keeps back why something of them is missing.
    case strip
    /// Takes one leaf out of payloads, with its hash left as after an erasure.
    case hole
    /// Adds a field that nobody knows to commits, where no hash covers it.
    case pad
    /// Lets two commits of a stretch change places.
    case swap
    /// Leaves out the last commit of stretches.
    case shorten
    /// Flips a bit of commits.
    case flip
    /// Flips a bit of signatures.
    case flipSignature
    /// Says that stretches begin one commit further on.
    case renumber
    /// Says that stretches follow another commit.
    case relink
    /// Sends the stretches in another order.
    case reorder
    /// Sends stretches several times.
    case replay
    /// Leaves out stretches.
    case withhold

    /// Whether what it makes is never right, so that the other has to refuse it.
    var isRefused: Bool { ![.reorder, .replay, .withhold].contains(self) }

    /// The stretches as they are delivered, and how many were changed, moved, repeated or left out.
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

    /// Nil if there is nothing in the stretch to change.
    private func change(_ segment: LineSegment, _ random: inout SeededRandom) -> LineSegment? {
        var commits = segment.commits
        guard let place = commits.indices.randomElement(using: &random) else { return nil }
        switch self {
        case .strip, .hole, .pad:
            guard let parts = CommitParts(commits[place]) else {
                // What of a commit was erased: its statement is kept back.
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
    /// The stretch with some of it replaced.
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
