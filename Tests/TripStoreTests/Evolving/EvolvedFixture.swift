import Events

@testable import TripStore

extension Trip {
    static let budgetText = OwnField<Trip, String>("org.example.evolving", 1, "budgetText")
    static let budget = OwnField<Trip, Money>(
        "org.example.evolving", 2, "budget",
        replacing: Upcaster(budgetText, upgrade: { Money($0, "EUR") }, downgrade: { $0.amount }))
    static let limit = OwnField<Trip, Int>(
        "org.example.evolving", 3, "limit",
        replacing: Upcaster(budgetText, upgrade: { Double($0).flatMap { Int(exactly: $0.rounded()) } }))

    /// All versions of the app together.
    static let evolving: [any SchemaPart] = [budgetText, budget, limit, Ticket.schema]
}

/// An app's kind whose first version had the price as text.
struct Ticket: OwnEntity {
    let id: Identifier<Ticket>
    var what = ""
    var price: Money?
    var stored = StoredState()

    init(id: ID) { self.id = id }

    init(_ what: String, _ price: Money?) { (id, self.what, self.price) = (.new(), what, price) }

    static let priceText = FormerField<Ticket, String>(3, "priceText")
    static let schema = Schema<Ticket>(
        "org.example.evolving", 1, "ticket",
        [
            Field(1, "what", \.what, isRequired: true),
            Field(
                4, "price", \.price,
                replacing: Upcaster(priceText, upgrade: { Money($0, "EUR") }, downgrade: { $0.amount })),
        ])

    /// What the first version writes.
    static func writing(_ price: String?) -> FieldChange<Ticket> {
        FieldChange(field: 3, value: price.map { Array($0.utf8) })
    }
}
