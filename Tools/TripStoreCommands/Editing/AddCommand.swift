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
    _ options: StoreOptions, _ author: AuthorOption, _ make: (TripStore) throws -> Entity,
    then check: (Entity, TripStore) throws -> Void = { _, _ in }
) async throws {
    let (entity, receipt) = try await withStore(options) { store in
        let entity = try make(store)
        let receipt = try await store.append([.created(entity)], by: author.authorship)
        try check(entity, store)
        return (entity, receipt)
    }
    if options.json {
        Console.current.out(JSON.object([("id", .string("\(entity.id)"))] + receipt.members).text)
    } else {
        Console.current.out("\(entity.id)")
    }
}

struct AddTrip: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trip", abstract: "Create a trip; prints its id.",
        discussion: """
            Example:
              tripstore add trip --name Lisbon --destination Lisboa \\
                --start-date 2027-05-01 --end-date 2027-05-08
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption
    @OptionGroup var name: NameOptions
    @OptionGroup var notes: NotesOptions
    @OptionGroup var fields: TripOptions

    func run() async throws {
        var trip = Trip(name: name.name ?? "", notes: notes.notes ?? "")
        fields.apply(to: &trip)
        try await add(options, author) { _ in trip }
    }
}

struct AddItem<Kind: ItemKind>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        let name = Kind.entityKind.name ?? ""
        return CommandConfiguration(
            commandName: name, abstract: "Create \(name == "activity" ? "an" : "a") \(name); prints its id.",
            discussion: """
                Example:
                  tripstore add \(name) --name 'By the river' --trip Lisbon \\
                    --start 2027-05-01T15:00 --start-time-zone Europe/Lisbon
                """)
    }

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption
    @OptionGroup var name: NameOptions
    @OptionGroup var notes: NotesOptions
    @OptionGroup var fields: ItemOptions
    @OptionGroup var address: AddressOptions

    func run() async throws {
        var item = Item<Kind>(name: name.name ?? "", in: nil, notes: notes.notes ?? "")
        try await add(options, author) { store in
            try fields.apply(to: &item, fields.links(in: store))
            try address.apply(to: &item.address)
            return item
        } then: {
            try fields.warn(of: $0, in: $1)
        }
    }
}

struct AddTransportation: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transportation", abstract: "Create a transportation; prints its id.",
        discussion: """
            Example:
              tripstore add transportation --name TP361 --mode plane --trip Lisbon \\
                --start 2027-05-01T10:05 --start-time-zone Europe/Lisbon \\
                --cost 99.90 --currency EUR
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption
    @OptionGroup var name: NameOptions
    @OptionGroup var notes: NotesOptions
    @OptionGroup var mode: ModeOptions
    @OptionGroup var fields: ItemOptions
    @OptionGroup var address: AddressOptions

    func run() async throws {
        var item = Transportation(name: name.name ?? "", mode: mode.mode ?? .other, in: nil, notes: notes.notes ?? "")
        try await add(options, author) { store in
            try fields.apply(to: &item, fields.links(in: store))
            try address.apply(to: &item.address)
            return item
        } then: {
            try fields.warn(of: $0, in: $1)
        }
    }
}

struct AddOrganization: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "organization", abstract: "Create an organization; prints its id.",
        discussion: """
            Example:
              tripstore add organization --name TAP --website https://www.flytap.com
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption
    @OptionGroup var name: NameOptions
    @OptionGroup var contact: ContactOptions
    @OptionGroup var address: AddressOptions

    func run() async throws {
        var organization = Organization(name: name.name ?? "")
        contact.apply(to: &organization)
        try address.apply(to: &organization.address)
        try await add(options, author) { _ in organization }
    }
}
