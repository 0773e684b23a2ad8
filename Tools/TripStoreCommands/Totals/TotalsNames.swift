import ArgumentParser
import TripFormats
import TripStore

/// By what totals are broken down on the command line.
enum TotalsDimension: String, CaseIterable, ExpressibleByArgument {
    case trip, kind, day, category, paid, traveller

    /// The headline for people.
    var title: String { self == .paid ? "By what is paid" : "By \(rawValue)" }
}

/// A group of totals with its key in text, and its name where the key is an id.
struct NamedTotals {
    /// Nil for what has none: no day, nobody.
    let key: String?
    let name: String
    let totals: [CostTotal]
}

/// Reads the names of what totals are of.
struct TotalsNames {
    private let trips: [Trip.ID: String]
    private let travellers: [Traveller.ID: String]

    init(_ totals: DetailedTotals, in source: any TripQuerying) throws {
        let people =
            totals.byTraveller.compactMap(\.key) + totals.balances.map(\.traveller)
            + totals.unpaid.compactMap(\.key) + totals.doubts.compactMap(\.doubt.traveller)
        var (trips, travellers) = ([Trip.ID: String](), [Traveller.ID: String]())
        for id in Set(totals.byTrip.map(\.key) + totals.budgets.compactMap(\.trip)) {
            trips[id] = try source.trip(id)?.name
        }
        for id in Set(people) { travellers[id] = try source.entity(id)?.name }
        (self.trips, self.travellers) = (trips, travellers)
    }

    subscript(trip: Trip.ID) -> String { trips[trip] ?? "\(trip)" }
    subscript(traveller: Traveller.ID) -> String { travellers[traveller] ?? "\(traveller)" }

    func words(of doubt: MoneyDoubt) -> String { doubt.words { self[$0] } }

    func groups(of totals: DetailedTotals, by dimension: TotalsDimension) -> [NamedTotals] {
        switch dimension {
        case .trip: totals.byTrip.map { NamedTotals(key: "\($0.key)", name: self[$0.key], totals: $0.totals) }
        case .kind: totals.byKind.map { Self.named($0.key.words, $0.totals) }
        case .day: totals.byDay.map { Self.named($0.key?.description, $0.totals, or: "no day") }
        case .category:
            totals.byCategory.map { Self.named($0.key, $0.totals, or: $0.key.isEmpty ? "no category" : nil) }
        case .paid: totals.byPaidStatus.map { Self.named("\($0.key)", $0.totals) }
        case .traveller:
            totals.byTraveller.map { group in
                NamedTotals(
                    key: group.key.map { "\($0)" }, name: group.key.map { self[$0] } ?? "nobody", totals: group.totals)
            }
        }
    }

    private static func named(_ key: String?, _ totals: [CostTotal], or name: String? = nil) -> NamedTotals {
        NamedTotals(key: key, name: key?.isEmpty == false ? key ?? "" : name ?? "", totals: totals)
    }
}
