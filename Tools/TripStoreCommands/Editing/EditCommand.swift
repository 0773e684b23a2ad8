import ArgumentParser
import Foundation
import TripStore

struct EditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change fields of a trip, an item or an organization.",
        discussion: """
            The kind follows from the id. Only what comes out otherwise is written.

            Examples:
              tripstore edit Lisbon --name Porto
              tripstore edit last --cost 12.50 --currency EUR --paid in-full
              tripstore edit 01A1FC91 --clear notes
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption

    @OptionGroup var which: AnyEntity

    @Option(name: .long, help: "Empty a field, by its name in JSON; may be given several times.")
    var clear: [String] = []

    @OptionGroup var name: NameOptions
    @OptionGroup var notes: NotesOptions
    @OptionGroup var trip: TripOptions
    @OptionGroup var item: ItemOptions
    @OptionGroup var mode: ModeOptions
    @OptionGroup var contact: ContactOptions
    @OptionGroup var address: AddressOptions

    func validate() throws {
        let groups: [any FieldOptions] = [name, notes, trip, item, mode, contact, address]
        if clear.isEmpty && groups.allSatisfy({ $0.given.isEmpty }) {
            throw ArgumentParser.ValidationError("Say what to change: an option for a field, or --clear FIELD.")
        }
    }

    func run() async throws {
        try await withStore(options) { store in
            let entity = try which.reference(in: store)
            try await edit(entity, in: store).print(options, "Edited \(entity.id.uuidString)")
        }
    }

    private func edit(_ entity: EntityReference, in store: TripStore) async throws -> Receipt {
        switch entity.kind {
        case .trip:
            try refuse([item, mode, contact, address], entity)
            return try await edit(store, Trip.ID(entity.id)) { draft in
                if let name = name.name { draft.name = name }
                if let notes = notes.notes { draft.notes = notes }
                trip.apply(to: &draft)
            }
        case .organization:
            try refuse([notes, trip, item, mode], entity)
            return try await edit(store, Organization.ID(entity.id)) { draft in
                if let name = name.name { draft.name = name }
                contact.apply(to: &draft)
                try address.apply(to: &draft.address)
            }
        case .activity:
            try refuse([trip, contact, mode], entity)
            return try await editItem(store, Activity.ID(entity.id)) { _ in }
        case .lodging:
            try refuse([trip, contact, mode], entity)
            return try await editItem(store, Lodging.ID(entity.id)) { _ in }
        case .transportation:
            try refuse([trip, contact], entity)
            return try await editItem(store, Transportation.ID(entity.id)) { draft in
                if let mode = mode.mode { draft.mode = mode }
            }
        default:
            throw CommandError("The entity \(entity.id.uuidString) is of a kind that this version does not know.")
        }
    }

    private func editItem<Kind: ItemKind>(
        _ store: TripStore, _ id: Identifier<Item<Kind>>, _ change: (inout Item<Kind>) -> Void
    ) async throws -> Receipt {
        let links = try item.links(in: store)
        var edited: Item<Kind>?
        let receipt = try await edit(store, id) { draft in
            try apply(to: &draft, links)
            change(&draft)
            edited = draft
        }
        if let edited { try item.warn(of: edited, in: store) }
        return receipt
    }

    private func apply<Kind: ItemKind>(to draft: inout Item<Kind>, _ links: ItemLinks) throws {
        if let name = name.name { draft.name = name }
        if let notes = notes.notes { draft.notes = notes }
        try item.apply(to: &draft, links)
        try address.apply(to: &draft.address)
    }

    private func edit<Entity: TripEntity>(
        _ store: TripStore, _ id: Identifier<Entity>, _ change: (inout Entity) throws -> Void
    ) async throws -> Receipt {
        let cleared = try clear.map { try field($0, of: Entity.self) }
        return try await store.edit(id, by: author.authorship) { draft in
            for field in cleared { draft.decode(field, nil) }
            try change(&draft)
        }
    }

    private func field<Entity: TripEntity>(_ name: String, of type: Entity.Type) throws -> UInt32 {
        if let field = Entity.fieldNumber(named: name) { return field }
        let names = Entity.fieldNames.joined(separator: ", ")
        throw CommandError("There is no field '\(name)' to clear. The fields are \(names).")
    }

    private func refuse(_ groups: [any FieldOptions], _ entity: EntityReference) throws {
        let wrong = groups.flatMap(\.given)
        guard wrong.isEmpty else {
            throw CommandError(
                "\(wrong.joined(separator: ", ")) does not fit: \(entity.id.uuidString) is of the kind "
                    + "\(entity.kind.name ?? "unknown"). Leave it out.")
        }
    }
}
