// `stat` belongs to it where NIO is imported too.
import CoreFoundation
import Foundation

/// A directory for one row's data, on the measured medium; it is removed with its content.
struct ScratchDirectory: Sendable {
    let settings: Settings
    let folder: URL

    static func use<T>(
        _ settings: Settings, name: String, _ body: (ScratchDirectory) async throws -> T
    ) async throws -> T {
        let parent = URL(fileURLWithPath: settings.folder)
        removeLeftovers(in: parent)
        let folder = parent.appendingPathComponent("\(name)-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(ScratchDirectory(settings: settings, folder: folder))
    }

    /// Removes the directories of processes that did not end normally.
    private static func removeLeftovers(in parent: URL) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? [] {
            guard let pid = name.split(separator: "-").last.flatMap({ pid_t($0) }), kill(pid, 0) != 0, errno == ESRCH
            else { continue }
            try? FileManager.default.removeItem(at: parent.appendingPathComponent(name))
        }
    }

    /// A new folder, removed afterwards.
    func withFolder<T>(_ name: String = "data", _ body: (URL) async throws -> T) async throws -> T {
        let made = try makeFolder(name)
        defer { try? FileManager.default.removeItem(at: made) }
        return try await body(made)
    }

    /// A new folder that stays as long as the scratch directory.
    func makeFolder(_ name: String) throws -> URL {
        let made = folder.appendingPathComponent("\(name)-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
        return made
    }

    /// Bytes that a file takes on the medium.
    static func bytesOnDisk(_ file: URL) -> Int {
        var status = stat()
        return stat(file.path, &status) == 0 ? Int(status.st_blocks) * 512 : 0
    }

    /// The same of all files of a folder and the folders in it.
    static func bytesOnDisk(in folder: URL) -> Int {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (files?.compactMap { $0 as? URL } ?? []).reduce(0) { $0 + bytesOnDisk($1) }
    }
}
