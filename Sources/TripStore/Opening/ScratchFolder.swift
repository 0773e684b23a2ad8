import Foundation
import LMDB

/// A temporary folder in which a store is read that cannot be written to: a copy of its log, and views.
final class ScratchFolder: Sendable {
    let layout: StoreLayout
    private let folder: LockedFolder

    /// Makes a new one in a folder, and removes those that killed processes left there. Throws `StorageError`.
    init(in parent: String = NSTemporaryDirectory()) throws {
        folder = try LockedFolder(in: parent, prefix: "tripstore-reading-", for: "reading the store")
        layout = StoreLayout(URL(fileURLWithPath: folder.path))
    }
}
