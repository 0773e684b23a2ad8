import TripStore

// What this app has beside the store's own fields. Each is declared once; a number is never used for anything else.

extension Trip {
    /// Of the first version.
    static let rating = OwnField<Trip, Int>("org.example.journal", 1, "rating") { 1...5 ~= $0 }
    static let labels = OwnSet<Trip, String>("org.example.journal", 2, "labels") { !$0.isEmpty }
    static let visits = OwnCounter<Trip>("org.example.journal", 3, "visits")

    /// New in the second version, which reads and writes those of the first as they are.
    static let stops = OwnList<Trip, String>("org.example.journal", 4, "stops") { !$0.isEmpty }
    static let packed = OwnMap<Trip, String, Bool>("org.example.journal", 5, "packed")

    /// New in the third version: replaces the stars, which older versions go on to read and write.
    static let score = OwnField<Trip, Int>(
        "org.example.journal", 6, "score",
        replacing: Upcaster(rating, upgrade: { min(max($0, 1), 5) * 20 }, downgrade: { min(max($0 / 20, 1), 5) })
    ) { 0...100 ~= $0 }
}

/// Which version of the app runs.
enum JournalVersion: Int, Comparable {
    case first = 1
    case second
    case third

    static func < (a: JournalVersion, b: JournalVersion) -> Bool { a.rawValue < b.rawValue }

    /// The fields and kinds that it knows. Its store writes their names into the log, so that the tool and other programs show them.
    var schema: [any SchemaPart] {
        var schema: [any SchemaPart] = [Trip.rating, Trip.labels, Trip.visits]
        if self >= .second { schema += [Trip.stops, Trip.packed, JournalEntry.schema, JournalEntry.tags] }
        if self >= .third { schema.append(Trip.score) }
        return schema
    }
}
