import ArgumentParser
import Foundation
import TripStore

struct EditCommand: AsyncParsableCommand, FieldCommand {
    static var fieldOptions: [FieldOption] { FieldOptions<AnyKind>.options }

    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change fields of a trip, an item, or anything else.",
        discussion: """
            The kind follows from the id. Only fields that get another value are written. With --where the kind is named instead, and all that \
            meet the condition are edited in one commit, or none.

            With --kind alone an item becomes an activity, a lodging or a transportation: it gets another id, and keeps the fields that both \
            kinds have, its travellers, its attachments and its history. One undo takes that back. It works with --where as well.

            Examples:
              tripstore edit Lisbon --name Porto
              tripstore edit last --cost 12.50 --currency EUR --paid in-full
              tripstore edit 01A1FC91 --clear notes
              tripstore edit Reserved --kind lodging
              tripstore edit activities --where 'name = Reserved' --kind lodging
              tripstore edit Lisbon --travellers Ana,Ben
              tripstore edit 'Tram 28' --paid in-full --payer Ana \\
                --split parts --parts Ana=2,Ben=1
              tripstore edit Lisbon --insert travellers=Cleo
              tripstore edit passport --trip Lisbon --done
              tripstore edit Lisbon --set rating=5
              tripstore edit socks --set isPacked=yes
              tripstore edit activities --where 'paid = deposit' --paid in-full --dry-run
              tripstore edit own packing --where 'isPacked = no' --set isPacked=yes
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption

    @OptionGroup var which: AnyEntity

    @Argument(help: "With 'own' and --where, the name of a kind.")
    var ownKind: String?

    @OptionGroup var filter: WhereOption
    @OptionGroup var dryRun: DryRunOption

    @Option(name: .long, help: "Empty a field, by its name in JSON; may be given several times.")
    var clear: [String] = []

    @OptionGroup var fields: FieldOptions<AnyKind>
    @OptionGroup(visibility: HelpPage.rare) var ownFields: OwnFieldOptions

    /// The kind that an item is to have; nil if --kind says which entity is meant.
    private var newKind: EntityKind? {
        let isAlone = clear.isEmpty && fields.given.allSatisfy { $0.name == "trip" } && !ownFields.areGiven
        return isAlone ? which.kind : nil
    }

    func validate() throws {
        if newKind == nil && clear.isEmpty && fields.given.isEmpty && !ownFields.areGiven {
            throw ArgumentParser.ValidationError(
                "Say what to change: an option for a field, --set, --insert or --remove NAME=VALUE, or --clear FIELD.")
        }
        if filter.condition != nil {
            _ = try chosenKind()
            if which.kind != nil, newKind == nil {
                throw ArgumentParser.ValidationError("With --where leave out --kind.")
            }
        } else if let ownKind {
            throw ArgumentParser.ValidationError("'\(ownKind)' goes with 'own' and --where. Leave it out.")
        }
    }

    private func chosenKind() throws -> ChosenKind {
        try ChosenKind([which.entity.text] + (ownKind.map { [$0] } ?? []))
    }

    func run() async throws {
        try await withStore(options) { store in
            if let condition = filter.condition {
                switch try chosenKind() {
                case .known(let kind) where newKind != nil:
                    try await changeKinds(
                        to: newKind ?? .activity, try Self.items(kind.type, condition, in: store), in: store)
                case .known(let kind): try await editAll(kind.type, condition, in: store)
                case .described(let name):
                    let kind = try store.ownKind(named: name)
                    let query = Query(of: kind, in: store.knownSchema)
                    try await editAll(query, like: DescribedEntity(of: kind).id, condition, in: store)
                }
                return
            }
            if let kind = newKind { return try await changeKind(to: kind, in: store) }
            let entity = try entity(in: store)
            let receipt = try await edit(entity, in: store)
            receipt?.print(options, "Edited \(EntityText.words(entity, try store.name(of: entity)))".visible)
        }
    }

    private func changeKind(to kind: EntityKind, in store: TripStore) async throws {
        let entity = try store.entity(
            which.entity, of: EntityKind.itemKinds, in: fields.scope(in: store), orElsewhere: true)
        try await changeKinds(to: kind, [entity], in: store)
    }

    private static func items<Entity: TripEntity>(
        _ type: Entity.Type, _ condition: String, in store: TripStore
    ) throws -> [EntityReference] {
        guard EntityKind.itemKinds.contains(Entity.kind) else {
            throw ArgumentParser.ValidationError(
                "--kind changes the kind of items alone. Name activities, lodgings or transportations.")
        }
        let query = Query<Entity>(in: store.knownSchema)
        return try store.ids(query.where(parsing: condition, naming: store.naming)).map(\.reference)
    }

    private func changeKinds(to kind: EntityKind, _ entities: [EntityReference], in store: TripStore) async throws {
        let items = entities.compactMap { TripItem.ID($0) }
        if dryRun.dryRun {
            return try await store.previewKinds(of: items, as: kind).print(options, "change the kind of", in: store)
        }
        let (changed, receipt) = try await store.changingKinds(of: items, to: kind, by: author.authorship)
        try receipt.noteFollowed(in: store)
        let done = filter.condition == nil ? changed.first.map { "\($0)" } ?? "" : "\(changed.count)"
        receipt.print(
            options, "Changed to \(kind.name ?? "") \(done)",
            unchanged: filter.condition == nil ? "It is of the kind \(kind.name ?? "") already." : "Nothing to change.")
    }

    /// The entity to edit. With --trip it is that of the trip; where there is none, what has a trip is put into that one.
    private func entity(in store: TripStore) throws -> EntityReference {
        guard let trip = try fields.scope(in: store) else { return try which.reference(in: store) }
        let found = try which.reference(in: store, of: trip, orElsewhere: true)
        guard try found.type?.fieldNumber(named: "trip") != nil || store.read({ try $0.isPart(found, of: trip) }) else {
            throw TripStoreError(
                .unknownEntity,
                "There is no entity called '\(which.entity.text)' in that trip. Give an id, or leave out --trip.",
                entity: found)
        }
        return found
    }

    private func editAll<Entity: TripEntity>(_ type: Entity.Type, _ condition: String, in store: TripStore) async throws
    {
        try await editAll(Query<Entity>(in: store.knownSchema), like: .new(), condition, in: store)
    }

    /// Edits all entities that meet a condition, of the kind that an id has.
    private func editAll<Entity: TripEntity>(
        _ all: Query<Entity>, like id: Identifier<Entity>, _ condition: String, in store: TripStore
    ) async throws {
        // Where it is no field, a condition says of which trip.
        if Entity.fieldNumber(named: "trip") == nil, try fields.scope(in: store) != nil {
            throw ArgumentParser.ValidationError(
                "--trip does not fit --where here. Ask the condition, as list (trip = Lisbon).")
        }
        let query = try all.where(parsing: condition, naming: store.naming)
        let cleared = try clear.map { try field($0, of: id, in: store) }
        if dryRun.dryRun {
            try await preview(try store.fetch(query).rows, clearing: cleared, in: store)
            return
        }
        // Another write in between makes the change run again.
        var edited: [Identifier<Entity>: Entity] = [:]
        let receipt = try await store.editAll(query, by: author.authorship) { draft in
            try change(&draft, clearing: cleared, in: store)
            edited[draft.id] = draft
        }
        try receipt.noteFollowed(in: store)
        receipt.print(options, "Edited \(receipt.entities.count)")
        for entity in receipt.entities.compactMap({ Identifier<Entity>($0) }).compactMap({ edited[$0] }) {
            try ItemWarnings.warn(of: entity, given: fields.given, in: store)
            try MoneyWarnings.warn(of: entity, given: fields.given, ownFields, in: store)
        }
    }

    private func edit(_ entity: EntityReference, in store: TripStore) async throws -> Receipt? {
        guard let type = entity.type else {
            throw CommandError("The entity \(entity.id.uuidString) is of a kind that this version does not know.")
        }
        return try await edit(entity, as: type, in: store)
    }

    private func edit<Entity: TripEntity>(
        _ entity: EntityReference, as type: Entity.Type, in store: TripStore
    ) async throws -> Receipt? {
        try await edit(Identifier<Entity>(entity.id), in: store)
    }

    private func edit<Entity: TripEntity>(_ id: Identifier<Entity>, in store: TripStore) async throws -> Receipt? {
        let cleared = try clear.map { try field($0, of: id, in: store) }
        if dryRun.dryRun {
            try await preview([try store.read { try $0.present(id).0 }], clearing: cleared, in: store)
            return nil
        }
        var edited: Entity?
        let receipt = try await store.edit(id, by: author.authorship) { draft in
            try change(&draft, clearing: cleared, in: store)
            edited = draft
        }
        try receipt.noteFollowed(in: store)
        if let edited {
            try ItemWarnings.warn(of: edited, given: fields.given, in: store)
            try MoneyWarnings.warn(of: edited, given: fields.given, ownFields, in: store)
        }
        return receipt
    }

    func change<Entity: TripEntity>(
        _ draft: inout Entity, clearing cleared: [UInt64], in store: TripStore
    ) throws {
        for field in cleared { draft.clear(field) }
        try fields.apply(to: &draft, in: store, before: ownFields)
        try ownFields.apply(to: &draft, in: store)
    }

    private func preview<Entity: TripEntity>(
        _ entities: [Entity], clearing cleared: [UInt64], in store: TripStore
    ) async throws {
        let events = try entities.compactMap { original in
            var draft = original
            try change(&draft, clearing: cleared, in: store)
            return TripEvent.edited(from: original, to: draft)
        }
        try await store.preview(events).print(options, "edit", in: store)
    }

    /// The number of a field by its name: a built-in one, or one of an app that the log names.
    func field<Entity: TripEntity>(
        _ name: String, of id: Identifier<Entity>, in store: TripStore
    ) throws -> UInt64 {
        if let field = Entity.fieldNumber(named: name) { return field }
        let own = try store.knownFieldDescriptions().filter { $0.isOfField(of: id.reference) }
        if own.contains(where: { $0.name == name }) {
            return try OwnFieldOptions.field(name, of: id.reference, in: store).number
        }
        let others = own.map(\.name).filter { !Entity.fieldNames.contains($0) }
        let names = (Entity.fieldNames + others).joined(separator: ", ")
        throw CommandError("There is no field '\(name)' to clear. The fields are \(names).")
    }
}
