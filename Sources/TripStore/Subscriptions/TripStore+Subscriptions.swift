public import EventLog
import Events
import Foundation
import ProjectionEngine

/// How far a subscription came.
public struct SubscriptionStatus: Sendable, Hashable, Identifiable {
    public let name: String
    /// The position of its cursor: the last commit that was acknowledged, or where it began.
    public let position: Position

    public var id: String { name }

    public init(name: String, position: Position) {
        self.name = name
        self.position = position
    }
}

extension TripStore {
    /// Opens the subscription of a name. As long as the result exists, no other process or task can open it.
    ///
    /// `start` counts the first time alone; afterwards it goes on after what was acknowledged. A filter leaves out
    /// commits and events; it is not kept.
    ///
    /// Throws `TripStoreError` (`.subscriptionUnusable` if it is running already, if the name has not 1 to 100 bytes, or
    /// if what it acknowledged last is not in this log; `.unknownPosition`, `.readOnly`), or what the medium refuses.
    public func subscription(
        _ name: String, from start: CommitSubscription.Start = .end, _ filter: AuditFilter = AuditFilter()
    ) async throws -> CommitSubscription {
        let lock = try await lockedSubscription(name)
        let (known, isHere) = try TripStoreError.wrap {
            let known = try SubscriptionCursor.stored(name, log)
            return (known, try known?.belongs(to: log))
        }
        if let known {
            guard isHere == true else {
                throw TripStoreError(
                    .subscriptionUnusable,
                    "The subscription '\(name)' came as far as position \(known.position) of another log, as of one "
                        + "that was replaced by an older copy. Decide from where to go on with 'moveSubscription'.")
            }
        } else {
            try await setCursor(name, at: start)
        }
        return CommitSubscription(name, self, filter, lock)
    }

    /// Sets the cursor of a subscription, existing or new. It must not be running.
    ///
    /// Throws like `subscription(_:from:_:)`.
    public func moveSubscription(_ name: String, to start: CommitSubscription.Start) async throws {
        let lock = try await lockedSubscription(name)
        try await setCursor(name, at: start)
        withExtendedLifetime(lock) {}
    }

    /// Removes a subscription. It must not be running. Throws like `subscription(_:from:_:)`.
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
            try await log.worker.run { try SubscriptionLock(name, in: folder) }
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
