import Foundation
internal import LMDBLibrary
import Platform

/// The version of the LMDB library that the program runs with.
enum LMDBVersion {
    /// Refuses a library that would write another file format: only 0.9 writes data version 1, which this package
    /// checks, repairs and documents.
    ///
    /// Throws `StorageError.unsupportedVersion`.
    static func check() throws(StorageError) {
        var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
        _ = mdb_version(&major, &minor, &patch)
        try check(major: major, minor: minor, patch: patch)
        if LMDBLibrary.isBundled, let other = loadedBesides { throw isDouble(other) }
    }

    /// The system's library, if something in the program has loaded it besides the one that the program brings along.
    private static let loadedBesides = System.lmdb.first { name in
        guard let library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD) else { return false }
        dlclose(library)
        return true
    }

    /// Each would keep locks of its own, and end those of the other.
    static func isDouble(_ name: String) -> StorageError {
        StorageError(
            .unsupportedVersion,
            "The program brings LMDB along, and has loaded \(name) as well. Build it without the trait BundledLMDB, or without what links "
                + "the system's; nothing was changed.")
    }

    static func check(major: Int32, minor: Int32, patch: Int32) throws(StorageError) {
        // Previews of 1.0 report 0.9.70 and up.
        guard major == 0, minor == 9, patch < 70 else {
            throw StorageError(
                .unsupportedVersion,
                "The program runs with LMDB \(major).\(minor).\(patch), and only 0.9 is supported. Install LMDB 0.9 "
                    + "(Debian: liblmdb0); nothing was changed.")
        }
    }
}
