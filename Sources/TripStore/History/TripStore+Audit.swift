public import EventLog
import Events
import Foundation
import ProjectionEngine
public import Trips

extension TripStore {
    /// The events of an entity in the order of the merge: who, when, from what to what. O(events of the entity).
    ///
    /// Throws `TripStoreError.unknownEntity` if nothing is held of it.
    public func history<Entity: TripEntity>(of id: Identifier<Entity>) throws -> [HistoryEntry] {
        let entries = try withAuditor { auditor, _ in try auditor.history(of: id.reference) }
        guard !entries.isEmpty else { throw TripStoreError.unknown(id.reference) }
        return entries
    }

    /// Commits of the log that pass a filter, with those of their events that it selects, in the order of positions, after
    /// a position that was shown last (before it, if the filter is reversed). O(commits looked at): a filter looks at
    /// every commit until it has enough.
    public func audit(
        _ filter: AuditFilter = AuditFilter(), limit: Int = 100, after: Position? = nil
    ) throws -> [AuditedCommit] {
        var found: [AuditedCommit] = []
        guard limit > 0 else { return found }
        try withAuditor { auditor, log in
            let step = { (auditor: inout Auditor, stored: StoredCommit) in
                let commit = RecordedCommit(stored)
                if try auditor.passes(commit, filter) { found.append(try auditor.audit(commit, filter)) }
                return found.count < limit
            }
            if filter.isReversed {
                try log.forEachCommitBackwards(before: after ?? Position(.max)) { try step(&auditor, $0) }
            } else {
                try log.forEachCommit(after: after ?? .start) { try step(&auditor, $0) }
            }
        }
        return found
    }

    /// The commit at a position, or nil if the log does not reach so far.
    public func commit(at position: Position) throws -> AuditedCommit? {
        try withAuditor { auditor, log in
            try log.commit(at: position).map { try auditor.audit(RecordedCommit($0)) }
        }
    }

    func withAuditor<T>(
        _ body: (inout Auditor, borrowing LogSnapshot) throws -> T
    ) throws -> T {
        try interceptor?.willRead()
        // The log first: then the views have every event of it, unless they are behind.
        return try log.read { log in
            try views.read(beside: log) { views in
                var auditor = try Auditor(views.alias(), log.alias())
                return try body(&auditor, log)
            }
        }
    }

    /// Positions as they grow, by this or any other process: the present one at once, then the newest after each
    /// change. Changes that follow each other closely may come as one. Ends when the task is cancelled.
    public func changes() -> AsyncStream<Position> {
        let (log, signal) = (log, views.signal)
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                let watch = signal.watch()
                var tick = signal.tick
                var seen: Position?
                while !Task.isCancelled {
                    if let position = try? log.read({ try $0.lastPosition() }), position != seen {
                        seen = position
                        continuation.yield(position)
                    }
                    guard let newer = await signal.wait(after: tick) else { break }
                    tick = newer
                }
                withExtendedLifetime(watch) { continuation.finish() }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
