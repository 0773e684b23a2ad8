import ArgumentParser
import Foundation
import TripStore

struct ListCommand: AsyncParsableCommand {
    /// What can be listed.
    enum Subject: String, ExpressibleByArgument, CaseIterable {
        case items, activities, lodgings, transportations, organizations, travellers, budgets, checklists, entries,
            rates
        case unfiled
        case added = "own"
        case trips

        /// From its name, or that of one of them.
        init?(argument: String) {
            let found = Subject(rawValue: argument) ?? QueriedKind(argument: argument)?.subject
            guard let found else { return nil }
            self = found
        }

        /// The name of one, of what is listed like entities of apps' kinds; nil for others.
        var ownKind: String? {
            queried.flatMap { $0.type.kind == .own ? $0.type.kindName : nil }
        }

        /// Whether items of all kinds are listed.
        var isOfItems: Bool { self == .items || self == .unfiled }

        /// The kind that items must have; nil for any.
        fileprivate var kind: EntityKind? {
            queried.flatMap { EntityKind.itemKinds.contains($0.type.kind) ? $0.type.kind : nil }
        }

        /// The kind that conditions are asked of; nil for what is no one kind with a schema.
        var queried: QueriedKind? { QueriedKind(rawValue: rawValue) }
    }

    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract:
            "List what meets a condition, or all of a kind.",
        discussion: """
            Items are listed trip by trip, as 'tripstore trips' lists these, and in a trip in the order of time; 'unfiled' are those whose trip \
            never came here. Organizations are listed by name, what belongs to no list of items by creation. Templates, and what belongs to them, are \
            left out. If there are more than --limit, --after the id of the last line, in JSON its "next", goes on.

            With --where, --sort, --columns, --group, --sum, --min, --max, --count or --explain, and of trips always, one kind is asked by its fields: trips, activities, lodgings, \
            transportations, organizations, travellers, budgets, checklists, entries or rates, or own and the name of a kind. Without --sort they are listed by their ids, which is mostly the order of their creation. Then \
            --after takes the cursor that is printed on standard error, in JSON the "next" of the last line. Of items and unfiled a condition can be \
            asked as well: a kind that lacks a field of it has none that meets it.

            \(WhereOption.grammar)

            Examples:
              tripstore list items --where 'cost > 100 EUR and paid = none'
              tripstore list activities --where 'name contains "tram" and cost > 3 EUR'
              tripstore list trips --where 'days overlaps 2027-05-01 to 2027-05-31' \\
                --sort -startDate,~name
              tripstore list lodgings --where 'paid != in-full' --columns name,cost,trip
              tripstore list lodgings --where 'reservation is none' --count
              tripstore list activities --group 'month of start,paid' --sum cost
              tripstore list trips --sort startDate --explain
              tripstore list organizations --named TAP
              tripstore list lodgings --trip Lisbon
              tripstore list unfiled --json
              tripstore list lodgings --csv --columns name,start,cost
              tripstore list --deleted --trip Lisbon
              tripstore list travellers
              tripstore list entries --where 'isDone = no' --sort dueDay
              tripstore list own packing --trip Lisbon
              tripstore list own packing --where 'isPacked = no' --sort ~what
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var past: AsOfOption
    @OptionGroup var paging: LimitOptions
    @OptionGroup var table: TableOption

    @Argument(help: "What to list; with --deleted all kinds if it is left out.")
    var what: Subject?

    var subject: Subject { what ?? .items }

    @Flag(name: .long, help: "What is deleted, the last first, to be restored by its name.")
    var deleted = false

    @Argument(help: "With 'own', the name of a kind; all if it is left out.")
    var kind: String?

    @Option(name: .long, help: "Only items of this trip. \(EntityArgument.help)")
    var trip: EntityArgument?

    @Option(name: .long, help: "Only those whose name begins so, in capitals or not.")
    var named = ""

    @OptionGroup var asked: QueryOptions

    @Option(
        name: .long,
        help:
            "Go on after this entity, the last of a page: its id, or the first digits of that; after a condition or an order, a cursor."
    )
    var after: EntityArgument?

    var limits: LimitOptions { paging.whole(for: table.csv) }

    func run() async throws {
        let store = try await options.openForReading()
        if deleted { return try listDeleted(store) }
        let source: any TripQuerying = try await past.past(of: store) ?? store
        if let kind = subject.queried, isQuery { return try query(kind, kind.type, store, source) }
        if subject == .added || subject.ownKind != nil {
            return try asked.areGiven || table.csv ? queryOwn(store, source) : listOwn(store, source)
        }
        if subject == .organizations {
            let last = try after.map { try store.entity($0, of: [.organization]) }
            let limit = limits.all || last != nil ? Int.max : limits.count + 1
            let found = Array(try source.organizations(named: named, limit: limit))
            return try list(rest(of: found, after: last) { $0.reference }, source)
        }
        let kinds: Set<EntityKind> = subject.kind.map { [$0] } ?? EntityKind.itemKinds
        let last = try after.map { try store.entity($0, of: kinds) }
        let condition = try asked.condition.map { try ItemCondition(parsing: $0, in: store, from: source) }
        let isWanted = { (item: TripItem) in
            (subject.kind.map { $0 == item.kind } ?? true) && item.name.lowercased().hasPrefix(named.lowercased())
                && condition?.isMet(by: item) ?? true
        }
        guard asked.count else { return try list(items(store, source, last, atMost: limits.count, isWanted), source) }
        let count = try items(store, source, nil, atMost: .max, isWanted).count
        Console.current.out(options.json ? JSON.object([("count", .integer(count))]).text : "\(count)")
    }

    // MARK: Queries

    private var isQuery: Bool { asked.areGiven || table.csv || subject == .trips }

    private func query<Entity: TripEntity>(
        _ kind: QueriedKind, _ type: Entity.Type, _ store: TripStore, _ source: any TripQuerying
    ) throws {
        let query = Query<Entity>(in: store.knownSchema)
        // Ids of these kinds are in no order.
        let all = kind.subject?.ownKind != nil && asked.sort == nil ? query.sorted(by: \.createdAt) : query
        var list = try QueryList(
            all, called: kind.rawValue, asked, in: store, from: source, isJSON: options.json)
        if let trip {
            let isOfTrip = try "trip = \(store.trip(trip))"
            try list.restrict(kind == .entries ? "list (\(isOfTrip))" : isOfTrip)
        }
        if !named.isEmpty { try list.restrict("name begins with \(named.quotedForQuery)") }
        try show(list)
    }

    func show(_ list: QueryList<some TripEntity>) throws {
        if asked.explain { return try list.printExplanation(limits) }
        if asked.isGrouped { return try list.printGroups() }
        if table.csv { return try list.printTable(limits, after: cursor(), table.form) }
        if asked.count { try list.printCount() } else { try list.printPage(limits, after: cursor()) }
    }

    private func cursor() throws -> PageCursor? {
        try after.map { argument in
            guard let cursor = PageCursor(argument.text) else {
                throw ValidationError(
                    "'\(argument.text)' is no cursor. With a condition or an order --after takes what the page before named."
                )
            }
            return cursor
        }
    }

    // MARK: Lists

    /// What is to be listed, and one more if there are more.
    private func items(
        _ store: TripStore, _ source: any TripQuerying, _ last: EntityReference?, atMost limit: Int,
        _ isWanted: (TripItem) -> Bool
    ) throws -> [TripItem] {
        if subject == .unfiled {
            return try rest(of: source.unfiledItems().filter(isWanted), after: last) { $0.reference }
        }
        if let trip {
            let id = try store.trip(trip)
            guard try source.trip(id) != nil else {
                throw TripStoreError(.deleted, "The trip \(id) is not there. Restore it first.")
            }
            return try rest(of: source.items(of: id).filter(isWanted), after: last) { $0.reference }
        }
        // Trips are passed over up to that of the last item.
        let lastTrip = try last.flatMap { TripItem.ID($0) }.flatMap { try source.item($0)?.trip }
        var isPassing = last != nil
        var items: [TripItem] = []
        for id in try source.ids(.dated) + source.ids(.undated) where items.count <= limit {
            if !isPassing {
                items += try source.items(of: id).filter(isWanted)
            } else if id == lastTrip {
                items = try rest(of: source.items(of: id).filter(isWanted), after: last) { $0.reference }
                isPassing = false
            }
        }
        if isPassing, let last { throw Self.gone(last) }
        return items
    }

    /// What follows an entity in a list.
    func rest<Row>(
        of rows: [Row], after last: EntityReference?, _ reference: (Row) -> EntityReference
    ) throws -> [Row] {
        guard let last else { return rows }
        guard let index = rows.firstIndex(where: { reference($0) == last }) else { throw Self.gone(last) }
        return Array(rows[(index + 1)...])
    }

    private static func gone(_ last: EntityReference) -> CommandError {
        CommandError(
            "The \(last.kindWords) \(last.id.uuidString) is not in this list, so nothing comes after it. Begin again without --after.",
            code: "invalidCursor")
    }

    private func list(_ items: [TripItem], _ source: any TripQuerying) throws {
        let shown = items.prefix(limits.count)
        if table.csv {
            try ItemTable.table(of: Array(shown), in: source).print(table.form)
        } else if options.json {
            let json = EntityJSON { try? source.entity($0) }
            let marks = try ConflictMarks(shown.map(\.reference), in: source)
            for item in shown {
                let next = next(items.count, shown.last, item).map { "\($0.id)" }
                Console.current.out(json.row(item, marks, next: next).text)
            }
        } else {
            if shown.isEmpty {
                Console.current.out("No \(more)\(subject == .unfiled ? "unfiled items" : subject.rawValue).")
            }
            Console.current.show(try ListedRows.lines(of: Array(shown), in: source))
        }
        noteIfCut(items.count, shown.last.map { "\($0.id)" })
    }

    private func list(_ organizations: [Organization], _ source: any TripQuerying) throws {
        let shown = organizations.prefix(limits.count)
        if options.json {
            let marks = try ConflictMarks(shown.map(\.reference), in: source)
            for found in shown {
                let next = next(organizations.count, shown.last, found).map { "\($0.id)" }
                Console.current.out(EntityJSON.row(found, marks, next: next).text)
            }
        } else {
            if shown.isEmpty { Console.current.out("No \(more)organizations.") }
            Console.current.show(try ListedRows.lines(of: Array(shown), in: source))
        }
        noteIfCut(organizations.count, shown.last.map { "\($0.id)" })
    }

    /// The last row of a page that others follow; nil for other rows.
    func next<Row: Identifiable>(_ count: Int, _ last: Row?, _ row: Row) -> Row? {
        count > limits.count && last?.id == row.id ? row : nil
    }

    var more: String { after == nil ? "" : "more " }

    func noteIfCut(_ count: Int, _ last: String?) {
        if let last, count > limits.count { LimitOptions.noteMore(after: last) }
    }
}
