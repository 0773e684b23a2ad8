import ArgumentParser
import Foundation
import TripStore

struct DeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete trips, items or anything else, all or none.",
        discussion: """
            A trip's items go with it and come back with it. What is deleted stays in the history. Before a protected trip or an item \
            of one is deleted it is asked; --yes answers, also where nobody can be asked. With --where a kind is named instead of entities, \
            and all that meet the condition are deleted.

            Examples:
              tripstore delete Lisbon
              tripstore delete 01A1FC91 01A1FC92 --yes
              tripstore delete activities --where 'name begins with "Draft"' --dry-run
              tripstore delete own packing --where 'isPacked = yes'
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption

    @Argument(help: "What to delete. \(EntityArgument.help)")
    var entities: [EntityArgument]

    @Option(name: .long, help: "The kind, if entities of several kinds have an id.")
    var kind: EntityKind?

    @OptionGroup var scope: TripScope
    @OptionGroup var filter: WhereOption

    @Flag(name: .long, help: "Delete also what is protected.")
    var yes = false

    @OptionGroup var dryRun: DryRunOption

    func validate() throws {
        guard filter.condition != nil else { return }
        if kind != nil || scope.trip != nil {
            throw ArgumentParser.ValidationError("With --where leave out --kind and --trip: ask it, as trip = Lisbon.")
        }
        _ = try ChosenKind(entities.map(\.text))
    }

    func run() async throws {
        var changes: [String] = []
        let done = try await append(.deleted, options, author, dryRun) { store in
            guard let condition = filter.condition else {
                return try store.entities(entities, kind, deleted: false, in: scope.id(in: store))
            }
            switch try ChosenKind(entities.map(\.text)) {
            case .known(let kind): return try Self.found(kind.type, condition, in: store)
            case .described(let name):
                return try Self.found(
                    Query(of: store.ownKind(named: name), in: store.knownSchema), condition, in: store)
            }
        } check: { entities, store in
            if !yes && !dryRun.dryRun { try Self.confirm(entities, in: store) }
            changes = try entities.compactMap { Traveller.ID($0) }
                .flatMap { try MoneyWarnings.changes(withoutTraveller: $0, in: store) }
        }
        done?.receipt.print(options, "Deleted \(done?.subjects ?? "")")
        for change in changes { options.json ? Console.current.warn(change) : Console.current.note(change) }
    }

    private static func found<Entity: TripEntity>(
        _ type: Entity.Type, _ condition: String, in store: TripStore
    ) throws -> [EntityReference] {
        try found(Query<Entity>(in: store.knownSchema), condition, in: store)
    }

    private static func found(
        _ query: Query<some TripEntity>, _ condition: String, in store: TripStore
    ) throws -> [EntityReference] {
        try store.ids(query.where(parsing: condition, naming: store.naming)).map(\.reference)
    }

    /// Asks before deleting what is protected; throws unless the answer is yes.
    private static func confirm(_ entities: [EntityReference], in store: TripStore) throws {
        let trips = try Set(entities.compactMap { try owner(of: $0, in: store) }).compactMap { try store.trip($0) }
        for trip in trips.sorted(by: { $0.id < $1.id }) where trip.isProtected {
            let answer = Console.current.ask?(
                "The trip '\(trip.name)' is protected. Delete all the same? [y/N]".visible)
            guard let answer else {
                throw CommandError(
                    "The trip '\(trip.name)' is protected, and nothing was deleted. Add --yes to delete all the same.",
                    code: "protected")
            }
            guard ["y", "yes"].contains(answer.lowercased()) else {
                throw CommandError("Nothing was deleted.", code: "protected")
            }
        }
    }

    /// The trip that an entity is, or belongs to; nil for one that is deleted already.
    private static func owner(of entity: EntityReference, in store: TripStore) throws -> Trip.ID? {
        try store.read { views in
            guard try views.record(of: entity)?.isPresent == true else { return nil }
            return try ([entity] + views.ancestors(of: entity)).lazy.compactMap { Trip.ID($0) }.first
        }
    }
}

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Take deletions back, all or none.",
        discussion: """
            Examples:
              tripstore restore Lisbon
              tripstore restore 01A1FC91
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption

    @Argument(help: "What to restore: the id of each, the first digits of that, or the name that it had.")
    var entities: [EntityArgument]

    @Option(name: .long, help: "The kind, if entities of several kinds have an id.")
    var kind: EntityKind?

    @OptionGroup var scope: TripScope
    @OptionGroup var dryRun: DryRunOption

    func run() async throws {
        let done = try await append(.restored, options, author, dryRun) { store in
            try store.entities(entities, kind, deleted: true, in: scope.id(in: store))
        }
        done?.receipt.print(options, "Restored \(done?.subjects ?? "")")
    }
}

