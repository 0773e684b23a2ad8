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
    /// How many commits can come.
    let expected: Int

    init(journal: JournalID, wanted: [CommitID], held: [CommitID]) {
        self.journal = journal
        var newest: [ReplicaID: SequenceNumber] = [:]
        for commit in held { newest[commit.replica] = max(newest[commit.replica] ?? .start, commit.sequence) }
        var expected = 0
        // A stretch or two in any case: it may begin before what is lacking.
        var tolerated = 2 * LineSegment.largestCommitCount
        for commit in wanted {
            announced[commit.replica] = max(announced[commit.replica] ?? .start, commit.sequence)
            let held = Int(clamping: newest[commit.replica]?.rawValue ?? 0)
            expected = expected.addingUpTo(max(Int(clamping: commit.sequence.rawValue) - held, 1))
            tolerated = tolerated.addingUpTo(held)
        }
        self.expected = expected
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

    /// Takes note of commits that came and were held already. Throws `ExchangeError.unannounced` if they are too many.
    mutating func noteHeld(_ commits: Int) throws {
        tolerated -= commits
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
        // Signatures and the like count too, so that stretches without much in them do not pile up.
        bytes += segment.byteCount + 1024
    }

    mutating func take() -> [LineSegment] {
        defer { (segments, bytes) = ([], 0) }
        return segments
    }

    mutating func note(_ stored: Stored, of segments: [LineSegment]) throws {
        try guardian.noteHeld(segments.reduce(0) { $0 + $1.commits.count } - stored.commits)
    }
}
