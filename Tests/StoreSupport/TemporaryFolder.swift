public import Foundation

/// A new folder that is removed with the value.
public final class TemporaryFolder: Sendable {
    public let url: URL

    public init() {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("tripstore-test-\(UUID().uuidString)")
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// A path inside.
    public func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}

extension TemporaryFolder {
    /// Copies its content to a folder that does not exist yet. The files that mark a process as having the log open are
    /// left out: they may vanish meanwhile if it was just released.
    public func copy(to target: TemporaryFolder) throws {
        let files = FileManager.default
        try files.createDirectory(at: target.url, withIntermediateDirectories: true)
        for name in try files.subpathsOfDirectory(atPath: url.path).sorted() {
            if name.split(separator: "/").last?.hasPrefix("open-") == true { continue }
            var isFolder: ObjCBool = false
            guard files.fileExists(atPath: path(name), isDirectory: &isFolder) else { continue }
            if isFolder.boolValue {
                try files.createDirectory(atPath: target.path(name), withIntermediateDirectories: true)
            } else {
                try files.copyItem(atPath: path(name), toPath: target.path(name))
            }
        }
    }

    /// The path of a folder that does not exist yet, and that the caller removes.
    public static func unowned() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("tripstore-test-\(UUID().uuidString)").path
    }
}
