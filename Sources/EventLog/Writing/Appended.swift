public import Events

/// The position and the names of a stored commit.
public struct Appended: Hashable, Sendable {
    public let position: Position
    public let replica: ReplicaID
    public let sequence: SequenceNumber
    public let timestamp: Timestamp
    public let hash: Digest

    /// The commit's position in the merge order.
    public var stamp: Stamp { Stamp(timestamp: timestamp, replica: replica, hash: hash) }
}

/// Observes the writer's steps, on its thread.
public protocol AppendObserver: AnyObject, Sendable {
    /// A transaction begins, perhaps again after a failed attempt: discard what was prepared in that.
    func transactionBegins(_ log: borrowing LogSnapshot) throws

    /// Everything is written and is about to be synced, which takes longer than most other steps: returns a step to
    /// overlap with the fsync, on a thread of its own, or nil.
    func committing(_ commits: CommitCopies, _ log: borrowing LogSnapshot) -> (any CommitStep)?

    /// Everything up to a position is durable. Appenders wait until this returns.
    ///
    /// Not called after a step that was finished.
    func committed(upTo position: Position)

    /// Everything up to a position is durable; the newest of it came from other replicas.
    func received(upTo position: Position)
}

extension AppendObserver {
    public func committing(_ commits: CommitCopies, _ log: borrowing LogSnapshot) -> (any CommitStep)? { nil }
}

/// Work overlapped with the fsync of a transaction.
public protocol CommitStep: Sendable {
    /// The transaction is durable, or failed: finishes the step, or abandons it. Blocks until no part of it runs any
    /// longer.
    ///
    /// Returns whether it was finished; then `next` was called as early as possible, and the appenders' wait is over.
    /// Called once, on the writer's thread.
    func conclude(isDurable: Bool, _ next: @escaping @Sendable () -> Void) -> Bool
}

/// Returns what to append, inside the transaction that appends it: the place to check what a caller expects.
///
/// It may run again if the transaction has to. Returns nil if there is nothing to append.
public typealias Preparation = @Sendable (_ log: borrowing LogSnapshot) throws -> Payload?

extension Log {
    /// Appends a commit and returns when it is durable and the observer has returned; nil if there was nothing to
    /// append. Concurrent appends share a transaction and a sync.
    ///
    /// Throws what `prepare` throws, `StorageError`, or `EventLogError`: `.readOnly`, `.commitTooLarge`,
    /// `.clockOutOfRange`; nothing was then written.
    public func append(_ prepare: @escaping Preparation) async throws -> Appended? {
        try await appendHashed { log in try prepare(log).map { try self.hashed($0) } }
    }

    /// Appends events unconditionally: they are encoded and hashed on the caller's thread, in parallel with the writer.
    /// Throws like `append(_:)`.
    public func append(_ payload: Payload) async throws -> Appended? {
        let hashed = try hashed(payload)
        return try await appendHashed { _ in hashed }
    }

    /// As the public one, for callers with an encoded payload.
    package func appendHashed(
        _ prepare: @escaping @Sendable (_ log: borrowing LogSnapshot) throws -> HashedPayload?
    ) async throws -> Appended? { try await submit(prepare) {} }

    /// Encodes and hashes a payload: the greater part of the work, which needs no transaction.
    ///
    /// Throws `EventLogError`: `.commitTooLarge`, `.keyTooLong`.
    package func hashed(_ payload: Payload) throws -> HashedPayload {
        try HashedPayload(checked: payload, salt: dependencies.salt())
    }

    /// The same, for the bytes of a payload. If it was planned with a timestamp, appending it after that time throws
    /// `HashedPayload.TimestampPassed`.
    package func hashed(_ payload: [UInt8], at timestamp: Timestamp? = nil) throws -> HashedPayload {
        try HashedPayload(payload, salt: dependencies.salt(), at: timestamp)
    }

    /// Passes a request to the writer, and calls `whenQueued` as soon as its order among the others is fixed.
    func submit(
        _ prepare: @escaping @Sendable (_ log: borrowing LogSnapshot) throws -> HashedPayload?,
        whenQueued: () -> Void
    ) async throws -> Appended? {
        try await withCheckedThrowingContinuation { continuation in
            enqueue(prepare) { continuation.resume(with: $0) }
            whenQueued()
        }
    }

    /// Passes a request to the writer and returns; the outcome is reported on the writer's thread.
    package func enqueue(
        _ prepare: @escaping @Sendable (_ log: borrowing LogSnapshot) throws -> HashedPayload?,
        _ finish: @escaping @Sendable (Result<Appended?, any Error>) -> Void
    ) {
        guard let writer else { return finish(.failure(Self.readOnlyError)) }
        writer.submit(LogWriter.Request(prepare: prepare, finish: finish))
    }

    /// Sets the observer of the writer's steps. Held weakly.
    public func setObserver(_ observer: (any AppendObserver)?) { writer?.setObserver(observer) }

    static var readOnlyError: EventLogError {
        EventLogError(.readOnly, "The store was opened for reading. Open it for writing to change it.")
    }
}
