import Events
import TripFormats
import TripStore

/// Warnings about the money of what people write or delete.
enum MoneyWarnings {
    /// Warns of values of an item that do not count or do not add up, if any of its money or shares was set.
    static func warn(
        of entity: some TripEntity, given: [FieldOption], _ ownFields: OwnFieldOptions, in store: TripStore
    ) throws {
        let isOfMoney = ownFields.areGiven || given.contains { $0.theme == .money || $0.theme == .people }
        guard isOfMoney, let item = TripItem(entity) else { return }
        let travellers = try item.trip.flatMap { try store.trip($0) }?.travellers ?? []
        for doubt in item.moneyDoubts(among: travellers) {
            let names = try doubt.traveller.map { [$0: try store.entity($0)?.name] } ?? [:]
            Console.current.warn("\(item.name): \(doubt.words { names[$0].flatMap { $0 } ?? "\($0)" }).")
        }
    }

    /// The changes while a traveller is deleted, in sentences; none if nothing names the traveller.
    static func changes(withoutTraveller id: Traveller.ID, in store: TripStore) throws -> [String] {
        guard let name = try store.entity(id)?.name else { return [] }
        let trips = try store.fetch(Query<Trip>(in: store.knownSchema).where(parsing: "travellers contains \(id)")).rows
        let sharing = try countItems("participants contains \(id)", in: store)
        let paying = try countItems("payer = \(id)", in: store)
        let entries = try store.count(
            Query<ChecklistEntry>(in: store.knownSchema).where(parsing: "assignee = \(id)"))
        let facts = [
            (trips.count, "trip", "travels in"), (sharing, "item", "takes part in"),
            (paying, "item", "is the payer of"),
            (entries, "entry", "is to do"),
        ].filter { $0.0 > 0 }.map { count, noun, verb in
            "\(verb) \(count.counted(noun))"
        }
        guard !facts.isEmpty else { return [] }
        var lines = ["\(name) \(facts.joined(separator: ", ")): none of them names \(name) until it is restored."]
        for trip in trips {
            for balance in try store.balances(of: trip.id) where balance.traveller == id && balance.balance != 0 {
                let amount = CostSum(currency: balance.currency, minorUnits: Int128(balance.balance.magnitude)).words
                lines.append(
                    "In '\(trip.name)' \(name) \(balance.balance > 0 ? "gets" : "gives") \(amount) no more: "
                        + "what is left is shared and settled by the others.")
            }
        }
        return lines
    }

    private static func countItems(_ condition: String, in store: TripStore) throws -> Int {
        try store.count(Query<Activity>(in: store.knownSchema).where(parsing: condition))
            + store.count(Query<Lodging>(in: store.knownSchema).where(parsing: condition))
            + store.count(Query<Transportation>(in: store.knownSchema).where(parsing: condition))
    }
}
