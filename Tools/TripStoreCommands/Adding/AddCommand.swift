import ArgumentParser
import Foundation
import TripStore

struct AddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Create a trip, an item, or anything else.",
        discussion: """
            Without a kind it asks for one, and for what is most needed of it.

            Days and times are \(WrittenWhen.forms).
            """,
        // Files are attached by a command of their own.
        subcommands: AnyKind.kinds.filter { $0 != AttachedFile.self }.map { command(for: $0) } + [
            AddOwn.self, AddAsked.self,
        ],
        groupedSubcommands: [
            CommandGroup(name: "Journeys and stays", subcommands: ItemWords.all.map { command(as: $0) })
        ],
        defaultSubcommand: AddAsked.self)

    private static func command<Entity: TripEntity>(for kind: Entity.Type) -> any ParsableCommand.Type {
        AddEntity<Entity>.self
    }

    private static func command<Word: KindWord>(as word: Word.Type) -> any ParsableCommand.Type { AddAs<Word>.self }
}

/// Creates an entity of which the fields are known, or some of them.
struct Adding {
    let options: StoreOptions
    let author: AuthorOption
    let ownFields: OwnFieldOptions
    /// Whether it is said what days, times and zones were taken.
    var echoes = true

    /// - Parameter isBare: whether the command line says nothing of it: on a terminal all is asked for that `tripstore add` asks for.
    func add<Entity: TripEntity>(_ fields: FieldOptions<Only<Entity>>, isBare: Bool = false) async throws {
        var (fields, echoes) = (fields, echoes)
        if !ownFields.areGiven {
            if isBare, let asking = Asking() {
                try await withReadStore(options) { try fields.askAll(asking, Entity.self, ownFields, in: $0) }
                echoes = false
            }
            try await fields.complete(Entity.self, options, ownFields)
        }
        let (entity, receipt) = try await withStore(options) { [fields, echoes] store in
            var entity = Entity(id: .new())
            try fields.apply(to: &entity, in: store, before: ownFields) { echoes ? "\($0.typed) is " : nil }
            try ownFields.apply(to: &entity, in: store)
            let receipt: Receipt
            do { receipt = try await store.append([.created(entity)], by: author.authorship) } catch {
                throw error.ofNewEntity
            }
            try receipt.noteFollowed(in: store)
            try ItemWarnings.warn(of: entity, given: fields.given, in: store)
            try MoneyWarnings.warn(of: entity, given: fields.given, ownFields, in: store)
            return (entity, receipt)
        }
        Self.print(entity, receipt, options)
    }

    static func print(_ entity: some TripEntity, _ receipt: Receipt, _ options: StoreOptions) {
        let id = "\(entity.id)"
        Console.current.out(
            options.json ? JSON.object([("id", .string(id))] + receipt.members).text : id)
    }
}

/// Creates an entity of one kind.
struct AddEntity<Entity: TripEntity>: AsyncParsableCommand, FieldCommand {
    static var fieldOptions: [FieldOption] { FieldOptions<Only<Entity>>.options }

    static var configuration: CommandConfiguration {
        let name = Entity.kindName
        return CommandConfiguration(
            commandName: name,
            abstract: "Create \(Entity.article) \(name); prints its id.",
            discussion: "Example:\n" + example(of: name))
    }

    private static func example(of kind: String) -> String {
        switch kind {
        case "trip":
            """
              tripstore add trip --name Lisbon --destination Lisboa \\
                --start-date 2027-05-01 --end-date 2027-05-08
            """
        case "transportation":
            """
              tripstore add transportation --name TP361 --mode plane --trip Lisbon \\
                --departure 1 may 10:05 --departure-code LIS --cost '99.90 EUR'
            """
        case "organization":
            """
              tripstore add organization --name TAP --website https://www.flytap.com
            """
        case "traveller":
            """
              tripstore add traveller --name Ana --email ana@example.org
            """
        case "budget":
            """
              tripstore add budget --trip Lisbon --category lodging --amount 600 \\
                --currency EUR
            """
        case "rate":
            """
              tripstore add rate --trip Norway --pair NOK/EUR --rate 0.0875 \\
                --day 2027-05-01 --source 'my bank'
            """
        case "checklist":
            """
              tripstore add checklist --name Packing --trip Lisbon --purpose packing
            """
        case "entry":
            """
              tripstore add entry --name passport --list Packing --assignee Ana \\
                --due-day 2027-04-30
            """
        default:
            """
              tripstore add \(kind) --name 'By the river' --trip Lisbon \\
                --start 1 may 15:00 --place Cacilhas
            """
        }
    }

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption
    @OptionGroup var name: NameArgument
    @OptionGroup var fields: FieldOptions<Only<Entity>>
    @OptionGroup(visibility: HelpPage.rare) var ownFields: OwnFieldOptions

    func validate() throws { try name.check(beside: fields) }

    func run() async throws {
        let isBare = name.name == nil && fields.areNone
        try await Adding(options: options, author: author, ownFields: ownFields).add(name.named(fields), isBare: isBare)
    }
}

extension TripEntity {
    /// The article before the kind's name.
    static var article: String { "aeiou".contains(kindName.prefix(1)) ? "an" : "a" }
}

/// Creates an entity of a kind that an app has added.
struct AddOwn: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "own", abstract: "Create something of a kind that an app has added.",
        discussion: """
            The log must say what the kind and its fields are called: the app writes that before it first writes one of them. The rules that the app has \
            for values are not known here.

            Example:
              tripstore add own packing --set what=socks --set trip=Lisbon
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption

    @Argument(help: "The name of the kind.")
    var kind: String

    @OptionGroup var scope: TripScope
    @OptionGroup var fields: OwnFieldOptions

    func run() async throws {
        let (entity, receipt) = try await withStore(options) { store in
            var entity = DescribedEntity(of: try store.ownKind(named: kind))
            try fields.apply(to: &entity, in: store, of: scope.id(in: store))
            return (entity, try await store.append([.created(entity)], by: author.authorship))
        }
        Adding.print(entity, receipt, options)
    }
}
