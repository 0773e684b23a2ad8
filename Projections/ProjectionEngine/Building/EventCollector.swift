import Dispatch
import EventLog
import Events
import Synchronization

/// Reads a log for a rebuild: collects its commits, and references to their events sorted by entity.
///
/// Two threads read the payloads, each half of the bytes.
struct EventCollector {
    private(set) var sources: CommitSources
    /// In the order of the commits.
    private var runs: [ReferenceRuns] = []
    private(set) var commits = 0
    private(set) var checkpoint = Checkpoint.start
    /// The update that is needed to read all of the commits.
    private(set) var neededUpdate: NeededUpdate?
    private let folder: String
    /// The payloads without what is hidden of them, each with the set of leaves that it lacks.
    private var copies: ScratchFile?
    private var copied: [(commit: Int, payload: Range<Int>, leaves: Range<Int>)] = []

    var eventCount: Int { runs.reduce(0) { $0 + $1.count } }

    /// `folder` is for scratch files.
    init(folder: String) {
        self.folder = folder
        sources = CommitSources(after: .start)
    }

    /// Reads up to a position, only commits that a horizon includes. The result is valid as long as the snapshot.
    mutating func collect(
        _ log: borrowing LogSnapshot, upTo end: Position, within horizon: Horizon?, _ cancellation: CancellationFlag,
        _ progress: (BuildProgress) -> Void
    ) throws {
        let total = try min(log.lastPosition(), end)
        let rewrites = try log.rewriteCount()
        progress(BuildProgress(stage: .reading, done: 0, total: total.rawValue))
        try log.forEachCommit(after: .start, upTo: end) { commit in
            checkpoint = Checkpoint(position: commit.position, hash: commit.hash, rewrites: rewrites)
            guard horizon?.includes(commit.position, commit.header.timestamp) ?? true else { return true }
            try cancellation.check()
            commits += 1
            if let needed = commit.neededUpdate { neededUpdate = neededUpdate?.adding(needed) ?? needed }
            if commits % 4096 == 0 {
                progress(BuildProgress(stage: .reading, done: commit.position.rawValue, total: total.rawValue))
            }
            if commit.isCopy { try copy(commit) }
            sources.append(commit)
            return true
        }
        if let contents = try copies?.contents() {
            for (commit, payload, leaves) in copied {
                sources.move(commit, to: contents.part(payload), without: leaves.isEmpty ? nil : contents.part(leaves))
            }
        }
        try readPayloads(cancellation)
    }

    /// Keeps what the log has made of a commit. Of many commits of which something is hidden, memory may not have room.
    private mutating func copy(_ commit: StoredCommit) throws {
        guard let payload = commit.countingPayload else { return }
        let file = if let copies { copies } else { try ScratchFile(in: folder) }
        copies = file
        let leaves = commit.view.erasedLeaves ?? UnsafeRawBufferPointer(start: nil, count: 0)
        copied.append((sources.count, try file.append(payload), try file.append(leaves)))
    }

    private mutating func readPayloads(_ cancellation: CancellationFlag) throws {
        let halves = halves()
        runs = halves.map { _ in ReferenceRuns(folder: folder) }
        let failure = Mutex<(any Error)?>(nil)
        let (sources, runs) = (sources, runs)
        DispatchQueue.concurrentPerform(iterations: halves.count) { half in
            do {
                var found: [EventReference] = []
                for commit in halves[half] {
                    try cancellation.check()
                    try Self.read(sources, commit, &found, into: runs[half])
                }
                runs[half].finish()
            } catch {
                failure.withLock { $0 = error }
            }
        }
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    /// The commits in two ranges of about the same number of bytes; in one range if the log is small.
    private func halves() -> [Range<Int>] {
        guard sources.payloadSize > 1 << 20, sources.count > 1 else { return [0..<sources.count] }
        var size = 0
        var middle = 0
        while size < sources.payloadSize / 2 {
            size += sources.payload(middle).count
            middle += 1
        }
        return [0..<middle, middle..<sources.count]
    }

    /// Adds references to the events of a payload if it is well-formed as a whole; otherwise it counts as one without
    /// events.
    ///
    /// `found` is a buffer for reuse.
    private static func read(
        _ sources: CommitSources, _ commit: Int, _ found: inout [EventReference], into runs: ReferenceRuns
    ) throws {
        let payload = sources.payload(commit)
        guard !payload.isEmpty else { return }
        found.removeAll(keepingCapacity: true)
        let isWellFormed = sources.view(commit).readEvents { event, index in
            found.append(EventReference(event, index: index, commit: commit, payload: payload))
        }
        guard isWellFormed else { return }
        for reference in found { try runs.append(reference) }
    }

    /// All references by entity, and within an entity in the order of arrival; valid as long as this collector.
    func merged() throws -> ReferenceMerge { ReferenceMerge(try runs.flatMap { try $0.runs() }) }
}
