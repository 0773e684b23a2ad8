import Foundation
import Platform
import Synchronization

/// Orders the readers and the writer of this process around changes of the map, and keeps read transactions for reuse.
///
/// LMDB moves the whole map when its size changes. The caller must guarantee that no transaction of the process uses
/// the old map, not even one that is just beginning. So:
///
/// - Each reader holds a pool slot.
/// - Writers take turns: one thread of the process holds the writer turn. (LMDB would let a second one wait inside the
///   library, where it wakes up on the old map.)
/// - The thread that changes the map holds the writer turn, blocks new readers, and waits until the present ones are
///   out.
/// - The thread that suspends the environment refuses new readers and writers, and waits until the present ones are
///   out.
///
/// A reader takes and frees its slot by one atomic step each, and reads `blocksReaders` after both. The thread that
/// changes the map first sets `blocksReaders` and then reads the slots. All of these are sequentially consistent: so
/// either the reader sees that readers are blocked, or the other thread sees that the slot is taken; and a reader that
/// frees a slot which the other waits for sees that as well. Short accesses outside of transactions follow the same
/// rule with `isRemapping`.
///
/// `@unchecked Sendable`: every variable is touched with `condition` locked; slots and flags are atomic.
final class MapLock: @unchecked Sendable {
    private let path: String
    private let pool = ReadTransactionPool()
    private let condition = NSCondition()
    /// Readers who found every slot taken.
    private var readersWithoutSlot = 0
    private var changing = false
    private var writer: pthread_t?
    private var mapFailure: StorageError?
    /// Set from the moment at which a suspension begins.
    private var suspension: StorageError?
    /// Whether the environment is closed.
    private var hasClosed = false
    /// Why nothing may begin.
    private var refusal: StorageError? { suspension ?? mapFailure }
    /// Whether readers must go through `condition`: the map is changing, lost, or about to be closed.
    private let blocksReaders = Atomic<Bool>(false)
    /// Whether reads in progress must throw at their next row: a suspension waits for them.
    private let endsReads = Atomic<Bool>(false)
    /// Whether short accesses must go through `condition`.
    private let isRemapping = Atomic<Bool>(false)
    private let changes = Atomic<Int>(0)
    /// Start of the map; 0 until a reader has found it.
    private let mapStart = Atomic<UInt>(0)

    init(path: String) {
        self.path = path
    }

    /// An admitted reader: its reset transaction if one was kept, and the state of the map that it sees.
    struct ReadPermit {
        /// The index of its slot; nil if all were taken.
        fileprivate let slot: Int?
        let kept: OpaquePointer?
        let changes: Int
        /// Start of the map, if a reader has found it.
        let mapStart: UInt?
        /// Whether it can leave a transaction for the next reader.
        var hasSlot: Bool { slot != nil }
    }

    /// Admits a reader. Waits while the map changes.
    func enterReading() throws(StorageError) -> ReadPermit {
        if let (slot, kept) = pool.take() {
            if !blocksReaders.load(ordering: .sequentiallyConsistent) { return permit(slot, kept) }
            pool.leave(slot, keeping: kept)
            wakeIfClosed()
        }
        return try enterWithoutSlot()
    }

    private func enterWithoutSlot() throws(StorageError) -> ReadPermit {
        condition.lock()
        defer { condition.unlock() }
        while changing { condition.wait() }
        if let refusal { throw refusal }
        readersWithoutSlot += 1
        return permit(nil, nil)
    }

    private func permit(_ slot: Int?, _ kept: OpaquePointer?) -> ReadPermit {
        // The admitted reader keeps both from changing.
        let start = mapStart.load(ordering: .acquiring)
        return ReadPermit(
            slot: slot, kept: kept, changes: changes.load(ordering: .acquiring), mapStart: start == 0 ? nil : start)
    }

    /// Ends a reader's stay and keeps its reset transaction; returns the transaction if there is no room, for the
    /// caller to abort.
    func leaveReading(_ permit: ReadPermit, keeping transaction: OpaquePointer?) -> OpaquePointer? {
        if let slot = permit.slot {
            pool.leave(slot, keeping: transaction)
            wakeIfClosed()
            return nil
        }
        condition.lock()
        readersWithoutSlot -= 1
        if changing || suspension != nil { condition.broadcast() }
        condition.unlock()
        return transaction
    }

    private func wakeIfClosed() {
        guard blocksReaders.load(ordering: .sequentiallyConsistent) else { return }
        condition.lock()
        condition.broadcast()
        condition.unlock()
    }

    /// Takes the writer turn. Waits while another thread of this process holds it.
    func enterWriting() throws(StorageError) {
        condition.lock()
        defer { condition.unlock() }
        let me = pthread_self()
        if let writer, pthread_equal(writer, me) != 0 {
            throw StorageError(
                .nested,
                "A write to \(path) was begun inside another on the same thread. Pass the transaction on instead.")
        }
        while writer != nil { condition.wait() }
        if let refusal { throw refusal }
        writer = me
    }

    /// Releases the writer turn.
    func leaveWriting() {
        condition.lock()
        writer = nil
        condition.broadcast()
        condition.unlock()
    }

    /// Whether the map changed since a reader was admitted that saw that many changes.
    func hasChanged(since changes: Int) -> Bool { self.changes.load(ordering: .acquiring) != changes }

    /// Stores the start of the map. The caller is an admitted reader, so the map has not changed since.
    func note(mapStart start: UInt) { mapStart.store(start, ordering: .releasing) }

