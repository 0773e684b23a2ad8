import EventLog
import Events

/// Holds a stream of stretches against what the other announced, so that one which lies can neither send what was not
/// asked for nor go on without an end.
///
/// Towards a head numbers only grow, and no stretch begins beyond what was announced; the last may end beyond it, with the signature
/// that vouches for a head which is not signed itself: one at which a revocation cut a line. They go back where the way to another head
/// begins, which happens as often as there are heads. So whatever is announced, what comes again comes a few times, and all
/// else is either refused by the log or a commit that the replica really signed.
struct StreamGuard {
    /// How often a stretch may come once more for no reason: some carriers deliver twice.
    static let repetitions = 16

    private let journal: JournalID
    /// The newest number announced of each replica.
    private var announced: [ReplicaID: SequenceNumber] = [:]
    /// The last number that came of each replica.
    private var reached: [ReplicaID: SequenceNumber] = [:]
    /// How often the numbers of each replica may still go back.
    private var returns: [ReplicaID: Int] = [:]
    /// How many commits can come.
    let expected: Int

    /// `heads` are all that the other announced, and `wanted` those that are not held; `held` are the newest commits of all
    /// lines that are. Who cannot know of these, a bundle for everybody, say, sends all lines of a replica.
    init(journal: JournalID, heads: [CommitID], wanted: [CommitID], held: [CommitID]) {
        self.journal = journal
        let held = Dictionary(grouping: held, by: \.replica)
        let all = Dictionary(grouping: heads, by: \.replica)
        var expected = 0
        for (replica, heads) in Dictionary(grouping: wanted, by: \.replica) {
            let newest = held[replica]?.map(\.sequence).max() ?? .start
            announced[replica] = (heads + (all[replica] ?? [])).map(\.sequence).max()
            returns[replica] =
                max(heads.count, all[replica]?.count ?? 0) + (held[replica]?.count ?? 0) + Self.repetitions
            for head in heads {
                let lacking = head.sequence > newest ? head.sequence.rawValue - newest.rawValue : 1
                expected = expected.addingUpTo(Int(clamping: lacking))
            }
        }
        self.expected = expected
    }

    /// Takes note of a stretch. Throws `ExchangeError.unannounced` if it was not asked for.
    mutating func check(_ segment: LineSegment) throws {
        // Of numbers that go round the last is below the first.
        guard segment.journal == journal, let newest = announced[segment.replica], segment.first <= segment.last,
            segment.first <= newest, segment.last <= newest || segment.commits.count <= LineSegment.largestCommitCount
        else {
            throw ExchangeError(
                .unannounced,
                "The other sent commits \(segment.first) to \(segment.last) of replica \(segment.replica) in journal "
                    + "\(segment.journal), which it had not announced. What came before was kept.")
        }
        if let reached = reached[segment.replica], segment.first <= reached {
            let left = returns[segment.replica] ?? 0
            guard left > 0 else {
                throw ExchangeError(
                    .unannounced,
                    "The other sends commits \(segment.first) to \(segment.last) of replica \(segment.replica) again and "
                        + "again. What was new before was kept.")
            }
            returns[segment.replica] = left - 1
        }
        reached[segment.replica] = segment.last
    }
}

/// Stretches that came and are to be stored together.
struct GatheredSegments {
    /// How many bytes of stretches may come that are not taken in, before the stream is broken off: a few of the largest. Each stretch
    /// counts as 1 KiB more.
    static let mostPassedOver = 64 << 20

    private var guardian: StreamGuard
    private var segments: [LineSegment] = []
    private(set) var bytes = 0
    /// Replicas of which something came that is not right: what follows it cannot be, and is passed over.
    private var spoiled: Set<ReplicaID> = []
    /// Why the first of them is not right.
    private(set) var fault: (any Error)?
    /// Bytes that came and were not taken in, by replica.
    private(set) var passedOver: [ReplicaID: Int] = [:]
    private let mostPassedOver: Int

    init(_ guardian: StreamGuard, mostPassedOver: Int = Self.mostPassedOver) {
        self.guardian = guardian
        self.mostPassedOver = mostPassedOver
    }

    /// Whether so much came in vain that the stream is to be broken off: its numbers may grow for ever.
    var isExhausted: Bool { passedOver.values.reduce(0) { $0.addingUpTo($1) } > mostPassedOver }

    /// Takes note of bytes that were not taken in.
    mutating func passOver(_ bytes: Int, of replica: ReplicaID) {
        passedOver[replica] = (passedOver[replica] ?? 0).addingUpTo(bytes)
    }

    mutating func add(_ segment: LineSegment) throws {
        try guardian.check(segment)
        guard !spoiled.contains(segment.replica) else { return passOver(segment.roughSize, of: segment.replica) }
        segments.append(segment)
        bytes += segment.roughSize
    }

    /// Replicas that have more branches than are kept: what follows one that was refused cannot be taken in either.
    private var overgrown: Set<ReplicaID> = []

    /// Takes note of why a stretch was not taken in. Of a replica that has too many branches the others go on; else what comes
    /// of the replica is passed over.
    mutating func refuse(_ segment: LineSegment, _ error: any Error) {
        let replica = segment.replica
        passOver(segment.roughSize, of: replica)
        let code = (error as? EventLogError)?.code ?? ((error as? ExchangeError)?.cause as? EventLogError)?.code
        if code == .tooManyBranches { overgrown.insert(replica) }
        if code == .tooManyBranches || code == .missingStart && overgrown.contains(replica) {
            fault = fault ?? error
        } else {
            spoil(replica, error)
        }
    }

    func isSpoiled(_ replica: ReplicaID) -> Bool { spoiled.contains(replica) }

    /// Takes note that a stretch is not right. The other replicas' go on.
    private mutating func spoil(_ replica: ReplicaID, _ error: any Error) {
        spoiled.insert(replica)
        fault = fault ?? error
    }

    mutating func take() -> [LineSegment] {
        defer { (segments, bytes) = ([], 0) }
        return segments
    }
}

extension LineSegment {
    /// Its bytes, signature and the like included, so that stretches without much in them do not pile up.
    var roughSize: Int { byteCount + erasures.reduce(1024) { $0 + $1.count } }
}
