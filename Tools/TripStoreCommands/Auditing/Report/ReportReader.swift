import Foundation
import TripStore

/// Reads the log from its newest commit on, part by part, each as much as fits on a page. It holds one batch of commits at a time, and is a
/// value: a copy reads the same part again.
struct ReportReader {
    /// About the events of a batch.
    private static let mostEvents = 4_096

    let store: TripStore
    private let work: LongWork
    /// Commits are read before this position, and then before `last`.
    private let end: Position
    private let only: UUID?
    private let filter: AuditFilter
    private let start: Position
    private let conflicts: ReportConflicts
    private let erasures: NamedErasures
    /// Commits are read before this position.
    private var last: Position
    private var batchSize = 8
    private var pending: ArraySlice<AuditedCommit> = []
    private var offset = ReportLog.Offset()
    /// How many commits may be read still.
    private var remaining: Int
    private var devices: [ReplicaID: String] = [:]
    /// The commits and events that were read to their ends.
    private(set) var commits = 0
    private(set) var events = 0

    /// Reads the newest commits that pass a reversed filter, from a position back to another, which is not included.
    init(
        _ store: TripStore, _ filter: AuditFilter, after start: Position, upTo position: Position, limit: Int,
        showing work: LongWork
    ) throws {
        self.store = store
        self.work = work
        end = position.next
        self.filter = filter
        self.start = start
        only = filter.root?.id
        last = position.next
        remaining = limit
        conflicts = ReportConflicts(try store.conflicts(under: filter.root))
        erasures = try NamedErasures(in: store, withCommands: false)
    }

    /// Whether there is more to read.
    mutating func hasMore() throws -> Bool { try peek() != nil }

    /// The next part, which takes about so many bytes on a page, or a little more.
    mutating func next(atMost most: Int) throws -> ReportLog {
        var log = ReportLog(only: only, erasures)
        while log.size < most, let commit = try peek() {
            guard log.add(commit, from: &offset, conflicts, upTo: most) else { break }
            pending.removeFirst()
            offset = ReportLog.Offset()
            commits += 1
            events += commit.events.count
        }
        try log.complete(from: store, devices: &devices)
        return log
    }

    private mutating func peek() throws -> AuditedCommit? {
        if pending.isEmpty, remaining > 0, last > start {
            // Of a few that are wanted it is not known how far back they are.
            let total = remaining == .max ? end.rawValue - min(start.next.rawValue, end.rawValue) : nil
            work.report(
                "reading", total == nil ? UInt64(commits) : end.rawValue - last.rawValue, of: total, .things("commit"))
            // Each read is bounded: a commit may have tens of thousands of events.
            let batch = try store.audit(filter, limit: min(remaining, batchSize), beyond: last)
            last = batch.last?.position ?? .start
            pending = batch.rows.prefix { $0.position > start }
            remaining -= pending.count
            let events = max(batch.reduce(0) { $0 + $1.events.count }, 1)
            batchSize = min(max(batchSize * Self.mostEvents / events, 1), 1_024)
        }
        return pending.first
    }
}
