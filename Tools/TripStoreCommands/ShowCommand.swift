import ArgumentParser
import Foundation
import TripStore

struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a trip day by day, an item, or anything else.",
        discussion: """
            Times are those of the place, days those of its calendar: over the date line a day may come twice. As of another moment only \
            the events of what is shown are read, not the whole log.

            Examples:
              tripstore show Lisbon
              tripstore show 01A1FC91 --ids
              tripstore show last --as-of 2027-05-01
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var past: AsOfOption
    @OptionGroup var which: AnyEntity
    @OptionGroup var scope: TripScope

    @Flag(name: .long, help: "Show the ids of items as well.")
    var ids = false

    func run() async throws {
        let store = try await options.openForReading()
        let reference = try which.reference(in: store, of: scope.id(in: store))
        switch reference.kind {
        case .trip: try show(Trip.ID(reference.id), store)
        case .activity: try showItem(Activity.ID(reference.id), store) { .activity($0) }
        case .lodging: try showItem(Lodging.ID(reference.id), store) { .lodging($0) }
        case .transportation: try showItem(Transportation.ID(reference.id), store) { .transportation($0) }
        case .organization: try showOrganization(Organization.ID(reference.id), store)
        default:
            guard let id = DescribedEntity.ID(reference) else {
                throw CommandError("\(reference.id.uuidString) is of a kind that this version does not know.")
            }
            try showOwn(id, store)
        }
    }

    // MARK: Trips

    private func show(_ id: Trip.ID, _ store: TripStore) throws {
        let (row, items, organizations) = try read(id, store)
        let children = try children(of: id.reference, store)
        let own = children.filter { OwnKind(of: $0.reference)?.isOfStore != true }
        let planning = try planning(row.trip, items, children, store)
        if options.json {
            let json = EntityJSON { organizations[$0] }
            let members =
                [("trip", EntityJSON.trip(row)), ("items", .array(items.map(json.item)))] + planning.members
                + [("own", .array(own.map { OwnEntityText.object($0) }))]
            Console.current.out(JSON.object(members).text)
        } else {
            let text = ItineraryText(
                row: row, items: items, organizations: organizations, planning: planning, own: own, showsIDs: ids)
            Console.current.show(text.lines)
        }
    }

    /// Who travels, and the budgets and checklists among what belongs to a trip.
    private func planning(
        _ trip: Trip, _ items: [TripItem], _ children: [DescribedEntity], _ store: TripStore
    ) throws -> TripPlanning {
        func typed<Entity: OwnEntity>(_ entities: [DescribedEntity]) throws -> [Entity] {
            try entities.compactMap { Identifier<Entity>($0.reference) }.compactMap { try entity($0, store) }
        }
        let named = trip.travellers.union(items.flatMap(\.namedTravellers))
        let lists: [Checklist] = try typed(children)
        let listed = try lists.inOrder().map { list in
            let entries: [ChecklistEntry] = try typed(self.children(of: list.reference, store))
            return TripPlanning.List(list: list, entries: entries.inOrder())
        }
        let known = named.union(listed.flatMap(\.entries).compactMap(\.assignee))
        var travellers: [Traveller.ID: Traveller] = [:]
        for id in known { travellers[id] = try entity(id, store) }
        let owners = [trip.reference] + items.map(\.reference)
        return TripPlanning(
            trip: trip, items: items, travellers: travellers, budgets: try typed(children),
            rates: try typed(children), lists: listed,
            attachments: try attachments(of: owners, store), superseded: try superseded(owners, store))
    }

    /// The values that edits of them superseded unseen, as it is now.
    private func superseded(
        _ entities: [EntityReference], _ store: TripStore
    ) throws -> [EntityReference: [TripPlanning.Superseded]] {
        guard past.asOf == nil else { return [:] }
        return try store.openConflicts(of: entities).mapValues { conflicts in
            try conflicts.map { .init(conflict: $0, words: try ConflictText.mark($0, in: store)) }
        }
    }

    private func attachments(
        of owners: [EntityReference], _ store: TripStore
    ) throws -> [EntityReference: [AttachmentText]] {
        var found: [EntityReference: [AttachmentText]] = [:]
        for owner in owners {
            let files = try children(of: owner, store).compactMap { AttachedFile.ID($0.reference) }
            let texts = try files.compactMap { try entity($0, store) }.map { AttachmentText($0, in: store) }
            if !texts.isEmpty { found[owner] = texts }
        }
        return found
    }

    private typealias Shown = (TripRow, [TripItem], [Organization.ID: Organization])

    private func read(_ id: Trip.ID, _ store: TripStore) throws -> Shown {
        let trip = try present(id, store)
        guard let asOf = past.asOf else {
            return try store.read { views in
                let items = try views.items(of: id).rows
                var organizations: [Organization.ID: Organization] = [:]
                for organization in items.compactMap(\.organization) {
                    organizations[organization] = try views.entity(organization)
                }
                return (TripRow(trip: trip, totals: try views.totals(of: id)), items, organizations)
            }
        }
        let items = try items(of: id, store)
        var organizations: [Organization.ID: Organization] = [:]
        for organization in Set(items.compactMap(\.organization)) {
            organizations[organization] = try store.entity(organization, asOf: asOf.horizon)
        }
        return (TripRow(trip: trip, totals: Totals(of: items)), items, organizations)
    }

    private func items(of trip: Trip.ID, _ store: TripStore) throws -> [TripItem] {
        if let asOf = past.asOf { return try store.items(of: trip, asOf: asOf.horizon).rows }
        return try store.items(of: trip).rows
    }

    // MARK: Items and organizations

    private func showItem<Kind: ItemKind>(
        _ id: Identifier<Item<Kind>>, _ store: TripStore, _ wrap: (Item<Kind>) -> TripItem
    ) throws {
        let item = wrap(try present(id, store))
        let trip = try item.trip.flatMap { try entity($0, store) }
        let organization = try item.organization.flatMap { try entity($0, store) }
        let planning = try planning(trip ?? Trip(name: ""), [item], [], store)
        if options.json {
            let shown = ("item", EntityJSON { _ in organization }.item(item))
            Console.current.out(
                JSON.object([
                    shown, planning.attachmentsMember(of: [id.reference]), ("doubts", planning.doubts(of: [item])),
                    planning.conflictsMember(of: [id.reference]),
                ]).text)
        } else {
            let others = try trip.map { try items(of: $0.id, store) } ?? []
            let text = ItemText(
                course: ItemCourse(item, TripClocks(others)), trip: trip, organization: organization, planning: planning
            )
            Console.current.show(text.lines)
        }
    }

    private func showOrganization(_ id: Organization.ID, _ store: TripStore) throws {
        let organization = try present(id, store)
        let files = try attachments(of: [id.reference], store)[id.reference] ?? []
        if options.json {
            let shown = ("organization", EntityJSON.organization(organization))
            Console.current.out(JSON.object([shown, ("attachments", .array(files.map { $0.json() }))]).text)
        } else {
            let lines = files.map { "attached: \($0.line)" } + (try marks(of: id.reference, store))
            Console.current.show(ItemText.lines(organization, lines))
        }
    }

    private func showOwn(_ id: DescribedEntity.ID, _ store: TripStore) throws {
        let entity = try present(id, store)
        let text = OwnEntityText(
            entity: entity, parentName: past.asOf == nil ? try entity.parent.map { try store.name(of: $0) } ?? "" : "",
            children: try children(of: id.reference, store))
        if options.json {
            Console.current.out(text.json.text)
        } else {
            Console.current.show(text.lines)
            for mark in try marks(of: id.reference, store) { Console.current.out("  \(mark)".visible) }
        }
    }

    private func marks(of entity: EntityReference, _ store: TripStore) throws -> [String] {
        try superseded([entity], store)[entity]?.map(\.words) ?? []
    }

    /// What apps have put under an entity.
    private func children(of parent: EntityReference, _ store: TripStore) throws -> [DescribedEntity] {
        if let asOf = past.asOf { return try store.ownEntities(in: parent, asOf: asOf.horizon) }
        return try store.read { try $0.ownEntities(in: parent) }
    }

    // MARK: What is there

    private func entity<Entity: TripEntity>(_ id: Identifier<Entity>, _ store: TripStore) throws -> Entity? {
        if let asOf = past.asOf { try store.entity(id, asOf: asOf.horizon) } else { try store.entity(id) }
    }

    /// The entity as it is, or was; throws if it is not, or was not, there.
    private func present<Entity: TripEntity>(_ id: Identifier<Entity>, _ store: TripStore) throws -> Entity {
        if let found = try entity(id, store) { return found }
        let kind = id.reference.kindWords
        if let asOf = past.asOf {
            throw TripStoreError(
                .unknownEntity,
                "The \(kind) \(id) was not there as of \(asOf.words). 'tripstore audit log --entity \(id)' tells when it "
                    + "came and went.", entity: id.reference)
        }
        throw TripStoreError(
            .deleted,
            "The \(kind) \(id) was deleted, or what it belongs to was. Restore it with 'tripstore restore \(id)', or that.",
            entity: id.reference)
    }
}

extension Totals {
    /// The totals of one trip's items, as in the view of totals.
    fileprivate init(of items: [TripItem]) {
        self.init()
        for item in items { itemCounts[item.kind, default: 0] += 1 }
        // Without currencies in which something is paid and nothing costs anything.
        let currencies = Set(items.compactMap(\.countedCost?.currency))
        costs = CostTotal.all(of: items).filter { currencies.contains($0.currency) }
            .map { CostSum(currency: $0.currency, minorUnits: $0.cost) }
    }
}
