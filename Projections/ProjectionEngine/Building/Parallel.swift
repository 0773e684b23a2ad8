import Dispatch
import Synchronization

/// Runs work on several threads at once, for callers whose thread may block.
enum Parallel {
    /// The number of threads that a rebuild uses for work that can be divided.
    static let width = 2

    /// Calls `body` with the numbers below a count, on several threads. Returns when all calls have returned; after one
    /// has thrown, no further calls begin.
    ///
    /// Throws the error of the lowest number whose call threw.
    static func forEach(_ count: Int, _ body: @Sendable (Int) throws -> Void) throws {
        let failure = Mutex<(number: Int, error: any Error)?>(nil)
        DispatchQueue.concurrentPerform(iterations: count) { number in
            if failure.withLock({ $0 != nil }) { return }
            do { try body(number) } catch {
                failure.withLock { if $0.map({ number < $0.number }) ?? true { $0 = (number, error) } }
            }
        }
        if let failure = failure.withLock({ $0 }) { throw failure.error }
    }
}
