import ArgumentParser
import TripStore

/// Lists the entities of a kind that a query finds.
struct QueryList<Entity: TripEntity> {
    let source: any TripQuerying
    let isJSON: Bool
    /// What is listed, for people.
    let noun: String
    private var query: Query<Entity>
    private let columns: EntityColumns<Entity>?
    private let groups: GroupList<Entity>?

    /// Throws `QueryTextError` if a condition, an order or columns cannot be read.
    init(
        _ query: Query<Entity>, called noun: String, _ options: QueryOptions, in store: TripStore,
        from source: any TripQuerying, isJSON: Bool
    ) throws {
        (self.query, self.noun, self.source, self.isJSON) = (query, noun, source, isJSON)
        columns = try options.columns.map { text throws(QueryTextError) in try EntityColumns(parsing: text, of: query) }
        groups = options.isGrouped ? try GroupList(query, options) : nil
        if let condition = options.condition { self.query = try query.where(parsing: condition, naming: store.naming) }
        if let sort = options.sort { self.query = try self.query.sorted(parsing: sort) }
    }

    /// Only those that meet a further condition.
    mutating func restrict(_ condition: String) throws { query = try query.where(parsing: condition) }

    /// Only some of them.
    mutating func restrict(to ids: [Identifier<Entity>]) { query = query.where { $0.id.isOne(of: ids) } }

    func printCount() throws {
        let count = try source.count(query)
        Console.current.out(isJSON ? JSON.object([("count", .integer(count))]).text : "\(count)")
    }

    func printExplanation(_ limits: LimitOptions) throws {
        let found = try source.explain(limits.all ? query : query.limit(limits.count))
        guard isJSON else { return Console.current.out("\(found)") }
        Console.current.out(
            JSON.object([
                ("index", .optional(found.index)), ("rowsLookedAt", .integer(found.rowsLookedAt)),
                ("rowsGiven", .integer(found.rowsGiven)), ("isSorted", .bool(found.isSorted)),
            ]).text)
    }

    func printGroups() throws { try groups?.print(query, in: source, isJSON: isJSON) }

    /// Prints a page as a table: the chosen columns, or all.
    func printTable(_ limits: LimitOptions, after cursor: PageCursor?, _ form: CSVTable.Form) throws {
        let page = try source.fetch(limits.all ? query : query.limit(limits.count), after: cursor)
        if columns == nil, let trips = page.rows as? [Trip] {
            try TripTable.table(of: trips.map(row), in: source).print(form)
        } else {
            let columns = columns ?? EntityColumns(allOf: query)
            var table = CSVTable(columns: columns.names)
            for entity in page.rows { table.add(try columns.cells(of: entity, in: source)) }
            table.print(form)
        }
        if let next = page.next { LimitOptions.noteMore(after: next) }
    }

    func printPage(_ limits: LimitOptions, after cursor: PageCursor?) throws {
        let page = try source.fetch(limits.all ? query : query.limit(limits.count), after: cursor)
        if isJSON {
            let marks = try ConflictMarks(columns == nil ? page.map(\.reference) : [], in: source)
            for (number, entity) in page.enumerated() {
                Console.current.out(try json(entity, marks, next: number == page.count - 1 ? page.next : nil).text)
            }
        } else {
            if page.isEmpty { Console.current.out("No \(cursor == nil ? "" : "more ")\(noun).") }
            Console.current.show(try lines(of: page.rows))
        }
        if let next = page.next { LimitOptions.noteMore(after: next) }
    }

    private func lines(of entities: [Entity]) throws -> [String] {
        if let columns {
            let values = try entities.map { entity in
                try columns.values(of: entity) { try source.name(of: $0) }
            }
            let names = columns.names
            let table = TextTable(cutting: Array(names.indices), naming: names.firstIndex(of: "name")) { row, column in
                values[row][column].isMoney ? .money : nil
            }
            return table.lines(zip(entities, values).map { $1.map(ListedValue(of: $0).words) })
        }
        if let own = entities as? [DescribedEntity] { return try OwnEntityText.rows(of: own, in: source) }
        if let trips = entities as? [Trip] { return try ListedRows.lines(of: trips.map(row), in: source) }
        if let organizations = entities as? [Organization] {
            return try ListedRows.lines(of: organizations, in: source)
        }
        let own = entities.compactMap(described)
        if !own.isEmpty { return try OwnEntityText.rows(of: own, in: source) }
        return try ListedRows.lines(of: entities.compactMap { TripItem($0) }, in: source)
    }

    private func json(_ entity: Entity, _ marks: ConflictMarks, next: PageCursor?) throws -> JSON {
        if let columns {
            let values = try columns.values(of: entity) { try source.name(of: $0) }
            return .object([
                ("kind", entity.reference.kindJSON), ("id", .string("\(entity.id)")),
                ("values", .object(values.map { ($0.name, $0.value.ordered) })),
                ("next", .optional(next?.description)),
            ])
        }
        if let own = entity as? DescribedEntity {
            return OwnEntityText.row(own, marks, next: next?.description)
        }
        if let trip = entity as? Trip { return EntityJSON.row(try row(trip), marks, next: next) }
        if let organization = entity as? Organization {
            return EntityJSON.row(organization, marks, next: next?.description)
        }
        if let own = described(entity) {
            return OwnEntityText.row(own, marks, next: next?.description)
        }
        guard let item = TripItem(entity) else { return .null }
        return EntityJSON { try? source.entity($0) }.row(item, marks, next: next?.description)
    }

    /// An entity of a kind of the store's own namespace, as entities of apps' kinds are shown.
    private func described(_ entity: Entity) -> DescribedEntity? {
        (entity as? any OwnEntity)?.described
    }

    private func row(_ trip: Trip) throws -> TripRow { TripRow(trip: trip, totals: try source.totals(of: trip.id)) }
}
