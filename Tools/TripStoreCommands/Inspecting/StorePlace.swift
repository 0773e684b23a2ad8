import Platform

/// Place of an open store.
///
/// An open file can be read, and written, after its path leads to nothing or to another: nothing that is written there would stay.
struct StorePlace: Sendable {
    private let folder: String
    private let log: String
    private let found: FileIdentity?

    /// - Parameter folder: that of a store, which is open.
    init(_ folder: String) {
        // Not the folder: a store that is put back from a backup may come into the same one.
        self.folder = folder
        log = "\(folder)/log/data.mdb"
        found = FileIdentity(path: log)
    }

    /// Throws `CommandError` with `noStore` unless the path leads to the file that it led to.
    func check() throws(CommandError) {
        guard FileIdentity(path: log) != found else { return }
        throw CommandError(
            "There is no store at \(folder) any more, or another one. Put it back, or start the command anew.",
            code: "noStore")
    }
}
