package import Events

/// The timestamps of a line's next commits, for planning some ahead: they hold if no other writer writes in between.
package struct LineClock: Sendable {
    /// The latest timestamp on the line or seen from others.
    private var last: Timestamp
    /// Whether a commit that introduces the replica goes before the first.
    private var introduces: Bool
    /// The line's replica.
    package let replica: ReplicaID
    private let dependencies: Dependencies

    init(_ head: LineHead?, of replica: ReplicaID, seen: Timestamp, _ dependencies: Dependencies) {
        self.replica = replica
        last = max(head?.timestamp ?? .zero, seen)
        introduces = head.map { $0.sequence == .start } ?? true
        self.dependencies = dependencies
    }

    /// The timestamp of the next commit. Throws `EventLogError.clockOutOfRange`.
    package mutating func next() throws(EventLogError) -> Timestamp {
        let now = dependencies.now()
        var next = try Self.next(after: last, now: now)
        if introduces { next = try Self.next(after: next, now: now) }
        introduces = false
        last = next
        return next
    }

    /// Later than a timestamp, and not before the wall clock.
    static func next(after last: Timestamp, now: Int64) throws(EventLogError) -> Timestamp {
        let wall = Timestamp(milliseconds: UInt64(max(0, min(now, Int64(Timestamp.limit)))))
        let next = max(wall, last.successor)
        try check(next, now: now)
        return next
    }

    /// Throws `EventLogError.clockOutOfRange` if no commit may have a timestamp.
    static func check(_ timestamp: Timestamp, now: Int64) throws(EventLogError) {
        guard timestamp.isWellFormed else {
            throw EventLogError(
                .clockOutOfRange,
                "The clock stands at \(now) ms since 1970, and the newest timestamp that is known just before "
                    + "\(timestamp.rawValue): beyond what a commit may bear. Set the machine's clock.")
        }
    }
}

extension Log {
    /// The clock of the line to which this log appends. Throws `EventLogError.readOnly` and `.keyUnusable`, and `StorageError`.
    package func lineClock() throws -> LineClock {
        guard let writer else { throw Self.readOnlyError }
        return try read { log in
            let line = try writer.author.author(in: log).line
            return LineClock(
                try log.head(of: line), of: line.replica,
                seen: try log.newestSeen(upTo: dependencies.latestPlausible()), dependencies)
        }
    }
}
