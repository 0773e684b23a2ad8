import Foundation

/// Where trials work.
enum SoakFolder {
    /// A new folder in the one that was asked for, or in memory, or among the temporary ones.
    static func make(in folder: String?) -> String {
        let memory = "/dev/shm"
        let parent =
            folder
            ?? (FileManager.default.isWritableFile(atPath: memory)
                ? memory : FileManager.default.temporaryDirectory.path)
        return "\(parent)/tripstore-soak-\(UUID().uuidString.prefix(8))"
    }
}
