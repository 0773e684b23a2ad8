import TripStore

/// A kind of this app's own, new in the second version: what was written of one day of a trip.
struct JournalEntry: OwnEntity {
    let id: Identifier<JournalEntry>
    var text = ""
    var trip: Trip.ID?
    var day: Day?
    var stored = StoredState()

    init(id: ID) { self.id = id }

    init(_ text: String, of trip: Trip.ID, on day: Day?) {
        self.init(id: .new())
        self.text = text
        self.trip = trip
        self.day = day
    }

    static let schema = Schema<JournalEntry>(
        "org.example.journal", 1, "entry",
        [Field(1, "text", \.text, isRequired: true), .parent("trip", \.trip), Field(3, "day", \.day)])

    static let tags = OwnSet<JournalEntry, String>("org.example.journal", 1, "tags")
}
