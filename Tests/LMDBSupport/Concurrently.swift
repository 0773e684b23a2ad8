import Foundation
import Synchronization

/// Runs `body` on that many threads at once; returns the errors that they threw, as text.
package func concurrently(_ threads: Int, _ body: @escaping @Sendable (Int) throws -> Void) -> [String] {
    let failures = Mutex<[String]>([])
    let group = DispatchGroup()
    for number in 0..<threads {
        group.enter()
        Thread.detachNewThread {
            do {
                try body(number)
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
            group.leave()
        }
    }
    group.wait()
    return failures.withLock { $0 }
}
