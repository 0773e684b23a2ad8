import Trips

// As an app sees the module: its own declarations are not at hand.

enum Weight: Int, OwnFieldValue {
    case light = 1
    case heavy
}

struct Thing: OwnEntity {
    let id: Identifier<Thing>
    var what = ""
    var trip: Trip.ID?
    var count = 1
    var weight: Weight?
    var price: Money?
    var isPacked = false
    var stored = StoredState()

    init(id: ID) { self.id = id }

    init(_ what: String, in trip: Trip.ID?, id: ID = .new()) {
        (self.id, self.what, self.trip) = (id, what, trip)
    }

    static let schema = Schema<Thing>(
        "org.example.things", 3, "thing",
        [
            Field(1, "what", \.what, isRequired: true), .parent("trip", \.trip),
            Field(3, "count", \.count) { $0 > 0 }, Field(4, "weight", \.weight), Field(5, "price", \.price),
            Field(6, "isPacked", \.isPacked),
        ])
}
