import ArgumentParser
import TripStore

/// Which trips are exported.
struct ExportSelectionOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("Only this trip; may be given several times.", discussion: EntityArgument.help))
    var trip: [EntityArgument] = []

    @Option(
        name: .long,
        help: "Only trips with a day or an item in this range, as 2027-05-01..2027-05-08, 2027-05 or 2027.",
        transform: { text in try statingAll { try ClosedRange(parsing: text) } })
    var days: ClosedRange<Day>?

    /// Throws if a trip is not there.
    func selection(in store: TripStore) throws -> ExportSelection {
        guard trip.isEmpty else {
            let ids = try trip.map { argument in
                let id = try store.trip(argument)
                guard try store.trip(id) != nil else {
                    throw CommandError(
                        "The trip '\(argument.text)' is deleted. Restore it with 'tripstore restore \(id)'.",
                        code: "deleted")
                }
                return id
            }
            var seen: Set<Trip.ID> = []
            return ExportSelection(trips: ids.filter { seen.insert($0).inserted }, days: days)
        }
        return try store.read { [days] views in try ExportSelection(on: days, in: views) }
    }
}
