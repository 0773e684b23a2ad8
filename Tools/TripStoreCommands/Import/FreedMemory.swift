internal import CPlatform
import Synchronization

/// Gives back to the system what was freed between memory that is in use, each time that another part of a file was read.
///
/// The C library keeps it else: of a map of a gigabyte some 90 MiB where 26 MiB were in use.
final class FreedMemory: Sendable {
    /// Bytes of the file. One call takes some milliseconds.
    private static let step: Int64 = 16 << 20
    private let last = Atomic<Int64>(0)

    /// May be called from any thread. A stage begins anew at the start of the file.
    func note(bytesRead: Int64) {
        let before = last.load(ordering: .relaxed)
        guard abs(bytesRead - before) >= Self.step else { return }
        last.store(bytesRead, ordering: .relaxed)
        tripstore_trim_memory()
    }
}