    /// Runs `body`, which changes the map, while no other thread uses it. The caller holds the writer turn.
    ///
    /// If `body` returns an error, LMDB has lost its map: from then on every call throws that error.
    func changeMap(_ body: () -> StorageError?) throws(StorageError) {
        condition.lock()
        defer { condition.unlock() }
        changing = true
        blocksReaders.store(true, ordering: .sequentiallyConsistent)
        while readersWithoutSlot > 0 || pool.areTaken { condition.wait() }
        isRemapping.store(true, ordering: .sequentiallyConsistent)
        // Short accesses wait for nothing, so they end in a moment.
        while pool.hasAccesses { sched_yield() }
        changes.add(1, ordering: .releasing)
        mapStart.store(0, ordering: .releasing)
        mapFailure = body()
        changing = false
        // With a lost map, readers stay blocked, so that they reach the check that throws the reason.
        isRemapping.store(mapFailure != nil, ordering: .sequentiallyConsistent)
        blocksReaders.store(refusal != nil, ordering: .sequentiallyConsistent)
        condition.broadcast()
        if let mapFailure { throw mapFailure }
    }

    /// Whether a thread changes the map or waits to.
    var isChanging: Bool {
        condition.lock()
        defer { condition.unlock() }
        return changing
    }

    /// Runs a short `body` that reads the map outside of any transaction. It must not call this lock again, nor wait
    /// for anything.
    func withStableMap<T>(_ body: () -> T) throws(StorageError) -> T {
        let slot = pool.beginAccess()
        guard isRemapping.load(ordering: .sequentiallyConsistent) else {
            defer { pool.endAccess(slot) }
            return body()
        }
        pool.endAccess(slot)
        condition.lock()
        defer { condition.unlock() }
        if let refusal { throw refusal }
        return body()
    }

    /// Passes every kept transaction to `release`. No reader is left, and none enters.
    func drain(_ release: (OpaquePointer) -> Void) { pool.drain(release) }

    // MARK: Suspending

    /// Refuses readers and writers from now on, waits until those that are in have left, and runs `close`, which closes the
    /// environment. When half of the time has passed, reads in progress end: they throw `refusal` at their next row.
    ///
    /// The calling thread is none of them. Throws `StorageError.timedOut` if one is still in at the deadline: nothing is refused then.
    func suspend(
        refusing refusal: StorageError, by deadline: ContinuousClock.Instant, _ close: () -> Void
    ) throws(StorageError) {
        guard try emptyForClosing(refusal, by: deadline) else { return }
        // Not under the lock, for it waits for the medium: who comes meanwhile is refused without a wait.
        close()
        condition.withLock {
            (hasClosed, mapFailure) = (true, nil)
            condition.broadcast()
        }
    }

    /// Returns false if the environment is closed already.
    private func emptyForClosing(
        _ refusal: StorageError, by deadline: ContinuousClock.Instant
    ) throws(StorageError) -> Bool {
        func wait(until end: ContinuousClock.Instant) -> Bool {
            condition.wait(until: Date(timeIntervalSinceNow: (end - .now) / .seconds(1)))
        }
        condition.lock()
        defer { condition.unlock() }
        // A suspension that another thread has begun may fail yet.
        while suspension != nil, !hasClosed { guard wait(until: deadline) else { throw isLate("another suspension") } }
        if hasClosed { return false }
        suspension = refusal
        blocksReaders.store(true, ordering: .sequentiallyConsistent)
        // Threads that wait for the writer turn are refused.
        condition.broadcast()
        let now = ContinuousClock.now
        // Found once: a reader that is about to be refused has a slot for a moment.
        var hasEmptied = isEmpty
        for end in [now + (deadline - now) / 2, deadline] {
            while !hasEmptied, wait(until: end) { hasEmptied = isEmpty }
            endsReads.store(true, ordering: .relaxed)
        }
        guard hasEmptied || isEmpty else {
            let holder = writer == nil ? "a read" : "a write"
            admit()
            throw isLate(holder)
        }
        isRemapping.store(true, ordering: .sequentiallyConsistent)
        while pool.hasAccesses { sched_yield() }
        changes.add(1, ordering: .releasing)
        mapStart.store(0, ordering: .releasing)
        return true
    }

    /// Whether neither a reader nor a writer is in.
    private var isEmpty: Bool { writer == nil && readersWithoutSlot == 0 && !pool.areTaken }

    private func isLate(_ holder: String) -> StorageError {
        StorageError(
            .timedOut,
            "\(path) could not be suspended in time: \(holder) has not ended. End what runs for long first, such as a backup, and suspend "
                + "again; nothing was closed.")
    }

    /// Ends a suspension, after the environment was opened again.
    func resume() {
        condition.lock()
        admit()
        condition.unlock()
    }

    private func admit() {
        (suspension, hasClosed) = (nil, false)
        endsReads.store(false, ordering: .relaxed)
        isRemapping.store(mapFailure != nil, ordering: .sequentiallyConsistent)
        blocksReaders.store(changing || mapFailure != nil, ordering: .sequentiallyConsistent)
        condition.broadcast()
    }

    /// Whether a suspension has begun, or stands.
    var isSuspended: Bool { condition.withLock { suspension != nil } }
    /// Whether it stands.
    var isClosed: Bool { condition.withLock { hasClosed } }
    /// Whether LMDB has lost its map.
    var isMapLost: Bool { condition.withLock { mapFailure != nil } }

    /// Throws once a suspension waits for the calling reader to end. Takes no longer than a read of memory.
    @inline(__always)
    func checkReadMayGoOn() throws(StorageError) {
        if endsReads.load(ordering: .relaxed) { try throwRefusal() }
    }

    @inline(never)
    private func throwRefusal() throws(StorageError) {
        if let refusal = condition.withLock({ refusal }) { throw refusal }
    }
}
