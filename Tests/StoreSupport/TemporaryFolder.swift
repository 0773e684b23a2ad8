public import Foundation

/// A new folder that goes with the value.
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
    /// Copies what lies there to a folder that is still to be made. The files that tell of a process that has the log open are
    /// left: of one that was just let go they may vanish meanwhile.
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

    /// The path of a folder that is still to be made, and that somebody else removes.
    public static func unowned() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("tripstore-test-\(UUID().uuidString)").path
    }
}
