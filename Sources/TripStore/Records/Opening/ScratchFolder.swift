import Foundation
import Platform

/// A temporary folder in which a store is read that cannot be written to: a copy of its log, and views.
final class ScratchFolder: Sendable {
    private static let prefix = "tripstore-reading-"

    let layout: StoreLayout
    private let folder: LockedFolder

    /// Makes a new one in a folder, and removes those that killed processes left there. Throws `StorageError`.
    init(in parent: String = NSTemporaryDirectory()) throws {
        folder = try LockedFolder(in: parent, prefix: Self.prefix, for: "reading the store")
        layout = StoreLayout(URL(fileURLWithPath: folder.path))
    }

    /// Removes those that killed processes left in a folder.
    static func removeLeft(in parent: String = NSTemporaryDirectory()) { LockedFolder.removeLeft(in: parent, prefix) }
}
