public import Foundation
import Synchronization

/// Starts processes, and makes the pipes to them, one at a time.
///
/// On Linux, Foundation lists the open descriptors, and then starts the child with all of these closed. A pipe that
/// another thread makes in between stays open in that child, so its reader does not see its end before that child ends,
/// too.
private let spawning = Mutex(())

extension Process {
    /// Starts the process as `run()` does, while no other is started and no pipe made.
    public func start() throws { try spawning.withLock { _ in try run() } }
}

extension Pipe {
    /// A pipe that no process inherits which is being started on another thread.
    public static func made() -> Pipe { spawning.withLock { _ in Pipe() } }
}
