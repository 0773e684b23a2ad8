import TripFormats

/// The columns of a table that are not read, although cells of them say something.
struct UnreadColumns {
    private var unknown: Set<String> = []
    private var changed: [String: TextPlace] = [:]

    /// Notes a column that is no field of an entity.
    mutating func note(unknown name: String) { unknown.insert(name) }

    /// Notes a cell that says something else than the store, of a column that people cannot change.
    mutating func note(changed name: String, at place: TextPlace) {
        if changed[name] == nil { changed[name] = place }
    }

    var warnings: [String] {
        unknown.sorted().map {
            "The column '\($0.prefix(60))' is no field of what is in its rows: it was not read."
        }
            + changed.sorted { $0.key < $1.key }.map {
                "line \($1.line): '\($0)' says something else than the store, which alone writes it: the column was not read."
            }
    }
}
