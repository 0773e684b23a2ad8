import EventLog
import Events

/// Checks a stream of segments against what the peer announced, so that a lying peer can neither send unrequested
/// segments nor go on without an end.
///
/// - Towards a head, numbers only grow, and no segment begins beyond what was announced. The last may end beyond it, at
///   the signature that vouches for an unsigned head: one at which a revocation cut a line.
/// - A stream restarts at most once per head: numbers go back where the path to another head begins.
///
/// So whatever is announced, a segment repeats only a few times, and every other one is either refused by the log or
/// holds commits that the replica really signed.
struct StreamGuard {
    /// How often a segment may repeat without a reason: some carriers deliver twice.
    static let repetitions = 16

    private let journal: JournalID
    /// The newest announced number of each replica.
    private var announced: [ReplicaID: SequenceNumber] = [:]
    /// The last received number of each replica.
    private var reached: [ReplicaID: SequenceNumber] = [:]
    /// How often the numbers of each replica may still go back.
    private var returns: [ReplicaID: Int] = [:]
    /// How many commits can arrive.
    let expected: Int

    /// `heads` are all that the peer announced, and `wanted` those that are not held; `held` are the newest commits of
    /// all held lines. A peer that cannot know these, for example a bundle for any reader, sends all lines of a
    /// replica.
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

    /// Records a segment. Throws `ExchangeError.unannounced` if it was not requested.
    mutating func check(_ segment: LineSegment) throws {
        // If the numbers wrap around, the last is below the first.
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

/// Received segments that are to be stored together.
struct GatheredSegments {
    /// The most bytes of segments that may arrive without being stored, before the stream is ended: a few of the
    /// largest. Each segment counts as 1 KiB more.
    static let mostPassedOver = 64 << 20

    private var guardian: StreamGuard
    private var segments: [LineSegment] = []
    private(set) var bytes = 0
    /// Replicas with a faulty segment: the segments after it cannot be stored, and are skipped.
    private var spoiled: Set<ReplicaID> = []
    /// The first fault.
    private(set) var fault: (any Error)?
    /// Bytes that arrived and were not stored, by replica.
    private(set) var passedOver: [ReplicaID: Int] = [:]
    private let mostPassedOver: Int

    init(_ guardian: StreamGuard, mostPassedOver: Int = Self.mostPassedOver) {
        self.guardian = guardian
        self.mostPassedOver = mostPassedOver
    }

    /// Whether too much useless data arrived, so that the stream must be ended: its numbers could grow without an end.
    var isExhausted: Bool { passedOver.values.reduce(0) { $0.addingUpTo($1) } > mostPassedOver }

    /// Records bytes that were not stored.
    mutating func passOver(_ bytes: Int, of replica: ReplicaID) {
        passedOver[replica] = (passedOver[replica] ?? 0).addingUpTo(bytes)
    }

    mutating func add(_ segment: LineSegment) throws {
        try guardian.check(segment)
        guard !spoiled.contains(segment.replica) else { return passOver(segment.roughSize, of: segment.replica) }
        segments.append(segment)
        bytes += segment.roughSize
    }

    /// Replicas that have more branches than are kept: segments after a refused one cannot be stored either.
    private var overgrown: Set<ReplicaID> = []

    /// Records why a segment was not stored. If its replica has too many branches, the others continue; otherwise the
    /// replica's further segments are skipped.
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

    /// Records that a segment is faulty. Those of other replicas continue.
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
    /// Its bytes, signature and the like included, so that many nearly empty segments are bounded too.
    var roughSize: Int { byteCount + erasures.reduce(1024) { $0 + $1.count } }
}
