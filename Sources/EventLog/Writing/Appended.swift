public import Events

/// Where and under what name a commit was stored.
public struct Appended: Hashable, Sendable {
    public let position: Position
    public let replica: ReplicaID
    public let sequence: SequenceNumber
    public let timestamp: Timestamp
    public let hash: Digest

    /// The place of the commit's writes in the order of the merge.
    public var stamp: Stamp { Stamp(timestamp: timestamp, replica: replica, hash: hash) }
}

/// Told of the writer's steps, on its thread.
public protocol AppendObserver: AnyObject, Sendable {
    /// A transaction begins, perhaps anew after it could not be finished: what was prepared in it does not count.
    func transactionBegins(_ log: borrowing LogSnapshot) throws

    /// Everything is written and is about to be synced, which takes longer than most else: answers a step that goes on
    /// meanwhile, on a thread of its own, or nil.
    func committing(_ commits: CommitCopies, _ log: borrowing LogSnapshot) -> (any CommitStep)?

    /// Everything up to a position is durable. Those who appended wait until this returns.
    ///
    /// Not called after a step that was finished.
    func committed(upTo position: Position)

    /// Everything up to a position is durable; the newest of it came from other replicas.
    func received(upTo position: Position)
}

extension AppendObserver {
    public func committing(_ commits: CommitCopies, _ log: borrowing LogSnapshot) -> (any CommitStep)? { nil }
}

/// What goes on beside the sync of a transaction.
public protocol CommitStep: Sendable {
    /// The transaction is durable, or came to nothing: finishes the step, or gives it up. Waits until nothing of it goes
    /// on any longer.
    ///
    /// Answers whether it was finished; then `next` was called, as soon as could be, and for those who appended their
    /// wait is over. Called once, on the writer's thread.
    func conclude(isDurable: Bool, _ next: @escaping @Sendable () -> Void) -> Bool
}

/// Says what to append, inside the transaction that appends it: the place to check what a caller expects.
///
/// It may run again if the transaction has to. Answers nil if there is nothing to append.
public typealias Preparation = @Sendable (_ log: borrowing LogSnapshot) throws -> Payload?

extension Log {
    /// Appends a commit and answers when it is durable and the observer has been told; nil if there was nothing to
    /// append. Appends that meet share a transaction and a sync.
    ///
    /// Throws what `prepare` throws, `StorageError`, or `EventLogError`: `.readOnly`, `.commitTooLarge`,
    /// `.clockOutOfRange`; nothing was then written.
    public func append(_ prepare: @escaping Preparation) async throws -> Appended? {
        try await appendHashed { log in try prepare(log).map { try self.hashed($0) } }
    }

    /// Appends events as they are: they are encoded and hashed on the caller's thread, beside whatever the writer does
    /// meanwhile. Throws like `append(_:)`.
    public func append(_ payload: Payload) async throws -> Appended? {
        let hashed = try hashed(payload)
        return try await appendHashed { _ in hashed }
    }

    /// As the public one, for whoever has what it says encoded before.
    package func appendHashed(
        _ prepare: @escaping @Sendable (_ log: borrowing LogSnapshot) throws -> HashedPayload?
    ) async throws -> Appended? { try await submit(prepare) {} }

    /// Encodes and hashes what is to be appended: the greater part of the work, which needs no transaction.
    ///
    /// Throws `EventLogError`: `.commitTooLarge`, `.keyTooLong`.
    package func hashed(_ payload: Payload) throws -> HashedPayload {
        try HashedPayload(checked: payload, salt: surroundings.salt())
    }

    /// The same, of a payload's bytes. If they were planned with a timestamp, to append them when that has passed throws
    /// `HashedPayload.TimestampPassed`.
    package func hashed(_ payload: [UInt8], at timestamp: Timestamp? = nil) throws -> HashedPayload {
        try HashedPayload(payload, salt: surroundings.salt(), at: timestamp)
    }

    /// Hands a request to the writer, and calls `whenQueued` as soon as its place among the others is settled.
    func submit(
        _ prepare: @escaping @Sendable (_ log: borrowing LogSnapshot) throws -> HashedPayload?,
        whenQueued: () -> Void
    ) async throws -> Appended? {
        try await withCheckedThrowingContinuation { continuation in
            enqueue(prepare) { continuation.resume(with: $0) }
            whenQueued()
        }
    }

    /// Hands a request to the writer and goes on: what becomes of it is told on the writer's thread.
    package func enqueue(
        _ prepare: @escaping @Sendable (_ log: borrowing LogSnapshot) throws -> HashedPayload?,
        _ finish: @escaping @Sendable (Result<Appended?, any Error>) -> Void
    ) {
        guard let writer else { return finish(.failure(Self.readOnlyError)) }
        writer.submit(LogWriter.Request(prepare: prepare, finish: finish))
    }

    /// Sets who is told of the writer's steps. Held weakly.
    public func setObserver(_ observer: (any AppendObserver)?) { writer?.setObserver(observer) }

    static var readOnlyError: EventLogError {
        EventLogError(.readOnly, "The store was opened for reading. Open it for writing to change it.")
    }
}
