public import EventLog
import ProjectionEngine

/// How far a subscription came.
public struct SubscriptionStatus: Sendable, Hashable, Identifiable {
    public let name: String
    /// The position of its cursor: the last commit that was acknowledged, or where it began.
    public let position: Position

    public var id: String { name }

    package init(name: String, position: Position) {
        self.name = name
        self.position = position
    }
}

extension TripStore {
    /// Makes a subscription and opens it. As long as the result exists, no other process or task can open it.
    ///
    /// From then on `subscription(_:_:)` continues it. One whose cursor is not of this log, see there, is replaced.
    ///
    /// Throws `TripStoreError` (`.alreadyExists` if there is one that can be continued; `.subscriptionUnusable` if it is running, or if the
    /// name has not 1 to 100 bytes; `.unknownPosition`, `.readOnly`), or what the medium refuses.
    public func createSubscription(
        _ name: String, from start: CommitSubscription.Start, _ filter: AuditFilter = AuditFilter()
    ) async throws -> CommitSubscription {
        let lock = try await lockedSubscription(name)
        if let known = try cursor(of: name), known.belongs {
            throw TripStoreError(
                .alreadyExists,
                "The subscription '\(name)' exists already, at position \(known.position). Continue it, or remove it.")
        }
        try await setCursor(name, at: start)
        return CommitSubscription(name, self, filter, lock)
    }

    /// Opens an existing subscription, which continues after what was acknowledged. As long as the result exists, no other process or task
    /// can open it. A filter leaves out commits and events; it is not kept.
    ///
    /// It begins nowhere by itself: after an older copy of the store was put back, commits would never be delivered.
    ///
    /// Throws `TripStoreError` (`.unknownSubscription` if there is none of that name; `.subscriptionOfOtherLog` if what it acknowledged last
    /// is not in this log; `.subscriptionUnusable` if it is running already, or if the name has not 1 to 100 bytes; `.readOnly`), or what the
    /// medium refuses.
    public func subscription(
        _ name: String, _ filter: AuditFilter = AuditFilter()
    ) async throws -> CommitSubscription {
        let lock = try await lockedSubscription(name)
        guard let known = try cursor(of: name) else {
            throw try unusable(name, .unknownSubscription, "There is no subscription '\(name)'")
        }
        guard known.belongs else {
            throw try unusable(
                name, .subscriptionOfOtherLog,
                "The subscription '\(name)' came to position \(known.position) of another log, as of a replaced one")
        }
        return CommitSubscription(name, self, filter, lock)
    }

    /// A refusal that names what is known here, and how to go on.
    private func unusable(_ name: String, _ code: TripStoreError.Code, _ reason: String) throws -> TripStoreError {
        let all = try subscriptions()
        let others = all.filter { $0.name != name }.map { "'\($0.name)' at position \($0.position)" }
        return TripStoreError(
            code,
            "\(reason). This log ends at position \(all.position), and "
                + (others.isEmpty ? "there is no other subscription" : "has \(others.joined(separator: ", "))")
                + ". If the store was put back from a backup, the subscription ran after that was made. Create it with the start to repeat or to "
                + "skip commits: 'createSubscription'.")
    }

    private func cursor(of name: String) throws -> (position: Position, belongs: Bool)? {
        try TripStoreError.wrap {
            try SubscriptionCursor.stored(name, log).map { ($0.position, try $0.belongs(to: log)) }
        }
    }

    /// Sets the cursor of a subscription, existing or new. It must not be running.
    ///
    /// Throws like `createSubscription(_:from:_:)`, but for `.alreadyExists`.
    public func moveSubscription(_ name: String, to start: CommitSubscription.Start) async throws {
        let lock = try await lockedSubscription(name)
        try await setCursor(name, at: start)
        withExtendedLifetime(lock) {}
    }

    /// Removes a subscription. It must not be running. Throws like `moveSubscription(_:to:)`.
    public func removeSubscription(_ name: String) async throws {
        let lock = try await lockedSubscription(name)
        try await TripStoreError.wrapAsync {
            try await log.worker.run { [log] in try SubscriptionCursor.remove(name, log) }
        }
        withExtendedLifetime(lock) {}
    }

    /// The subscriptions, by name.
    public func subscriptions() throws -> Rows<SubscriptionStatus> {
        try TripStoreError.wrap {
            let cursors = try SubscriptionCursor.all(log).sorted { $0.key < $1.key }
            return Rows(
                cursors.map { SubscriptionStatus(name: $0.key, position: $0.value.position) },
                try log.read { try $0.lastPosition() })
        }
    }

    private func lockedSubscription(_ name: String) async throws -> SubscriptionLock {
        guard !isReadOnly else {
            throw TripStoreError(
                .readOnly, "The store was opened for reading. Open it for writing, so that a subscription is kept.")
        }
        guard (1...100).contains(name.utf8.count) else {
            throw TripStoreError(
                .subscriptionUnusable,
                "A subscription's name has 1 to 100 bytes, and '\(name)' has \(name.utf8.count). Choose another.")
        }
        let folder = StoreLayout(folder).subscriptions
        return try await TripStoreError.wrapAsync {
            try await log.worker.run { [log] in try SubscriptionLock(name, in: folder, of: log) }
        }
    }

    private func setCursor(_ name: String, at start: CommitSubscription.Start) async throws {
        let position: Position
        switch start {
        case .beginning: position = .start
        case .end: position = try readLog { try $0.lastPosition() }
        case .after(let chosen): position = chosen
        }
        try check(.position(position))
        try await TripStoreError.wrapAsync {
            try await log.worker.run { [log] in try SubscriptionCursor(at: position, log).store(name, log) }
        }
    }
}
