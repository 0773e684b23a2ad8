import Synchronization

/// A number that tasks count up.
package final class Tally: Sendable {
    private let count = Mutex(0)

    package init() {}

    package var value: Int { count.withLock { $0 } }
    package func increase() { count.withLock { $0 += 1 } }
}
