import Foundation

/// Orders the readers and the writer of this process around changes of the map, and keeps read transactions for reuse.
///
/// LMDB moves the whole map when its size changes, and leaves it to the caller that no transaction of the process, not
/// even one that is just beginning, looks at the old one. So: readers are counted; writers take turns (LMDB would let
/// a second one wait inside the library, where it wakes up on the old map); who changes the map holds the writers'
/// turn, and waits until the readers are out.
///
/// `@unchecked Sendable`: every member is touched with `condition` locked.
final class MapGate: @unchecked Sendable {
    /// Reset read transactions kept for reuse. Each holds a reader slot, so their number is bounded.
    private static let keptTransactions = 16

    private let path: String
    private let condition = NSCondition()
    private var active = 0
    private var changing = false
    private var writer: pthread_t?
    private var changes = 0
    private var mapStart: UInt?
    private var loss: LMDBError?
    private var idle: [OpaquePointer] = []

    init(path: String) {
        self.path = path
    }

    /// A reader that was counted in: its reset transaction if one was kept, and the state of the map that it sees.
    struct Admission {
        let kept: OpaquePointer?
        let changes: Int
        /// Where the map begins, if a reader has found out.
        let mapStart: UInt?
    }

    /// Counts a reader in. Waits while the map changes.
    func enterReading() throws(LMDBError) -> Admission {
        condition.lock()
        defer { condition.unlock() }
        while changing { condition.wait() }
        if let loss { throw loss }
        active += 1
        return Admission(kept: idle.popLast(), changes: changes, mapStart: mapStart)
    }

    /// Counts a reader out and keeps its reset transaction; answers it if there is no room, for the caller to abort.
    func leaveReading(keeping transaction: OpaquePointer?) -> OpaquePointer? {
        condition.lock()
        defer { condition.unlock() }
        active -= 1
        if changing && active == 0 { condition.broadcast() }
        guard let transaction else { return nil }
        guard idle.count < Self.keptTransactions else { return transaction }
        idle.append(transaction)
        return nil
    }

    /// Takes the writers' turn. Waits for the writer of this process that has it.
    func enterWriting() throws(LMDBError) {
        condition.lock()
        defer { condition.unlock() }
        let me = pthread_self()
        if let writer, pthread_equal(writer, me) != 0 {
            throw LMDBError(
                .other,
                "A write to \(path) was begun inside another on the same thread. Pass the transaction on instead.")
        }
        while writer != nil { condition.wait() }
        if let loss { throw loss }
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
    func hasChanged(since changes: Int) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        return self.changes != changes
    }

    /// Keeps where the map begins. The caller is still inside, so that it has not changed since.
    func note(mapStart start: UInt) {
        condition.lock()
        mapStart = start
        condition.unlock()
    }

    /// Runs `body`, which changes the map, while no other thread looks at it. The caller has the writers' turn.
    ///
    /// If `body` answers an error, LMDB has lost its map: from then on nobody is let in, and everyone is told why.
    func changeMap(_ body: () -> LMDBError?) throws(LMDBError) {
        condition.lock()
        defer { condition.unlock() }
        changing = true
        while active > 0 { condition.wait() }
        changes += 1
        mapStart = nil
        loss = body()
        changing = false
        condition.broadcast()
        if let loss { throw loss }
    }

    /// Whether somebody changes the map or waits to.
    var isChanging: Bool {
        condition.lock()
        defer { condition.unlock() }
        return changing
    }

    /// Runs a short `body` that looks at the map outside of any transaction. It must not come back to the gate.
    func lookAtMap<T>(_ body: () -> T) throws(LMDBError) -> T {
        condition.lock()
        defer { condition.unlock() }
        if let loss { throw loss }
        return body()
    }

    /// Gives up every kept transaction.
    func drain(_ release: (OpaquePointer) -> Void) {
        condition.lock()
        defer { condition.unlock() }
        idle.forEach(release)
        idle.removeAll()
    }
}