/// The receipt, and what was written to: the only entity by its name, several by their number. Nil where nothing is to be written.
private func append(
    _ verb: Verb, _ options: StoreOptions, _ author: AuthorOption, _ dryRun: DryRunOption,
    to find: (TripStore) throws -> [EntityReference],
    check: ([EntityReference], TripStore) throws -> Void = { _, _ in }
) async throws -> (receipt: Receipt, subjects: String)? {
    try await withStore(options) { store in
        let found = try Set(find(store)).sorted { $0.id < $1.id }
        // What contains others is restored before them, and deleted after them.
        let byLevel = try found.map { entity in (entity, try store.read { try $0.level(of: entity) }) }
            .sorted { $0.1 < $1.1 }.map(\.0)
        let entities = verb == .restored ? byLevel : byLevel.reversed()
        let events = entities.map { TripEvent(verb, $0) }
        if !events.isEmpty { try check(found, store) }
        if dryRun.dryRun {
            try await store.preview(events).print(options, verb == .deleted ? "delete" : "restore", in: store)
            return nil
        }
        // A condition may have found none: the receipt is that of an edit of nothing.
        guard !events.isEmpty else { return (try await store.edit([Trip.ID]()) { _ in }, "0") }
        let receipt = try await store.append(events, by: author.authorship)
        try receipt.noteFollowed(in: store)
        let (count, entity) = (receipt.entities.count, receipt.entities.first)
        let only = try entity.map { EntityText.words($0, try store.name(of: $0)).visible }
        return (receipt, count == 1 ? only ?? "" : "\(count)")
    }
}

extension TripStore {
    /// What arguments name.
    fileprivate func entities(
        _ named: [EntityArgument], _ kind: EntityKind?, deleted: Bool, in trip: Trip.ID?
    ) throws -> [EntityReference] {
        let kinds = kind.map { [$0] } ?? EntityArgument.anyKind
        return try named.map { try entity($0, of: kinds, deleted: deleted, in: trip) }
    }
}

struct MoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Put something into another trip, list or parent.",
        discussion: """
            An item goes into another trip; a trip, a checklist or an entry elsewhere in its order or list; what an app has added under another \
            parent.

            Examples:
              tripstore move 'Tram 28' --to Porto
              tripstore move passport --at 1
              tripstore move Lisbon --at 1 && tripstore list trips --sort rank
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption

    @Argument(help: "What to move. \(EntityArgument.help)")
    var item: EntityArgument

    @OptionGroup var scope: TripScope

    @Option(name: .long, help: "The trip to put it into; of what an app has added any entity.")
    var to: EntityArgument?

    @Option(
        name: .long,
        help: """
            Of an entry of a checklist, a checklist, or a trip: its place in the order, from 1 on. That of all trips, archived ones too, is the \
            order of 'list trips --sort rank'.
            """)
    var at: Int?

    func validate() throws {
        if (to == nil) == (at == nil) { throw ArgumentParser.ValidationError("Give one of --to and --at.") }
        if let at, at < 1 { throw ArgumentParser.ValidationError("--at \(at) is no place: the first is 1.") }
    }

    func run() async throws {
        try await withStore(options) { store in
            let entity = try store.entity(item, of: EntityArgument.anyKind, in: scope.id(in: store))
            let what = EntityText.words(entity, try store.name(of: entity)).visible
            let receipt: Receipt? =
                if let at {
                    try await rank(entity, at: at - 1, in: store)
                } else if let to {
                    try await move(entity, to: to, in: store)
                } else { nil }
            receipt?.print(options, "Moved \(what)", unchanged: "It is there already.")
        }
    }

    private func rank(_ entity: EntityReference, at index: Int, in store: TripStore) async throws -> Receipt {
        if let entry = ChecklistEntry.ID(entity) {
            return try await store.move(entry, to: index, by: author.authorship)
        }
        if let list = Checklist.ID(entity) { return try await store.move(list, to: index, by: author.authorship) }
        if let trip = Trip.ID(entity) { return try await arrange(trip, at: index, in: store) }
        throw CommandError(
            "\(entity.id.uuidString) is of the kind \(entity.kindWords), which has no order by hand. Leave out --at.")
    }

    /// Trips behind the last with a rank stay without one.
    private func arrange(_ trip: Trip.ID, at index: Int, in store: TripStore) async throws -> Receipt {
        var trips = try store.fetch(Query<Trip>().sorted(by: \.rank)).rows
        guard let old = trips.firstIndex(where: { $0.id == trip }) else {
            throw CommandError("\(trip) is a template, which has no order by hand. Leave out --at.")
        }
        let new = min(index, trips.count - 1)
        // Where it is already nothing is to be written: a rank would put it before those without.
        guard new != old else { return try await store.arrange([], by: author.authorship) }
        trips.insert(trips.remove(at: old), at: new)
        let last = max(new, trips.lastIndex { $0.rank != nil && $0.id != trip } ?? 0)
        return try await store.arrange(trips[...last].map(\.id), by: author.authorship)
    }

    private func move(
        _ entity: EntityReference, to: EntityArgument, in store: TripStore
    ) async throws -> Receipt {
        if let own = DescribedEntity(of: entity) {
            let parent = try store.entity(
                to, of: EntityArgument.anyKind, in: scope.id(in: store), orElsewhere: true)
            return try await store.edit(own.id, by: author.authorship) { $0.parent = parent }
        }
        let trip = try store.trip(to)
        guard let item = TripItem.ID(entity) else {
            throw CommandError("\(entity.id.uuidString) is of the kind \(entity.kindWords), not an item of a trip.")
        }
        let receipt = try await store.move(item, to: trip, by: author.authorship)
        try receipt.noteFollowed(in: store)
        return receipt
    }
}
