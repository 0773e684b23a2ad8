/// The amount that a trip, or a category of its items, may cost in one currency.
///
/// Several budgets of one trip with the same category and currency add up: so two that are made concurrently lose nothing.
public struct Budget: OwnEntity, BuiltInEntity {
    public let id: Identifier<Budget>
    /// Which items it is for: those with this as their own `category`, as in "food", or as the name of their kind, as in "lodging". Empty for
    /// all items of the trip.
    public var category = ""
    public var trip: Trip.ID?
    public var amount: Money?
    public var notes = ""
    var state = StoredState()

    init(blank id: ID) { self.id = id }

    public init(id: ID = .new(), _ amount: Money, for category: String = "", in trip: Trip.ID, notes: String = "") {
        self.id = id
        self.amount = amount
        self.category = category
        self.trip = trip
        self.notes = notes
    }

    static let builtInSchema = Schema<Budget>(
        store: 2, "budget",
        [
            Field(1, "category", \.category).help(
                "Which items it is for: their category or kind, as food or lodging; all if it is left out.",
                search: .tag),
            .parent("trip", \.trip).help(.common("The trip.")),
            Field(3, "amount", \.amount, isRequired: true).help("The amount."),
            Field(4, "notes", \.notes).help(.common("Notes."), search: .notes),
        ])
}
