package import Foundation

/// A mutex that whoever runs may take, also where others have waited for longer.
///
/// That of the standard library hands itself, on Linux, to the one who waits: where more threads than processors share it,
/// each turn then costs a switch between threads. So what many threads take for a moment at a time is guarded by this one:
/// eight that read on two processors read half as much again.
///
/// `@unchecked Sendable`: `value` is touched with `lock` locked.
package final class BargingMutex<Value>: @unchecked Sendable {
    @usableFromInline package let lock = NSLock()
    @usableFromInline package var value: Value

    package init(_ value: sending Value) { self.value = value }

    /// Runs `body` while no other thread can.
    @inlinable
    package func withLock<T, Failure: Error>(_ body: (inout Value) throws(Failure) -> T) throws(Failure) -> T {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
