import Foundation
internal import LMDBLibrary
package import Platform

extension Environment {
    /// Closes the files until `resume`: no lock, no reader slot and no transaction of this process is left, so that the system may suspend
    /// it, and others may use the files as if it had ended. The handles of tables stay valid.
    ///
    /// Reads and writes that were begun end first; those that come later throw `StorageError.suspended`. A read that has not ended after half
    /// of the time ends at its next row, with the same error. Does nothing if the environment is suspended. Blocks, at most until the
    /// deadline and while another process writes.
    ///
    /// Throws `StorageError`: `.timedOut` if a read or a write does not end in time, and `.nested` inside of a read of this thread; the
    /// environment is then open as before.
    package func suspend(by deadline: ContinuousClock.Instant) throws(StorageError) {
        try checkNotForked()
        try checkNotReading("suspension")
        try mapLock.suspend(refusing: .suspended(path), by: deadline) {
            // If it fails, or there is no map to read, the next process to open the environment recovers, as after a kill.
            if !mapLock.isMapLost { try? checkpointInTurn() }
            closeFiles()
            EnvironmentRegistry.shared.suspended(registration)
        }
    }

    /// Opens a suspended environment again, in the state in which other processes have left it. Does nothing if it is not suspended.
    /// Blocks.
    ///
    /// Throws `StorageError` as opening does: it then stays suspended.
    package func resume() throws(StorageError) {
        try checkNotForked()
        guard mapLock.isClosed, try EnvironmentRegistry.shared.reopen(self) else { return }
        if !options.isReadOnly { _ = try? clearStaleReaders() }
    }

    /// Whether the environment is suspended, or about to be.
    package var isSuspended: Bool { mapLock.isSuspended }

    /// Waits until this process has no environment open in a folder or below it, but suspended ones; returns false if it has one at the deadline. Blocks.
    package static func awaitClosed(under folder: String, by deadline: ContinuousClock.Instant) -> Bool {
        EnvironmentRegistry.shared.awaitClosed(under: folder, by: deadline)
    }
}
