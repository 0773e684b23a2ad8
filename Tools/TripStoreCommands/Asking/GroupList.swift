import TripFormats
import TripStore

/// Lists the groups of a query's entities, with what is measured of them.
struct GroupList<Entity: TripEntity> {
    private typealias Named = NamedGroupKey<Entity>

    private let keys: [Named]
    private let sums: [Named]
    private let least: [Named]
    private let greatest: [Named]

    /// Throws `QueryTextError` if the fields cannot be read.
    init(_ query: Query<Entity>, _ options: QueryOptions) throws {
        keys = try options.group.map { try query.namedGroupKeys(parsing: $0) } ?? []
        sums = try options.sum.map { try query.measures(parsing: $0, isSummed: true) } ?? []
        least = try options.least.map { try query.measures(parsing: $0, isSummed: false) } ?? []
        greatest = try options.greatest.map { try query.measures(parsing: $0, isSummed: false) } ?? []
    }

    /// Each field that is measured once, in the order of the options.
    private var measures: [Named] {
        var found: [Named] = []
        for measure in sums + least + greatest where !found.contains(where: { $0.key == measure.key }) {
            found.append(measure)
        }
        return found
    }

    func print(_ query: Query<Entity>, in source: any TripQuerying, isJSON: Bool) throws {
        let keys = keys.map(\.key)
        // All of one snapshot, so that they are the same groups.
        let (groups, byMeasure) = try source.read { views in
            let groups = try views.groups(of: query, by: keys)
            var byMeasure: [GroupKey<Entity>: [QueryGroup]] = [:]
            for measure in measures.map(\.key) {
                byMeasure[measure] = try views.groups(of: query, by: keys, measuring: measure)
            }
            return (groups, byMeasure)
        }
        let rows = groups.enumerated().map { number, group in
            Row(list: self, group: group, measured: byMeasure.compactMapValues { number < $0.count ? $0[number] : nil })
        }
        if isJSON {
            for row in rows { Console.current.out(row.json.text) }
        } else {
            if rows.isEmpty { Console.current.out("No groups.") }
            let lines = TextTable.lines(try rows.map { try $0.cells(source) }, cutting: Array(keys.indices))
            for line in lines { Console.current.out(line) }
        }
    }

    private struct Row {
        let list: GroupList
        let group: QueryGroup
        let measured: [GroupKey<Entity>: QueryGroup]

        var json: JSON {
            .object([
                ("keys", .object(zip(list.keys, group.keys).map { ($0.name, $1.json.ordered) })),
                ("count", .integer(group.count)), ("measures", .array(list.measures.map(json))),
            ])
        }

        private func json(_ measure: Named) -> JSON {
            let found = measured[measure.key]
            return .object([
                ("field", .string(measure.name)), ("costs", .array((found?.costs ?? []).map(\.json))),
                ("sum", found?.sum.map { .number($0) } ?? .null),
                ("min", found?.minimum?.json.ordered ?? .null), ("max", found?.maximum?.json.ordered ?? .null),
            ])
        }

        func cells(_ source: any TripQuerying) throws -> [String] {
            let sums = list.sums.map { measured[$0.key] }.map { group in
                group?.sum.map { "\($0)" } ?? group?.costs.map(\.words).joined(separator: ", ") ?? ""
            }
            return try group.keys.map { try text($0, source) } + ["\(group.count)"] + sums
                + list.least.map { try text(measured[$0.key]?.minimum, source) }
                + list.greatest.map { try text(measured[$0.key]?.maximum, source) }
        }

        private func text(_ value: GroupValue?, _ source: any TripQuerying) throws -> String {
            guard let value, !value.isNone else { return "none" }
            let name = try value.reference.map { try source.name(of: $0) } ?? ""
            return name.isEmpty ? value.description : name
        }
    }
}
