import LogExchange
import TripStoreTestSupport

@testable import EventLog
@testable import Events

/// A line, and branches of it, that a hostile writer signs with a key of its own. All of it is valid.
///
/// It is sent in one order, the line first and then the branches as they were made: of more branches than are kept all
/// replicas keep the same then. In different orders they would permanently keep different ones.
final class HostileLine {
    /// A branch is one commit: the attack is the number of branches.
    private struct Branch {
        let commit: ForgedCommit
        let segment: LineSegment
    }

    let key: HostileKey
    private let journal: JournalID
    private var commits: [ForgedCommit] = []
    private var segments: [LineSegment] = []
    private var branches: [Branch] = []
    /// The commits with unreadable payloads: they are stored as commits without events, and a verification names them.
    private(set) var malformed: Set<Digest> = []

    /// The most branches of a replica that are kept.
    static let mostBranches = 64

    init(_ key: HostileKey, in journal: JournalID) {
        self.key = key
        self.journal = journal
    }

    var length: Int { commits.count }
    var branchCount: Int { branches.count }

    /// Everything, in the order in which it can be stored.
    var all: [LineSegment] { segments + branches.map(\.segment) }

    /// What every replica keeps of it that received all of it.
    var kept: [Digest] { commits.map(\.hash) + branches.prefix(Self.mostBranches).map(\.commit.hash) }

    /// What no replica keeps that received the rest first.
    var refused: [Digest] { branches.dropFirst(Self.mostBranches).map(\.commit.hash) }

    /// The newest commits of the line and its branches.
    var heads: [CommitID] {
        ([commits.last].compactMap { $0 } + branches.map(\.commit)).map {
            CommitID(replica: key.replica, sequence: SequenceNumber($0.sequence), hash: $0.hash)
        }
    }

    /// The name of a commit of the line, by index from 0.
    func name(of place: Int) -> CommitID {
        let commit = commits[place]
        return CommitID(replica: key.replica, sequence: SequenceNumber(commit.sequence), hash: commit.hash)
    }

    /// Adds commits to the end of the line, in one segment. Their timestamps go up from `time`, or from the line's
    /// newest.
    func extend(_ payloads: [HostilePayload], at time: Timestamp, _ random: inout SeededRandom) throws {
        let start = commits.last
        var added: [ForgedCommit] = []
        for payload in payloads {
            let previous = added.last ?? start
            let timestamp = max(time, previous?.timestamp.successor ?? time)
            added.append(commit(payload, after: previous, at: timestamp, &random))
        }
        segments.append(try segment(added, after: start))
        commits += added
    }

    /// Forks the line behind one of its commits but the last, or before its first for 0.
    func fork(behind place: Int, _ payload: HostilePayload, at time: Timestamp, _ random: inout SeededRandom) throws {
        let parent = place > 0 && place <= commits.count ? commits[place - 1] : nil
        let timestamp = max(time, parent?.timestamp.successor ?? time)
        let forged = commit(payload, after: parent, at: timestamp, &random)
        branches.append(Branch(commit: forged, segment: try segment([forged], after: parent)))
    }

    /// Forks the line into two commits that have the same timestamp, and hashes that begin alike.
    func tie(
        behind place: Int, _ payloads: (HostilePayload, HostilePayload), at time: Timestamp,
        _ random: inout SeededRandom
    ) throws {
        let parent = place > 0 && place <= commits.count ? commits[place - 1] : nil
        let timestamp = max(time, parent?.timestamp.successor ?? time)
        let one = commit(payloads.0, after: parent, at: timestamp, &random)
        let other = ForgedCommit(
            grinding: header(payloads.1, after: parent, at: timestamp),
            payload: payloads.1.bytes(introducing: parent == nil ? key : nil), salt: random.bytes(16),
            after: parent?.hash ?? .zero, towards: one.hash)
        for forged in [one, other] {
            branches.append(Branch(commit: forged, segment: try segment([forged], after: parent)))
        }
    }

    // MARK: Making

    private func header(_ payload: HostilePayload, after previous: ForgedCommit?, at time: Timestamp)
        -> ForgedCommit.Header
    {
        ForgedCommit.Header(
            journal: journal, replica: key.replica, sequence: (previous?.sequence ?? 0) + 1, timestamp: time,
            // The first commit of a line has none: without its introduction no signature could be checked.
            features: previous == nil ? 0 : payload.features)
    }

    private func commit(
        _ payload: HostilePayload, after previous: ForgedCommit?, at time: Timestamp, _ random: inout SeededRandom
    ) -> ForgedCommit {
        let forged = ForgedCommit(
            header(payload, after: previous, at: time),
            payload: payload.bytes(introducing: previous == nil ? key : nil), salt: random.bytes(16),
            after: previous?.hash ?? .zero)
        if previous != nil && payload.isMalformed { malformed.insert(forged.hash) }
        return forged
    }

    private func segment(_ commits: [ForgedCommit], after previous: ForgedCommit?) throws -> LineSegment {
        try key.segment(commits, after: previous, in: journal)
    }
}

extension HostileKey {
    /// A segment signed at its end.
    func segment(_ commits: [ForgedCommit], after previous: ForgedCommit?, in journal: JournalID) throws -> LineSegment
    {
        LineSegment(
            journal: journal, replica: replica, first: SequenceNumber(commits.first?.sequence ?? 1),
            previous: previous?.hash ?? .zero, commits: commits.map(\.bytes),
            signature: try commits.last.map { try signature(of: $0, in: journal) } ?? [UInt8](repeating: 0, count: 64))
    }
}
