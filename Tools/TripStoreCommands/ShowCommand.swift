import ArgumentParser
import Foundation
import TripStore

struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a trip and its items, at their local times.",
        discussion: "As of another moment only the events of the trip and of its items are read, not the whole log.")

    @OptionGroup var options: StoreOptions
    @OptionGroup var past: AsOfOption

    @Argument(help: "The trip's id.")
    var trip: UUID

    func run() async throws {
        let store = try await options.openForReading()
        let id = Trip.ID(trip)
        let (row, items, organizations) =
            if let asOf = past.asOf { try Self.read(id, asOf, store) } else { try Self.read(id, store) }
        if options.json {
            let json = EntityJSON { organizations[$0] }
            Console.current.out(
                JSON.object([("trip", json.trip(row)), ("items", .array(items.map(json.item)))]).text)
        } else {
            for line in Self.lines(row, items, organizations) { Console.current.out(line) }
        }
    }

    private typealias Shown = (TripRow, [TripItem], [Organization.ID: Organization])

    private static func read(_ id: Trip.ID, _ store: TripStore) throws -> Shown {
        try store.read { views in
            guard let trip = try views.entity(id) else { throw missing(id, try views.record(of: id.reference)) }
            let items = try views.items(of: id)
            var organizations: [Organization.ID: Organization] = [:]
            for organization in items.compactMap(\.organization) {
                organizations[organization] = try views.entity(organization)
            }
            return (TripRow(trip: trip, totals: try views.totals(of: id)), items, organizations)
        }
    }

    private static func read(_ id: Trip.ID, _ asOf: HorizonArgument, _ store: TripStore) throws -> Shown {
        guard let trip = try store.trip(id, asOf: asOf.horizon) else {
            guard try store.read({ try $0.record(of: id.reference) }) != nil else { throw missing(id, nil) }
            throw TripStoreError(
                .unknownEntity,
                "The trip \(id) was not there as of \(asOf.words). 'tripstore audit log --entity \(id)' tells when it "
                    + "came and went.", entity: id.reference)
        }
        let items = try store.items(of: id, asOf: asOf.horizon)
        var organizations: [Organization.ID: Organization] = [:]
        for organization in Set(items.compactMap(\.organization)) {
            organizations[organization] = try store.entity(organization, asOf: asOf.horizon)
        }
        return (TripRow(trip: trip, totals: Totals(of: items)), items, organizations)
    }

    private static func missing(_ id: Trip.ID, _ record: EntityRecord?) -> TripStoreError {
        record?.isDeleted == true
            ? TripStoreError(
                .deleted, "The trip \(id) was deleted. Restore it with 'tripstore restore \(id)'.", entity: id.reference
            )
            : TripStoreError(
                .unknownEntity, "There is no trip \(id). 'tripstore trips' lists those that there are.",
                entity: id.reference)
    }

    private static func lines(
        _ row: TripRow, _ items: [TripItem], _ organizations: [Organization.ID: Organization]
    ) -> [String] {
        let trip = row.trip
        var lines = ["\(trip.name)\(trip.destination.isEmpty ? "" : ", \(trip.destination)")"]
        let days = [trip.startDay, trip.effectiveEndDay].compactMap { $0?.description }
        if !days.isEmpty { lines.append("  " + days.joined(separator: " to ")) }
        if !trip.notes.isEmpty { lines.append("  \(trip.notes)") }
        let costs = row.costs.map(\.words).joined(separator: ", ")
        lines.append("  \(row.itemCount) item\(row.itemCount == 1 ? "" : "s")\(costs.isEmpty ? "" : ", \(costs)")")
        let cells = items.map { item in
            [
                "  " + (item.start?.localISO8601 ?? "–"), item.effectiveEnd?.localISO8601 ?? "–",
                item.mode.map { $0.description } ?? item.kind.name ?? "", item.name,
                [
                    item.organization.flatMap { organizations[$0]?.name } ?? "", item.cost?.description ?? "",
                    item.notes,
                    item.id.uuidString,
                ].filter { !$0.isEmpty }.joined(separator: ", "),
            ]
        }
        return lines.map(\.visible) + TextTable.lines(cells)
    }
}

extension Totals {
    /// What items of one trip add up to, as the view of totals has it.
    fileprivate init(of items: [TripItem]) {
        self.init()
        var sums: [Currency: Int128] = [:]
        for item in items {
            itemCounts[item.kind, default: 0] += 1
            if let cost = item.cost { sums[cost.currency, default: 0] += Int128(cost.minorUnits) }
        }
        costs = sums.sorted { $0.key.code < $1.key.code }.map { CostSum(currency: $0.key, minorUnits: $0.value) }
    }
}
