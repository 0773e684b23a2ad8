import LogExchange
import TripStoreTestSupport

@testable import EventLog
@testable import Events

/// What a hostile carrier does to segments between honest replicas.
public enum Tampering: String, Sendable, Hashable, CaseIterable {
    /// Removes salt and payload from commits, or withholds why something of them is missing.
    case strip
    /// Removes one leaf from payloads, leaving its hash as after an erasure.
    case hole
    /// Removes payloads of commits, of some or all, each under an erasure by a key that counts for nobody. Refused in an open journal, where
    /// the author alone erases; in a founded one the bytes are missing until another replica sends them.
    case conceal
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
        case .conceal:
            let concealed = segments.map { $0.concealed(&random) }
            return (zip(segments, concealed).map { $1 ?? $0 }, concealed.count { $0 != nil })
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
        case .conceal, .reorder, .replay, .withhold: return nil
        }
        return segment.with(commits: commits)
    }
}

extension LineSegment {
    /// The segment without the payloads of all commits that may be erased, or of half of them; nil if there is none.
    fileprivate func concealed(_ random: inout SeededRandom) -> LineSegment? {
        // One key for all: a replica keeps an erasure that it knows once.
        var fixed = SeededRandom(seed: 0xC0CEA1)
        guard let key = try? HostileKey(&fixed) else { return nil }
        let isWhole = random.once(in: 2)
        var (commits, erasures) = (commits, erasures)
        for (place, name) in commitIDs().enumerated() where name.sequence.rawValue > 1 {
            // Always the same half: what is requested again does not come either.
            guard isWhole || name.hash.bytes[0] < 128, let parts = CommitParts(commits[place]), parts.isErasable,
                let erasure = try? key.erasure(of: name, leaves: nil, in: journal, padding: 0)
            else { continue }
            commits[place] = parts.erased
            erasures.append(erasure)
        }
        return commits == self.commits ? nil : with(commits: commits, erasures: erasures)
    }

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
