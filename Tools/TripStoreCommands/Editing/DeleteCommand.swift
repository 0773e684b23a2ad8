import ArgumentParser
import Foundation
import TripStore

struct DeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete trips, items or organizations, all or none.",
        discussion: "A trip's items go with it and come back with it. What is deleted stays in the history.")

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption

    @Argument(help: "The ids of what to delete.")
    var ids: [UUID]

    @Option(name: .long, help: "The kind, if entities of several kinds have an id.")
    var kind: EntityKind?

    func run() async throws {
        let receipt = try await append(.deleted, to: ids, kind, options, author)
        receipt.print(options, "Deleted \(receipt.entities.count)")
    }
}

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Take deletions back, all or none.")

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption

    @Argument(help: "The ids of what to restore.")
    var ids: [UUID]

    @Option(name: .long, help: "The kind, if entities of several kinds have an id.")
    var kind: EntityKind?

    func run() async throws {
        let receipt = try await append(.restored, to: ids, kind, options, author)
        receipt.print(options, "Restored \(receipt.entities.count)")
    }
}

private func append(
    _ verb: Verb, to ids: [UUID], _ kind: EntityKind?, _ options: StoreOptions, _ author: AuthorOption
) async throws -> Receipt {
    try await withStore(options) { store in
        let found = try Set(ids).sorted().map { try store.entity(withID: $0, kind: kind) }
        // A trip comes back before its items, and goes after them.
        let trips = found.filter { $0.kind == .trip }
        let others = found.filter { $0.kind != .trip }
        let entities = verb == .restored ? trips + others : others + trips
        let events = entities.map { TripEvent(verb, $0) }
        return try await store.append(events, by: author.authorship)
    }
}

struct MoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "move", abstract: "Put an item into another trip.")

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption

    @Argument(help: "The item's id.")
    var item: UUID

    @Option(name: .long, help: "The id of the trip to put it into.")
    var to: UUID

    func run() async throws {
        let receipt = try await withStore(options) { store in
            let entity = try store.entity(withID: item, kind: nil)
            switch entity.kind {
            case .activity: return try await store.move(Activity.ID(item), to: Trip.ID(to), by: author.authorship)
            case .lodging: return try await store.move(Lodging.ID(item), to: Trip.ID(to), by: author.authorship)
            case .transportation:
                return try await store.move(Transportation.ID(item), to: Trip.ID(to), by: author.authorship)
            default:
                throw CommandError(
                    "\(item.uuidString) is of the kind \(entity.kind.name ?? "unknown"), not an item of a trip.")
            }
        }
        receipt.print(options, "Moved \(item.uuidString)", unchanged: "It is in that trip already.")
    }
}
