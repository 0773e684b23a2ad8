import ArgumentParser
import TripStore

/// The name of what is created, before its options.
struct NameArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("Its name, in place of --name.", valueName: "name"))
    var name: String?

    /// Refuses a name of a kind that has none, and a second one.
    func check<Entity>(beside fields: FieldOptions<Only<Entity>>) throws {
        guard let name else { return }
        guard FieldOptions<Only<Entity>>.options.contains(where: { $0.name == "name" }) else {
            throw ArgumentParser.ValidationError(
                "\(Entity.article == "a" ? "A" : "An") \(Entity.kindName) has no name: leave '\(name.prefix(60))' out.")
        }
        guard fields.texts["name"] == nil else {
            throw ArgumentParser.ValidationError("The name is given twice: leave out --name.")
        }
    }

    /// The options with the name, as if it was typed as --name.
    func named<Entity>(_ fields: FieldOptions<Only<Entity>>) -> FieldOptions<Only<Entity>> {
        var named = fields
        if let name { named.set("name", to: name) }
        return named
    }
}
