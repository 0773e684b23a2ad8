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
    /// The path of a folder that is still to be made, and that somebody else removes.
    public static func unowned() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("tripstore-test-\(UUID().uuidString)").path
    }
}
