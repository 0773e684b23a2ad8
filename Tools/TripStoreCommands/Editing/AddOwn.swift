import ArgumentParser
import Foundation
import TripStore

/// Creates an entity of a kind that an app has added.
struct AddOwn: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "own", abstract: "Create an entity of a kind that an app has added; prints its id.",
        discussion: """
            The log must say what the kind and its fields are called: the app writes that when it opens the store. The rules that the app has \
            for values are not known here.

            Example:
              tripstore add own packing --set what=socks --set trip=Lisbon
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption

    @Argument(help: "The name of the kind.")
    var kind: String

    @OptionGroup var fields: OwnFieldOptions

    func run() async throws {
        let (entity, receipt) = try await withStore(options) { store in
            var entity = DescribedEntity(of: try store.ownKind(named: kind))
            try fields.apply(to: &entity, in: store)
            return (entity, try await store.append([.created(entity)], by: author.authorship))
        }
        if options.json {
            Console.current.out(JSON.object([("id", .string("\(entity.id)"))] + receipt.members).text)
        } else {
            Console.current.out("\(entity.id)")
        }
    }
}
