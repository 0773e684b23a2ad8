import Foundation

/// The folder of trials.
enum SoakFolder {
    /// A new folder in the requested one, in memory, or among the temporary ones.
    static func make(in folder: String?) -> String {
        let memory = "/dev/shm"
        let parent =
            folder
            ?? (FileManager.default.isWritableFile(atPath: memory)
                ? memory : FileManager.default.temporaryDirectory.path)
        return "\(parent)/tripstore-soak-\(UUID().uuidString.prefix(8))"
    }
}
