import Foundation

/// Counts the readers of this process, keeps their transactions for reuse, and holds them off while the map changes.
///
/// `@unchecked Sendable`: every member is touched with `condition` locked.
final class ReaderGate: @unchecked Sendable {
    /// Reset read transactions kept for reuse. Each holds a reader slot, so their number is bounded.
    private static let keptTransactions = 16

    private let condition = NSCondition()
    private var active = 0
    private var changing = false
    private var idle: [OpaquePointer] = []

    /// Counts a reader in, and hands it a reset transaction if one is kept. Waits while the map changes.
    func enter() -> OpaquePointer? {
        condition.lock()
        defer { condition.unlock() }
        while changing { condition.wait() }
        active += 1
        return idle.popLast()
    }

    /// Counts a reader out and keeps its reset transaction; answers it if there is no room, for the caller to abort.
    func leave(keeping transaction: OpaquePointer?) -> OpaquePointer? {
        condition.lock()
        defer { condition.unlock() }
        active -= 1
        if changing && active == 0 { condition.broadcast() }
        guard let transaction else { return nil }
        guard idle.count < Self.keptTransactions else { return transaction }
        idle.append(transaction)
        return nil
    }

    /// Runs `body` while this process has no reader. Waits for those that are inside.
    func withoutReaders<T>(_ body: () -> T) -> T {
        condition.lock()
        while changing { condition.wait() }
        changing = true
        while active > 0 { condition.wait() }
        condition.unlock()
        defer {
            condition.lock()
            changing = false
            condition.broadcast()
            condition.unlock()
        }
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
