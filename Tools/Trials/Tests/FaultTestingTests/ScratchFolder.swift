import Foundation

/// A new folder in memory, where the system has that, that goes with the value.
final class ScratchFolder: Sendable {
    let path: String

    init() {
        let memory = "/dev/shm"
        let parent =
            FileManager.default.isWritableFile(atPath: memory)
            ? memory : FileManager.default.temporaryDirectory.path
        path = "\(parent)/tripstore-test-\(UUID().uuidString)"
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
