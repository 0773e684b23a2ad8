import Platform

/// Where an open store lies.
///
/// An open file can be read, and written, after its path leads to nothing or to another: nothing that is written there would stay.
struct StorePlace: Sendable {
    private let log: String
    private let found: FileIdentity?

    /// - Parameter folder: that of a store, which is open.
    init(_ folder: String) {
        // Not the folder: a store that is put back from a backup may come into the same one.
        log = "\(folder)/log/data.mdb"
        found = FileIdentity(path: log)
    }

    /// Whether the path leads to the file that it led to.
    var isUnchanged: Bool { FileIdentity(path: log) == found }
}
