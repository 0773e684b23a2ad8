import EventLog
import Events
import LogExchange
import Synchronization

/// What became of the commits of a dump whose events are written anew, or would become.
package struct RewrittenDump: Sendable, Hashable {
    /// Commits that were written, and are durable.
    package fileprivate(set) var written = 0
    /// Their events.
    package fileprivate(set) var writtenEvents = 0
    /// Commits that were here before, as they are or written anew.
    package fileprivate(set) var held = 0
    /// Commits that have no events.
    package fileprivate(set) var withoutEvents = 0
    /// Commits that did not count where they were dumped.
    package fileprivate(set) var notCounting = 0
}

/// Writes the events of a dump's commits as commits of this replica: several are in flight at a time, and share a transaction and a sync.
///
/// Like a peer's commits they are not rejected for their meaning.
struct DumpRewriting {
    /// The most commits, and bytes of them, in flight.
    private static let mostUnderWay = 64
    private static let mostBytes = 16 << 20

    private let store: TripStore
    private let journal: JournalID
    private let ids: KnownAppends
    private let times: DumpTimes
    /// Those of commits that were passed to this.
    private var own: Set<AppendID> = []
    /// The names of writes that are in the log otherwise than this replica would write them, by the times that it would give them.
    private var held: [Timestamp: Seen] = [:]
    private var underWay: [(pending: PendingAppend, events: Int, bytes: Int)] = []
    private(set) var outcome = RewrittenDump()

    /// Throws what reading the log throws. O(commits of the log)
    init(_ store: TripStore, _ dump: DumpedEvents) throws {
        self.store = store
        journal = dump.header.journal
        // The new commits are not earlier than this: an event's original time counts if it is before its commit.
        times = dump.times(before: Timestamp(milliseconds: UInt64(max(0, store.log.ownDependencies.now()))))
        ids = try store.readLog { try KnownAppends($0) }
    }

    /// Takes the next commit in the order of the merge. With `isDryRun` nothing is written.
    ///
    /// Throws what a write throws; of a commit before it too.
    mutating func add(_ commit: DumpedCommit, isDryRun: Bool) async throws {
        guard !commit.events.isEmpty else {
            outcome.withoutEvents += 1
            return
        }
        guard commit.counts else {
            outcome.notCounting += 1
            return
        }
        let isNew = own.insert(commit.appendID).inserted
        let writer = ids.writer(of: commit.appendID)
        guard try isNew && writer == nil && !store.holds(commit.id, of: journal) else {
            outcome.held += 1
            if isNew { note(commit, by: writer) }
            return
        }
        guard !isDryRun else { return noteWritten(commit.events.count) }
        try await write(commit)
    }

    /// Notes how the writes of a commit that is here are named: as in the dump, or as the replica named them that wrote them anew.
    private mutating func note(_ commit: DumpedCommit, by writer: ReplicaID?) {
        for (name, time) in commit.names(times) {
            let found = writer.map { Seen(timestamp: time, replica: $0) } ?? name
            if found != Seen(timestamp: time, replica: store.replica) { held[time] = found }
        }
    }

    /// What a write that an author saw is called here.
    private func seen(_ name: Seen) -> Seen? {
        times.time(of: name).map { held[$0] ?? Seen(timestamp: $0, replica: store.replica) }
    }

    private mutating func write(_ commit: DumpedCommit) async throws {
        try await store.interceptor?.willWrite()
        let events = commit.rewritten(times, naming: seen)
        var payload = Payload(
            author: commit.author, causation: commit.causation, correlation: commit.correlation, events: events,
            appendID: commit.appendID)
        if events.contains(where: { $0.verb == .deleted }) { payload.held = try store.log.read { try $0.held() } }
        let hashed = try store.log.hashed(payload)
        let pending = PendingAppend()
        store.log.enqueue { [ids, id = commit.appendID] log in
            try ids.isFree(id, log) ? hashed : nil
        } _: { [ids] outcome in
            if case .failure = outcome { ids.stop() }
            pending.finish(outcome)
        }
        underWay.append((pending, events.count, hashed.bytes.count))
        while underWay.count > Self.mostUnderWay || underWay.reduce(0, { $0 + $1.bytes }) > Self.mostBytes {
            try await arrive()
        }
    }

    /// Waits until everything is durable. Throws the first failure.
    mutating func finish() async throws {
        while !underWay.isEmpty { try await arrive() }
    }

    /// Waits until nothing is in flight, after a failure.
    mutating func drain() async {
        while !underWay.isEmpty { try? await arrive() }
    }

    /// Waits for the first commit in flight.
    private mutating func arrive() async throws {
        let (pending, events, _) = underWay.removeFirst()
        if try await pending.appended != nil {
            noteWritten(events)
        } else if !ids.isStopped {
            // Another process wrote it meanwhile.
            outcome.held += 1
        }
    }

    private mutating func noteWritten(_ events: Int) {
        outcome.written += 1
        outcome.writtenEvents += events
    }
}

/// The ids of the appends in the log; also, in a writer's turn, of those that came since.
private final class KnownAppends: Sendable {
    private struct State {
        /// The last commit that was looked at.
        var position: Position
        var hash: Digest?
        var later: Set<AppendID> = []
        /// Whether a commit could not be stored: those queued behind it must not be.
        var isStopped = false
    }

    /// Each with the replica that wrote it.
    private let earlier: [AppendID: ReplicaID]
    private let start: Position
    private let state: Mutex<State>

    init(_ log: borrowing LogSnapshot) throws {
        var ids: [AppendID: ReplicaID] = [:]
        var hash: Digest?
        try log.forEachCommit(after: .start) { commit in
            if let id = try? commit.view.payload?.appendID() { ids[id] = commit.header.replica }
            hash = commit.hash
            return true
        }
        earlier = ids
        start = try log.lastPosition()
        state = Mutex(State(position: start, hash: hash))
    }

    func writer(of id: AppendID) -> ReplicaID? { earlier[id] }

    func stop() { state.withLock { $0.isStopped = true } }

    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Whether a commit with an id may be written: none in the log has it, and those before it were stored.
    func isFree(_ id: AppendID, _ log: borrowing LogSnapshot) throws -> Bool {
        let last = try log.lastPosition()
        return try state.withLock { state in
            // A transaction that runs again finds the log without what its first attempt had appended, and perhaps with commits of others.
            if state.position > start, try log.commit(at: state.position)?.hash != state.hash {
                (state.position, state.hash, state.later) = (start, nil, [])
            }
            while state.position < last {
                state.position = state.position.next
                guard let commit = try log.commit(at: state.position) else { continue }
                if let id = try? commit.view.payload?.appendID() { state.later.insert(id) }
                state.hash = commit.hash
            }
            return !state.isStopped && earlier[id] == nil && !state.later.contains(id)
        }
    }
}
