public import EventLog
import Events
import Foundation
import Platform
import ProjectionEngine

/// The commits of the log for one side effect, each at least once, in order, over all runs of the app: a notification,
/// an external index.
///
/// ```swift
/// let subscription = try await store.subscription("notifications")  // once: createSubscription("notifications", from: .end)
/// for try await commit in subscription {
///     try await notify(commit)
///     try await subscription.acknowledge(commit.position)
/// }
/// ```
///
/// Its cursor is stored durably beside the log, and does not depend on views: rebuilding them repeats nothing. Commits
/// that were not acknowledged when the process ended are delivered again. Only one process at a time may run a
/// subscription of a name.
///
/// Nothing is delivered again because it counts later, or no longer: see `CommitSequence`.
public final class CommitSubscription: AsyncSequence, Sendable {
    /// The start of a new subscription.
    public enum Start: Sendable, Hashable {
        /// With the first commit of the log.
        case beginning
        /// With the next commit that is appended.
        case end
        /// With the commit after a position.
        case after(Position)
    }

    public let name: String
    private let store: TripStore
    private let filter: AuditFilter
    private let lock: SubscriptionLock

    init(_ name: String, _ store: TripStore, _ filter: AuditFilter, _ lock: SubscriptionLock) {
        self.name = name
        self.store = store
        self.filter = filter
        self.lock = lock
    }

    /// The position up to which everything was acknowledged. Throws what the log refuses.
    public var acknowledged: Position {
        get throws {
            try TripStoreError.wrap { try SubscriptionCursor.stored(name, store.log)?.position ?? .start }
        }
    }

    /// Begins after the last acknowledged commit; if that cannot be read, the first step throws.
    public func makeAsyncIterator() -> some AsyncIteratorProtocol<AuditedCommit, any Error> { iterator() }

    func iterator() -> CommitSequence.Iterator {
        do { return CommitSequence.Iterator(store, try acknowledged, filter, lock: lock) } catch {
            return CommitSequence.Iterator(store, .start, filter, lock: lock, failure: error)
        }
    }

    /// Records, durably, that everything up to a position is processed. Earlier acknowledgements stay.
    ///
    /// It costs a sync of the medium: if the work is cheap to repeat, acknowledge only every hundredth commit, say.
    /// Throws `TripStoreError` (`.unknownPosition` if the log does not reach that far; `.subscriptionUnusable` if another has run it since
    /// this store was suspended; `.suspended`, `.closed`), or what the medium refuses.
    public func acknowledge(_ position: Position) async throws {
        try TripStoreError.wrap { try store.views.checkOpen() }
        try store.check(.position(position))
        try await TripStoreError.wrapAsync { [lock, name, log = store.log] in
            try lock.check()
            try await log.worker.run {
                if let stored = try SubscriptionCursor.stored(name, log), stored.position >= position { return }
                try SubscriptionCursor(at: position, log).store(name, log)
            }
        }
    }

    /// Calls `body` with each commit and acknowledges it when that returns; continues until the task is cancelled.
    ///
    /// Throws what `body` throws: its commit is then delivered again in the next run. While the store is suspended it waits.
    public func run(_ body: (AuditedCommit) async throws -> Void) async throws {
        for try await commit in self {
            try await body(commit)
            var tick: UInt64? = store.views.signal.tick
            while let seen = tick {
                do {
                    try await acknowledge(commit.position)
                    break
                } catch let error as TripStoreError where error.code == .suspended {
                    tick = await store.views.signal.wait(after: seen)
                }
            }
        }
    }
}

/// The cursor of a subscription: a position, and the hash of the commit there, which shows whether the log is another.
struct SubscriptionCursor {
    private static let prefix = "subscription/"

    let position: Position
    let hash: Digest

    /// The cursor at a position of a log.
    init(at position: Position, _ log: Log) throws {
        self.position = position
        hash = try log.read { try $0.commit(at: position)?.hash } ?? .zero
    }

    private init?(_ bytes: [UInt8]) {
        guard bytes.count == 40, let hash = bytes[8...].withUnsafeBytes({ Digest($0) }) else { return nil }
        position = Position(bytes.withUnsafeBytes { $0.bigEndian(UInt64.self) })
        self.hash = hash
    }

    static func stored(_ name: String, _ log: Log) throws -> SubscriptionCursor? {
        try log.note(prefix + name).flatMap { SubscriptionCursor($0) }
    }

    static func all(_ log: Log) throws -> [String: SubscriptionCursor] {
        try log.notes(prefix).reduce(into: [:]) { all, note in
            all[String(note.key.dropFirst(prefix.count))] = SubscriptionCursor(note.value)
        }
    }

    /// Writes it durably. Blocks.
    func store(_ name: String, _ log: Log) throws {
        try log.setNote(Self.prefix + name, position.rawValue.bigEndianBytes + hash.bytes)
    }

    static func remove(_ name: String, _ log: Log) throws { try log.setNote(prefix + name, nil) }

    /// Whether the log still has the last acknowledged commit.
    func belongs(to log: Log) throws -> Bool {
        try position == .start || log.read { try $0.commit(at: position)?.hash == hash }
    }
}

/// Prevents a second process, or a second task of this one, from running a subscription of the same name.
final class SubscriptionLock: Sendable {
    private let name: String
    private let lock: FileLock
    private let suspension: SuspensionFlag

    /// Throws `StorageError`, or `TripStoreError.Code.subscriptionUnusable` if another has it.
    init(_ name: String, in folder: String, of log: Log) throws {
        try log.suspension.check()
        try Folder.create(folder)
        let path = "\(folder)/\(Array(name.utf8).hexadecimal).lock"
        guard let lock = try FileLock(creating: path, LOCK_EX) else { throw Self.isRunning(name) }
        (self.name, self.lock, suspension) = (name, lock, log.suspension)
    }

    /// Throws `StorageError.suspended`, or an error if another has run it since this store was suspended.
    func check() throws {
        if lock.isHeld { return }
        try suspension.check()
        if !lock.isHeld { throw Self.isRunning(name) }
    }

    private static func isRunning(_ name: String) -> TripStoreError {
        TripStoreError(
            .subscriptionUnusable,
            "The subscription '\(name)' is running already. End it, or take another name for another side effect.")
    }
}
