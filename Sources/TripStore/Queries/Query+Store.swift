public import Trips

extension Query {
    /// All entities of the kind, for a question in words: `where(parsing:)` and `sorted(parsing:)` know the kinds and fields of apps by the names
    /// that a store has for them.
    public init(in store: TripStore) { self.init(in: store.knownSchema) }
}
