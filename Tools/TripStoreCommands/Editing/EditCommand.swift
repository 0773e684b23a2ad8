import ArgumentParser
import Foundation
import TripStore

struct EditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change fields of a trip, an item, an organization, or of what an app has added.",
        discussion: """
            The kind follows from the id. Only what comes out otherwise is written.

            Examples:
              tripstore edit Lisbon --name Porto
              tripstore edit last --cost 12.50 --currency EUR --paid in-full
              tripstore edit 01A1FC91 --clear notes
              tripstore edit Lisbon --set rating=5
              tripstore edit socks --set isPacked=yes
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption

    @OptionGroup var which: AnyEntity
    @OptionGroup var dryRun: DryRunOption

    @Option(name: .long, help: "Empty a field, by its name in JSON; may be given several times.")
    var clear: [String] = []

    @OptionGroup var fields: FieldOptions<AnyKind>
    @OptionGroup var ownFields: OwnFieldOptions

    func validate() throws {
        if clear.isEmpty && fields.given.isEmpty && !ownFields.areGiven {
            throw ArgumentParser.ValidationError(
                "Say what to change: an option for a field, --set, --insert or --remove NAME=VALUE, or --clear FIELD.")
        }
    }

    func run() async throws {
        try await withStore(options) { store in
            let entity = try which.reference(in: store)
            try await edit(entity, in: store)?.print(options, "Edited \(entity.id.uuidString)")
        }
    }

    private func edit(_ entity: EntityReference, in store: TripStore) async throws -> Receipt? {
        switch entity.kind {
        case .trip: return try await edit(Trip.ID(entity.id), in: store)
        case .organization: return try await edit(Organization.ID(entity.id), in: store)
        case .activity: return try await edit(Activity.ID(entity.id), in: store)
        case .lodging: return try await edit(Lodging.ID(entity.id), in: store)
        case .transportation: return try await edit(Transportation.ID(entity.id), in: store)
        case .own: return try await edit(DescribedEntity.ID(entity.id), in: store)
        default:
            throw CommandError("The entity \(entity.id.uuidString) is of a kind that this version does not know.")
        }
    }

    private func edit<Entity: TripEntity>(_ id: Identifier<Entity>, in store: TripStore) async throws -> Receipt? {
        let cleared = try clear.map { try field($0, of: id, in: store) }
        var edited: Entity?
        func change(_ draft: inout Entity) throws {
            for field in cleared { draft.clear(field) }
            try fields.apply(to: &draft, in: store)
            try ownFields.apply(to: &draft, in: store)
            edited = draft
        }
        if dryRun.dryRun {
            let original = try store.read { try $0.present(id).0 }
            var draft = original
            try change(&draft)
            let events = [TripEvent.edited(from: original, to: draft)].compactMap { $0 }
            try await store.preview(events).print(options, "edit", in: store)
            return nil
        }
        let receipt = try await store.edit(id, by: author.authorship, change)
        if let edited { try ItemWarnings.warn(of: edited, given: fields.given, in: store) }
        return receipt
    }

    /// The number of a field by its name: a built-in one, or one of an app that the log names.
    private func field<Entity: TripEntity>(
        _ name: String, of id: Identifier<Entity>, in store: TripStore
    ) throws -> UInt64 {
        if let field = Entity.fieldNumber(named: name) { return field }
        let own = try store.fieldDescriptions().filter { $0.isOfField(of: id.reference) }
        if own.contains(where: { $0.name == name }) {
            return try OwnFieldOptions.field(name, of: id.reference, in: store).number
        }
        let names = (Entity.fieldNames + own.map(\.name)).joined(separator: ", ")
        throw CommandError("There is no field '\(name)' to clear. The fields are \(names).")
    }
}
