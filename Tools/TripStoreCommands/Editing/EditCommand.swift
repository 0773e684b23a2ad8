import ArgumentParser
import Foundation
import TripStore

struct EditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change fields of a trip, an item or an organization.",
        discussion: "The kind follows from the id. Only what comes out otherwise is written.")

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption

    @Argument(help: "The id of what to change.")
    var id: UUID

    @Option(name: .long, help: "The kind, if entities of several kinds have the id.")
    var kind: EntityKind?

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
        let receipt = try await withStore(options) { store in
            let entity = try store.entity(withID: id, kind: kind)
            switch entity.kind {
            case .trip:
                try refuse([item, mode, contact, address], entity)
                return try await edit(store, Trip.ID(id)) { draft in
                    if let name = name.name { draft.name = name }
                    if let notes = notes.notes { draft.notes = notes }
                    trip.apply(to: &draft)
                }
            case .organization:
                try refuse([notes, trip, item, mode], entity)
                return try await edit(store, Organization.ID(id)) { draft in
                    if let name = name.name { draft.name = name }
                    contact.apply(to: &draft)
                    try address.apply(to: &draft.address)
                }
            case .activity: return try await editItem(store, Activity.ID(id), entity)
            case .lodging: return try await editItem(store, Lodging.ID(id), entity)
            case .transportation:
                try refuse([trip, contact], entity)
                try item.check(in: store)
                return try await edit(store, Transportation.ID(id)) { draft in
                    if let mode = mode.mode { draft.mode = mode }
                    try apply(to: &draft)
                }
            default:
                throw CommandError("The entity \(id.uuidString) is of a kind that this version does not know.")
            }
        }
        receipt.print(options, "Edited \(id.uuidString)")
    }

    private func editItem<Kind: ItemKind>(
        _ store: TripStore, _ id: Identifier<Item<Kind>>, _ entity: EntityReference
    ) async throws -> Receipt {
        try refuse([trip, contact, mode], entity)
        try item.check(in: store)
        return try await edit(store, id) { try apply(to: &$0) }
    }

    private func apply<Kind: ItemKind>(to draft: inout Item<Kind>) throws {
        if let name = name.name { draft.name = name }
        if let notes = notes.notes { draft.notes = notes }
        try item.apply(to: &draft)
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

    private func field<Entity: TripEntity>(_ name: String, of type: Entity.Type) throws -> Entity.Field {
        if let field = Entity.fields.first(where: { Entity.name(of: $0) == name }) { return field }
        let names = Entity.fields.map { Entity.name(of: $0) }.joined(separator: ", ")
        throw CommandError("There is no field '\(name)' to clear. The fields are \(names).")
    }

    private func refuse(_ groups: [any FieldOptions], _ entity: EntityReference) throws {
        let wrong = groups.flatMap(\.given)
        guard wrong.isEmpty else {
            throw CommandError(
                "\(wrong.joined(separator: ", ")) does not fit: \(id.uuidString) is of the kind "
                    + "\(entity.kind.name ?? "unknown"). Leave it out.")
        }
    }
}
