import ArgumentParser
import Foundation
import TripStore

struct AddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Create a trip, an item or an organization.",
        subcommands: [
            AddTrip.self, AddItem<ActivityKind>.self, AddItem<LodgingKind>.self, AddTransportation.self,
            AddOrganization.self,
        ])
}

/// Writes a new entity and prints its id.
private func add<Entity: TripEntity>(
    _ entity: Entity, _ options: StoreOptions, _ author: AuthorOption, _ item: ItemOptions? = nil
) async throws {
    let receipt = try await withStore(options) { store in
        try item?.check(in: store)
        return try await store.append([.created(entity)], by: author.authorship)
    }
    if options.json {
        guard case .object(let members) = receipt.json else { return }
        Console.current.out(JSON.object([("id", .string("\(entity.id)"))] + members).text)
    } else {
        Console.current.out("\(entity.id)")
    }
}

struct AddTrip: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "trip", abstract: "Create a trip; prints its id.")

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption
    @OptionGroup var name: NameOptions
    @OptionGroup var notes: NotesOptions
    @OptionGroup var fields: TripOptions

    func run() async throws {
        var trip = Trip(name: name.name ?? "", notes: notes.notes ?? "")
        fields.apply(to: &trip)
        try await add(trip, options, author)
    }
}

struct AddItem<Kind: ItemKind>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        let name = Kind.entityKind.name ?? ""
        return CommandConfiguration(
            commandName: name, abstract: "Create \(name == "activity" ? "an" : "a") \(name); prints its id.")
    }

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption
    @OptionGroup var name: NameOptions
    @OptionGroup var notes: NotesOptions
    @OptionGroup var fields: ItemOptions
    @OptionGroup var address: AddressOptions

    func run() async throws {
        var item = Item<Kind>(name: name.name ?? "", in: nil, notes: notes.notes ?? "")
        try fields.apply(to: &item)
        try address.apply(to: &item.address)
        try await add(item, options, author, fields)
    }
}

struct AddTransportation: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transportation", abstract: "Create a transportation; prints its id.")

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption
    @OptionGroup var name: NameOptions
    @OptionGroup var notes: NotesOptions
    @OptionGroup var mode: ModeOptions
    @OptionGroup var fields: ItemOptions
    @OptionGroup var address: AddressOptions

    func run() async throws {
        var item = Transportation(name: name.name ?? "", mode: mode.mode ?? .other, in: nil, notes: notes.notes ?? "")
        try fields.apply(to: &item)
        try address.apply(to: &item.address)
        try await add(item, options, author, fields)
    }
}

struct AddOrganization: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "organization", abstract: "Create an organization; prints its id.")

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption
    @OptionGroup var name: NameOptions
    @OptionGroup var contact: ContactOptions
    @OptionGroup var address: AddressOptions

    func run() async throws {
        var organization = Organization(name: name.name ?? "")
        contact.apply(to: &organization)
        try address.apply(to: &organization.address)
        try await add(organization, options, author)
    }
}
