import Foundation
import Synchronization

/// Counts the forks between this process and the one that loaded the library.
package enum ForkDetector {
    private static let count = Atomic<Int>(0)

    private static let registration: Int32 = pthread_atfork(nil, nil, { ForkDetector.count.add(1, ordering: .relaxed) })

    package static var forkCount: Int {
        _ = registration
        return count.load(ordering: .relaxed)
    }
}
