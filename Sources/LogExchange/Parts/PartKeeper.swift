import EventLog
import Events
import Foundation

/// Keeps aside what one peer sends of segments and contents until they are whole, and finds what any peer has sent of a segment.
///
/// Commits are kept whole, after they were checked against chain and payload hash: as their hashes name all before them, they are continued
/// from any peer that holds the last one. Commits of which bytes were erased, and pieces of a commit or of a content, are continued from the
/// same peer.
struct PartKeeper: Sendable {
    /// The most prefixes of segments that are looked at, and those of one peer.
    private static let (mostRuns, mostRunsOfPeer) = (16, 4)

    let folder: PartFolder
    /// Names the peer.
    let owner: String
    let log: Log
    let journal: JournalID
    /// Names peers that are not told apart.
    static let beginners = "beginning"
    private var isShared: Bool { owner == Self.beginners }

    /// What the peer need not send.
    func held() -> HeldParts {
        var held = HeldParts()
        let entries = folder.entries()
        for entry in entries where entry.file.owner == owner && held.pieces.count < HeldParts.most {
            if let digest = Self.digest(entry.file) { held.pieces[digest] = entry.size }
        }
        let runs = runs(in: entries)
        for run in runs where isBased(run, runs) { if let last = run.names.last { held.commits.insert(last) } }
        return held
    }

    // MARK: Pieces

    private static let piecePrefix = "piece-"

    func piece(_ digest: Digest) -> PartFolder.File {
        PartFolder.File(owner: owner, name: "\(Self.piecePrefix)\(digest)")
    }

    /// How many bytes of a piece are kept.
    func count(_ digest: Digest) -> Int { folder.size(piece(digest)) }

    private static func digest(_ file: PartFolder.File) -> Digest? {
        file.name.hasPrefix(piecePrefix) ? Digest(String(file.name.dropFirst(piecePrefix.count))) : nil
    }

    // MARK: Commits

    /// The file for commits of a segment from one on.
    func run(of replica: ReplicaID, from first: SequenceNumber, after previous: Digest) -> PartFolder.File {
        PartFolder.File(owner: owner, name: "\(KeptRun.prefix(journal))\(replica)-\(first)-\(previous)")
    }

    /// The bytes of the files with commits of a replica before one: what `prefix` reads at most.
    func size(of replica: ReplicaID, before sequence: SequenceNumber) -> Int {
        let sizes = folder.entries().lazy.filter { entry in
            KeptRun.Name(entry.file, journal).map { $0.replica == replica && $0.first < sequence } ?? false
        }.map(\.size)
        return min(sizes.reduce(0, +), LineSegment.largestMessage)
    }

    private func runs(in entries: [PartFolder.Entry], of replica: ReplicaID? = nil) -> [KeptRun] {
        var found: [KeptRun] = []
        var counts: [String: Int] = [:]
        let own = entries.filter { $0.file.owner == owner } + entries.filter { $0.file.owner != owner }
        for entry in own where found.count < Self.mostRuns && counts[entry.file.owner, default: 0] < Self.mostRunsOfPeer
        {
            guard let name = KeptRun.Name(entry.file, journal), replica.map({ $0 == name.replica }) ?? true,
                let run = KeptRun(entry.file, name, folder), run.isComplete || entry.file.owner == owner && !isShared
            else { continue }
            counts[entry.file.owner, default: 0] += 1
            found.append(run)
        }
        return found
    }

    /// Whether it follows a commit of the log, or others that do.
    private func isBased(_ run: KeptRun, _ runs: [KeptRun]) -> Bool {
        var run = run
        for _ in runs {
            guard let before = run.before else { return true }
            if (try? log.read { try $0.holds(before, in: journal) }) == true { return true }
            guard let earlier = runs.first(where: { $0.names.contains(before) }) else { return false }
            run = earlier
        }
        return false
    }

    /// The beginning of a segment, as it is kept.
    struct Prefix {
        /// The hash of the commit before it.
        var previous: Digest
        var commits: [[UInt8]] = []
        var erasures: [[UInt8]] = []
        /// The files that it is in, and the last commit in each.
        var files: [(file: PartFolder.File, last: SequenceNumber)] = []
        /// The peer's own file, and its size, if further commits continue it.
        var continued: (file: PartFolder.File, size: Int)?
    }

    /// The commits from a number on, up to a commit; nil if they are not kept any more.
    func prefix(from start: SequenceNumber, to end: CommitID) -> Prefix? {
        var left = runs(in: folder.entries(), of: end.replica)
        var (prefix, goal, bytes) = (Prefix(previous: .zero), end, 0)
        while let index = left.firstIndex(where: { $0.names.contains(goal) }) {
            let run = left.remove(at: index)
            let first = max(start, run.name.first)
            guard first <= goal.sequence, let part = run.part(first...goal.sequence, folder) else { return nil }
            bytes += (part.commits + part.erasures).reduce(0) { $0 + $1.count }
            guard bytes <= LineSegment.largestMessage else { return nil }
            prefix.commits = part.commits + prefix.commits
            prefix.erasures = part.erasures + prefix.erasures
            if let last = run.names.last {
                prefix.files.append((run.file, last.sequence))
                if last == end, run.file.owner == owner { prefix.continued = (run.file, run.size) }
            }
            guard
                let before = run.name.first < start ? run.names.first(where: { $0.sequence.next == start }) : run.before
            else { return run.name.first == start ? prefix : nil }
            prefix.previous = before.hash
            if run.name.first <= start { return prefix }
            goal = before
        }
        return nil
    }
}
