import EventLog
import Events

/// Holds a stream of stretches against what the other announced, so that one which lies can neither send what was not
/// asked for nor go on without an end.
struct StreamGuard {
    private let journal: JournalID
    /// The newest number announced of each replica.
    private var announced: [ReplicaID: SequenceNumber] = [:]
    /// How many commits may come again that are held: where branches meet, a part of what is here.
    private var tolerated: Int
    /// How many may come that are not held: what lies on the ways to all that was announced.
    private var allowed: Int
    /// How many commits can come.
    let expected: Int

    init(journal: JournalID, wanted: [CommitID], held: [CommitID]) {
        self.journal = journal
        var newest: [ReplicaID: SequenceNumber] = [:]
        var onAllLines: [ReplicaID: Int] = [:]
        for commit in held {
            newest[commit.replica] = max(newest[commit.replica] ?? .start, commit.sequence)
            onAllLines[commit.replica, default: 0] = (onAllLines[commit.replica] ?? 0)
                .addingUpTo(Int(clamping: commit.sequence.rawValue))
        }
        var (expected, allowed) = (0, 0)
        // A stretch or two in any case: it may begin before what is lacking.
        var tolerated = 2 * LineSegment.largestCommitCount
        for commit in wanted {
            announced[commit.replica] = max(announced[commit.replica] ?? .start, commit.sequence)
            let held = Int(clamping: newest[commit.replica]?.rawValue ?? 0)
            expected = expected.addingUpTo(max(Int(clamping: commit.sequence.rawValue) - held, 1))
            allowed = allowed.addingUpTo(Int(clamping: commit.sequence.rawValue))
            // Who cannot know what is held, a bundle for everybody, say, sends all lines of a replica.
            tolerated = tolerated.addingUpTo(onAllLines[commit.replica] ?? 0)
        }
        self.expected = expected
        self.allowed = allowed
        self.tolerated = tolerated
    }

    /// Throws `ExchangeError.unannounced` if a stretch was not asked for.
    func check(_ segment: LineSegment) throws {
        guard segment.journal == journal, let newest = announced[segment.replica], segment.last <= newest else {
            throw ExchangeError(
                .unannounced,
                "The other sent commits \(segment.first) to \(segment.last) of replica \(segment.replica) in journal "
                    + "\(segment.journal), which it had not announced. What came before was kept.")
        }
    }

    /// Takes note of commits that came, some of which were held already. Throws `ExchangeError.unannounced` if they are
    /// too many.
    mutating func note(new: Int, held: Int) throws {
        allowed -= new
        guard allowed >= 0 else {
            throw ExchangeError(
                .unannounced, "The other sends more commits than it had announced. What came before was kept.")
        }
        tolerated -= held
        guard tolerated >= 0 else {
            throw ExchangeError(
                .unannounced, "The other sends again and again what is held here. What was new before was kept.")
        }
    }
}

/// Stretches that came and are to be stored together.
struct GatheredSegments {
    private var guardian: StreamGuard
    private var segments: [LineSegment] = []
    private(set) var bytes = 0

    init(_ guardian: StreamGuard) { self.guardian = guardian }

    mutating func add(_ segment: LineSegment) throws {
        try guardian.check(segment)
        segments.append(segment)
        bytes += segment.roughSize
    }

    mutating func take() -> [LineSegment] {
        defer { (segments, bytes) = ([], 0) }
        return segments
    }

    mutating func note(_ stored: Stored, of segments: [LineSegment]) throws {
        let came = segments.reduce(0) { $0 + $1.commits.count }
        try guardian.note(new: stored.commits, held: came - stored.commits)
    }
}

extension LineSegment {
    /// Its bytes, signature and the like included, so that stretches without much in them do not pile up.
    var roughSize: Int { byteCount + 1024 }
}
