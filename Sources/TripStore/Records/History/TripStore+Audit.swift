public import EventLog
import Events
import ProjectionEngine
public import Trips

extension TripStore {
    /// The events of an entity in merge order: author, time, old and new values. O(events of the entity).
    ///
    /// Throws `TripStoreError.Code.unknownEntity` if nothing is held of it.
    public func history<Entity: TripEntity>(of id: Identifier<Entity>) throws -> Rows<HistoryEntry> {
        try history(of: id.reference)
    }

    /// The events of an entity of any kind. Throws like the other.
    package func history(of entity: EntityReference) throws -> Rows<HistoryEntry> {
        try withAuditor { auditor, _ in
            let entries = try auditor.history(of: entity)
            guard !entries.isEmpty else { throw TripStoreError.unknown(entity, in: knownSchema) }
            return try auditor.listed(entries)
        }
    }

    /// A page of the commits of the log that pass a filter, with those of their events that it selects, in the order of positions.
    /// O(commits looked at): a filter looks at every commit until it has enough.
    ///
    /// Throws `TripStoreError.Code.invalidCursor` if the cursor belongs to another query.
    public func audit(
        _ filter: AuditFilter = AuditFilter(), limit: Int = 100, after cursor: PageCursor? = nil
    ) throws -> Rows<AuditedCommit> {
        try audit(filter, limit: limit, beyond: try cursor?.position(in: filter))
    }

    /// A page of the audit of the commits after a position (before it, if the filter is reversed); nil for all.
    public func audit(
        _ filter: AuditFilter = AuditFilter(), limit: Int = 100, beyond position: Position?
    ) throws -> Rows<AuditedCommit> {
        try audit(filter, limit: limit, beyond: position, detailingUpTo: .max)
    }

    /// A page of the audit, in which commits of more events than `most` have these without names and changes.
    package func audit(
        _ filter: AuditFilter, limit: Int, beyond position: Position?, detailingUpTo most: Int
    ) throws -> Rows<AuditedCommit> {
        try withAuditor { auditor, log in
            var found: [AuditedCommit] = []
            let limit = max(limit, 1)
            let step = { (auditor: inout Auditor, stored: StoredCommit) in
                let commit = RecordedCommit(stored)
                if try auditor.passes(commit, filter) {
                    found.append(try auditor.audit(commit, filter, detailingUpTo: most))
                }
                return found.count < limit
            }
            if filter.isReversed {
                try log.forEachCommitBackwards(before: position ?? Position(.max)) { try step(&auditor, $0) }
            } else {
                try log.forEachCommit(after: position ?? .start) { try step(&auditor, $0) }
            }
            // A full page is followed by another, which may have no rows.
            let last = found.count < limit ? nil : found.last?.position
            return try auditor.listed(found, next: last.map { PageCursor(after: $0, filter) })
        }
    }

    /// The commit at a position, or nil if the log does not reach so far.
    public func commit(at position: Position) throws -> AuditedCommit? {
        try withAuditor { auditor, log in
            try log.commit(at: position).map { try auditor.audit(RecordedCommit($0)) }
        }
    }

    /// The entity of the newest event that counts and fulfils a condition; nil if none does. O(events from there on): no history is read.
    package func lastWritten(where isWanted: (EntityReference) -> Bool) throws -> EntityReference? {
        try readLog { log in
            var found: EntityReference?
            try log.forEachCommitBackwards(before: Position(.max)) { commit in
                var entities: [EntityReference] = []
                commit.forEachEvent { event, _ in entities.append(event.entity) }
                found = entities.last(where: isWanted)
                return found == nil
            }
            return found
        }
    }

    func withAuditor<T>(
        _ body: (inout Auditor, borrowing LogSnapshot) throws -> T
    ) throws -> T {
        try readViewsAndLog { views, log in
            var auditor = try Auditor(views.alias(), log.alias(), in: knownSchema)
            return try body(&auditor, log)
        }
    }

    /// Reads the log and the views, which have every event of it unless they are behind.
    func readViewsAndLog<T>(
        _ body: (borrowing ViewSnapshot, borrowing LogSnapshot) throws -> T
    ) throws -> T {
        try TripStoreError.wrap {
            try interceptor?.willRead()
            // The log first.
            return try log.read { log in try views.read(beside: log) { try body($0, log) } }
        }
    }

    /// What every call that looks into the log goes through.
    func readLog<T>(_ body: (borrowing LogSnapshot) throws -> T) throws -> T {
        try TripStoreError.wrap { try log.read(body) }
    }

    /// The newest position: the current one at once, and then after each change by this or another process. Changes in
    /// quick succession may be combined. Ends when the task is cancelled.
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
