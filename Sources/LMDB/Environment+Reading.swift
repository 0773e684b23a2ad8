internal import CPlatform
internal import LMDBLibrary
package import Platform

extension Environment {
    /// Runs `body` on a snapshot of what is committed now.
    ///
    /// Any thread may call it. It takes no lock that a writer holds, except when another process has grown the file
    /// beyond this one's map. Keep `body` short: its snapshot keeps old pages alive, and growing the map waits for it.
    /// Pointers into the map must not leave `body`. A nested `read` or `write` of the same environment could deadlock
    /// if the map must grow between them, and is refused: pass the transaction on.
    ///
    /// Throws `StorageError`, `.nested` among others, and what `body` throws.
    @inlinable
    public func read<T>(_ body: (borrowing ReadTransaction) throws -> T) throws -> T {
        // Only the generic part is compiled with its caller.
        let reading = try OpenReading(self)
        defer { withExtendedLifetime(self) { reading.finish() } }
        return try body(reading.transaction)
    }

    /// As `read`, on LMDB's own transaction. Before `body` only a meta page of the file is read.
    func reading<T>(_ body: (OpaquePointer) throws -> T) throws -> T {
        let (raw, permit) = try beginReading()
        defer { finishReading(raw, permit) }
        return try body(raw)
    }

    fileprivate func beginReading() throws(StorageError) -> (OpaquePointer, MapLock.ReadPermit) {
        try checkNotForked()
        try checkNotReading("read")
        var clearedReaders = false
        while true {
            let permit = try mapLock.enterReading()
            var raw = permit.kept
            let number: Int32
            if let kept = permit.kept {
                number = mdb_txn_renew(kept)
            } else {
                number = mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &raw)
            }
            if number == MDB_SUCCESS, let raw {
                tripstore_begin_reading(readingKey)
                return (raw, permit)
            }
            if let kept = permit.kept { mdb_txn_abort(kept) }
            _ = mapLock.leaveReading(permit, keeping: nil)
            switch number {
            case MDB_MAP_RESIZED: try adoptMapSize(unlessChangedSince: permit)
            case MDB_READERS_FULL where !clearedReaders:
                clearedReaders = true
                try clearStaleReaders()
            default: throw failure(number, "read")
            }
        }
    }

    /// Refuses to begin on a thread that already reads this environment: if the map must grow, it would wait for
    /// itself.
    func checkNotReading(_ action: String) throws(StorageError) {
        guard tripstore_is_reading(readingKey) == 0 else {
            throw StorageError(
                .nested,
                "A \(action) of \(path) was begun inside a read of it on the same thread. Pass the transaction on, or "
                    + "begin it after the read.")
        }
    }

    /// Tells environments of the process apart.
    private var readingKey: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }

    fileprivate func finishReading(_ raw: OpaquePointer, _ permit: MapLock.ReadPermit) {
        tripstore_end_reading(readingKey)
        // Before it leaves: afterwards the environment may be closed.
        if permit.hasSlot { mdb_txn_reset(raw) } else { mdb_txn_abort(raw) }
        _ = mapLock.leaveReading(permit, keeping: permit.hasSlot ? raw : nil)
    }
}

/// A snapshot that lasts until `finish` is called, once: for types that offer a `read` of their own, under the rules of
/// `Environment.read`.
@usableFromInline
package struct OpenReading: ~Copyable {
    private let raw: OpaquePointer
    private let owner: Environment
    private let bounds: MapBounds?
    private let permit: MapLock.ReadPermit
    private let isNumberExact: Bool

    @usableFromInline
    package init(_ environment: Environment) throws(StorageError) {
        let (raw, permit) = try environment.beginReading()
        do throws(StorageError) {
            self.init(raw, environment, try environment.bounds(for: raw, permit), permit)
        } catch {
            environment.finishReading(raw, permit)
            throw error
        }
    }

    private init(
        _ raw: OpaquePointer, _ owner: Environment, _ bounds: MapBounds?, _ permit: MapLock.ReadPermit
    ) {
        self.raw = raw
        self.owner = owner
        self.bounds = bounds
        // LMDB first determines the number and then reads the state: the number is exact only if nothing was committed
        // in between.
        isNumberExact = bounds?.newestTransaction == mdb_txn_id(raw)
        self.permit = permit
    }

    /// A transaction on the snapshot; it must not outlive it.
    @usableFromInline
    package var transaction: ReadTransaction {
        ReadTransaction(raw, owner, bounds, isNumberExact: isNumberExact)
    }

    @usableFromInline
    package func finish() { owner.finishReading(raw, permit) }
}
