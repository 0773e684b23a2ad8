package import Platform
import Synchronization

/// Says that a log is suspended, or about to be: appends are refused, and work that takes long ends.
package final class SuspensionFlag: Sendable {
    private let path: String
    private let isRaised = Atomic(false)

    init(_ path: String) { self.path = path }

    package var isSet: Bool {
        get { isRaised.load(ordering: .acquiring) }
        set { isRaised.store(newValue, ordering: .releasing) }
    }

    /// Throws `StorageError.suspended` while it is set. Takes no longer than a read of memory.
    package func check() throws(StorageError) { if isSet { throw .suspended(path) } }
}
