import Foundation
import TripFormats
import TripStore
import Trips

/// Items of all kinds in one table.
enum ItemTable {
    /// The kind, and the columns that any of the kinds has.
    static func table(of items: [TripItem], in source: any TripQuerying) throws -> CSVTable {
        let known = Console.current.known
        let activities = EntityColumns(allOf: Query<Activity>(in: known))
        let lodgings = EntityColumns(allOf: Query<Lodging>(in: known))
        let journeys = EntityColumns(allOf: Query<Transportation>(in: known))
        // A name that one kind has alone is after the names that all have.
        var names = activities.names.dropLast(2)
        for name in lodgings.names.dropLast(2) + journeys.names where !names.contains(name) { names.append(name) }
        var table = CSVTable(columns: ["kind"] + names)
        for item in items {
            let cells =
                switch item {
                case .activity(let item): try activities.named(item, in: source)
                case .lodging(let item): try lodgings.named(item, in: source)
                case .transportation(let item): try journeys.named(item, in: source)
                }
            table.add([.text(item.kind.words)] + names.map { cells[$0] ?? .empty })
        }
        return table
    }
}

/// Trips with what their items come to.
enum TripTable {
    static func table(of rows: [TripRow], in source: any TripQuerying) throws -> CSVTable {
        let columns = EntityColumns(allOf: Query<Trip>(in: Console.current.known))
        var table = CSVTable(columns: columns.names + ["itemCount", "cost"])
        for row in rows { table.add(try columns.cells(of: row.trip, in: source) + counted(row)) }
        return table
    }

    private static func counted(_ row: TripRow) -> [CSVTable.Cell] {
        [.integer(row.itemCount), .text(row.costs.map(\.words).joined(separator: ", "))]
    }

    /// The cells of trips that show no fields, by their columns.
    static func counted(in source: any TripQuerying) throws -> [UUID: [String: CSVTable.Cell]] {
        var cells: [UUID: [String: CSVTable.Cell]] = [:]
        for query in [Query<Trip>.dated, .undated] {
            var cursor: PageCursor?
            repeat {
                let page = try source.trips(query, limit: 1000, after: cursor)
                for row in page.rows {
                    let counted = counted(row)
                    cells[row.id.uuid] = ["itemCount": counted[0], "cost": counted[1]]
                }
                cursor = page.next
            } while cursor != nil
        }
        return cells
    }
}

extension EntityColumns {
    /// The cells of an entity, with the names of what it refers to.
    func cells(of entity: Entity, in source: any TripQuerying) throws -> [CSVTable.Cell] {
        try shown(entity, in: source).map(\.cell)
    }

    private func shown(_ entity: Entity, in source: any TripQuerying) throws -> [FieldRendering] {
        try values(of: entity) { try source.name(of: $0) }
    }

    /// The values by their columns.
    func renderings(_ entity: Entity, in source: any TripQuerying) throws -> [String: FieldRendering] {
        Dictionary(zip(names, try shown(entity, in: source)), uniquingKeysWith: { first, _ in first })
    }

    func named(_ entity: Entity, in source: any TripQuerying) throws -> [String: CSVTable.Cell] {
        Dictionary(zip(names, try cells(of: entity, in: source)), uniquingKeysWith: { first, _ in first })
    }
}

extension FieldRendering {
    /// Numbers and amounts are no formulas, although they may begin with a sign.
    var cell: CSVTable.Cell {
        if text.isEmpty { return .empty }
        switch value {
        case .integer, .number: return .number(text)
        case .object(let members) where members["minor"] != nil:
            let isAmount = text.wholeMatch(of: /-?[0-9.]+ [A-Z]{3}/) != nil
            return isAmount ? .number(text) : .text(text)
        default: return .text(text)
        }
    }
}
