import Foundation
import Platform
import Synchronization

/// Orders the readers and the writer of this process around changes of the map, and keeps read transactions for reuse.
///
/// LMDB moves the whole map when its size changes, and leaves it to the caller that no transaction of the process, not
/// even one that is just beginning, looks at the old one. So: readers hold places; writers take turns (LMDB would let
/// a second one wait inside the library, where it wakes up on the old map); who changes the map holds the writers'
/// turn, closes the lock to readers, and waits until the readers are out.
///
/// A reader takes and leaves a place of its own by one atomic step each, and looks at `blocksReaders` after both. Whoever
/// closes it sets that first and looks at the places then. All of these are sequentially consistent: so either
/// the reader sees that the lock is closed, or who closes it sees that the place is taken; and one who leaves a place
/// that is waited for sees that as well. Short looks outside of transactions follow the same rule with `isRemapping`.
///
/// `@unchecked Sendable`: every variable is touched with `condition` locked; places and flags are atomic.
final class MapLock: @unchecked Sendable {
    private let path: String
    private let places = ReadTransactionPool()
    private let condition = NSCondition()
    /// Readers who found every place taken.
    private var readersWithoutPlace = 0
    private var changing = false
    private var writer: pthread_t?
    private var mapFailure: StorageError?
    /// Whether readers have to come through `condition`: the map changes, or is lost.
    private let blocksReaders = Atomic<Bool>(false)
    /// Whether looks have to come through `condition`.
    private let isRemapping = Atomic<Bool>(false)
    private let changes = Atomic<Int>(0)
    /// Where the map begins; 0 until a reader has found out.
    private let mapStart = Atomic<UInt>(0)

    init(path: String) {
        self.path = path
    }

    /// A reader that was let in: its reset transaction if one was kept, and the state of the map that it sees.
    struct ReadPermit {
        /// The number of its place; nil if all were taken.
        fileprivate let place: Int?
        let kept: OpaquePointer?
        let changes: Int
        /// Where the map begins, if a reader has found out.
        let mapStart: UInt?
    }

    /// Lets a reader in. Waits while the map changes.
    func enterReading() throws(StorageError) -> ReadPermit {
        if let (place, kept) = places.take() {
            if !blocksReaders.load(ordering: .sequentiallyConsistent) { return permit(place, kept) }
            places.leave(place, keeping: kept)
            wakeIfClosed()
        }
        return try enterWithoutPlace()
    }

    private func enterWithoutPlace() throws(StorageError) -> ReadPermit {
        condition.lock()
        defer { condition.unlock() }
        while changing { condition.wait() }
        if let mapFailure { throw mapFailure }
        readersWithoutPlace += 1
        return permit(nil, nil)
    }

    private func permit(_ place: Int?, _ kept: OpaquePointer?) -> ReadPermit {
        // Whoever is inside keeps them from changing.
        let start = mapStart.load(ordering: .acquiring)
        return ReadPermit(
            place: place, kept: kept, changes: changes.load(ordering: .acquiring), mapStart: start == 0 ? nil : start)
    }

    /// Lets a reader out and keeps its reset transaction; answers it if there is no room, for the caller to abort.
    func leaveReading(_ permit: ReadPermit, keeping transaction: OpaquePointer?) -> OpaquePointer? {
        if let place = permit.place {
            places.leave(place, keeping: transaction)
            wakeIfClosed()
            return nil
        }
        condition.lock()
        readersWithoutPlace -= 1
        if changing { condition.broadcast() }
        condition.unlock()
        return transaction
    }

    private func wakeIfClosed() {
        guard blocksReaders.load(ordering: .sequentiallyConsistent) else { return }
        condition.lock()
        condition.broadcast()
        condition.unlock()
    }

    /// Takes the writers' turn. Waits for the writer of this process that has it.
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
        if let mapFailure { throw mapFailure }
        writer = me
    }

    /// Gives up the writers' turn.
    func leaveWriting() {
        condition.lock()
        writer = nil
        condition.broadcast()
        condition.unlock()
    }

    /// Whether the map changed after a reader was let in that saw so many changes.
    func hasChanged(since changes: Int) -> Bool { self.changes.load(ordering: .acquiring) != changes }

    /// Keeps where the map begins. The caller is still inside, so that it has not changed since.
    func note(mapStart start: UInt) { mapStart.store(start, ordering: .releasing) }

    /// Runs `body`, which changes the map, while no other thread looks at it. The caller has the writers' turn.
    ///
    /// If `body` answers an error, LMDB has lost its map: from then on nobody is let in, and everyone is told why.
    func changeMap(_ body: () -> StorageError?) throws(StorageError) {
        condition.lock()
        defer { condition.unlock() }
        changing = true
        blocksReaders.store(true, ordering: .sequentiallyConsistent)
        while readersWithoutPlace > 0 || places.areTaken { condition.wait() }
        isRemapping.store(true, ordering: .sequentiallyConsistent)
        // A look is over in a moment: it waits for nothing.
        while places.areLookedFrom { sched_yield() }
        changes.add(1, ordering: .releasing)
        mapStart.store(0, ordering: .releasing)
        mapFailure = body()
        changing = false
        // Who comes to a map that is lost has to come to where the reason is told.
        if mapFailure == nil {
            isRemapping.store(false, ordering: .sequentiallyConsistent)
            blocksReaders.store(false, ordering: .sequentiallyConsistent)
        }
        condition.broadcast()
        if let mapFailure { throw mapFailure }
    }

    /// Whether somebody changes the map or waits to.
    var isChanging: Bool {
        condition.lock()
        defer { condition.unlock() }
        return changing
    }

    /// Runs a short `body` that looks at the map outside of any transaction. It must not come back to the lock, nor wait
    /// for anything.
    func withStableMap<T>(_ body: () -> T) throws(StorageError) -> T {
        let place = places.beginLook()
        guard isRemapping.load(ordering: .sequentiallyConsistent) else {
            defer { places.endLook(place) }
            return body()
        }
        places.endLook(place)
        condition.lock()
        defer { condition.unlock() }
        if let mapFailure { throw mapFailure }
        return body()
    }

    /// Gives up every kept transaction. Nobody reads any more.
    func drain(_ release: (OpaquePointer) -> Void) { places.drain(release) }
}
