import TripStore
import Trips

/// The items of all kinds that meet a condition. A kind that lacks a field of the condition has none.
struct ItemCondition {
    private let met: Set<EntityReference>

    /// Throws `QueryTextError` if it is no condition of any kind of items.
    init(parsing text: String, in store: TripStore, from source: any TripQuerying) throws {
        var (met, isOfAny) = (Set<EntityReference>(), false)
        var faults: [QueryTextError] = []
        func ask<Entity: TripEntity>(_ kind: Entity.Type) throws {
            let query: Query<Entity>
            do {
                query = try Query<Entity>(in: store.knownSchema).where(parsing: text, naming: store.naming)
            } catch { return faults.append(error) }
            isOfAny = true
            met.formUnion(try source.fetch(query).map(\.reference))
        }
        try ask(Activity.self)
        try ask(Lodging.self)
        try ask(Transportation.self)
        // The kind that reads the most of the text says best what is wrong with it.
        if !isOfAny, let fault = faults.max(by: { $0.position < $1.position }) { throw fault }
        self.met = met
    }

    func isMet(by item: TripItem) -> Bool { met.contains(item.reference) }
}
