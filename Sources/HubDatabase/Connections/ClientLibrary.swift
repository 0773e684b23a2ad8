import CPostgreSQL
import Platform

/// The system's libpq.
///
/// `@unchecked Sendable`: pointers to functions of a library that is never unloaded. libpq is thread-safe as long as a connection is
/// used by one thread at a time.
package struct ClientLibrary: @unchecked Sendable {
    let calls: tripstore_libpq

    /// Found once a process; nil if there is none.
    package static let system = ClientLibrary(System.libpq)

    /// Takes the first of these files that there is. In tests: no names, no library.
    init?(_ names: [String]) {
        let found = names.lazy.compactMap { name -> tripstore_libpq? in
            var library = tripstore_libpq()
            return tripstore_load_libpq(name, &library) != 0 ? library : nil
        }.first
        guard let found else { return nil }
        calls = found
    }

    package static let missing = DatabaseError(
        .noLibrary,
        "PostgreSQL's client library, libpq, is not on this machine. Install it: apt-get install libpq5, or brew install libpq."
    )
}
