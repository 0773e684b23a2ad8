@testable import Trips

/// Collections of an app, as fields of a trip.
enum TripCollections {
    static let labels = OwnSet<Trip, String>("org.example.collections", 1, "labels") { $0 != "bad" }
    static let packed = OwnMap<Trip, String, Bool>("org.example.collections", 2, "packed")
    static let visits = OwnCounter<Trip>("org.example.collections", 3, "visits")
    static let stops = OwnList<Trip, String>("org.example.collections", 4, "stops") { $0 != "bad" }
    static let days = OwnSet<Trip, Day>("org.example.collections", 5, "days")
    static let note = OwnField<Trip, String>("org.example.collections", 6, "note")
    static let shares = OwnMap<Trip, Trip.ID, Money>("org.example.collections", 7, "shares")

    static let all: [any SchemaPart] = [labels, packed, visits, stops, days, note, shares]

    /// An entity after its changes were written and read.
    static func written(_ draft: Trip, from original: Trip) -> Trip {
        var read = original
        if let event = TripEvent.edited(from: original, to: draft) { read.apply(event) }
        return read
    }
}
