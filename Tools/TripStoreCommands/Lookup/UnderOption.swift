import ArgumentParser
import TripStore

/// The entity to which a verb for logs is bounded, with all that was ever under it.
struct UnderOption: ParsableArguments {
    @Option(name: .long, help: "Only this entity, of whatever kind, and what was ever under it.")
    var under: EntityArgument?

    @Option(name: .long, help: "Only this trip, and what was ever in it: copies have the names of their originals.")
    var trip: EntityArgument?

    func validate() throws {
        guard under == nil || trip == nil else {
            throw ArgumentParser.ValidationError("--under and --trip say the same: give one of them.")
        }
    }

    func root(in store: TripStore) throws -> EntityReference? {
        if let trip { return try store.trip(trip).reference }
        return try under.map { try store.entity($0, of: EntityArgument.anyKind) }
    }
}
