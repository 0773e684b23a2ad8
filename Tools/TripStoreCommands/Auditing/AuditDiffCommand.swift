import ArgumentParser
import TripStore

struct AuditDiffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Show which entities and fields differ between two moments.",
        discussion: """
            A moment is a position of this log, 0 being before everything, or a time: ISO 8601 with an offset, or a day, \
            which is all of it in UTC, so that 2027-05-01 means as that day ended. Times are about when commits were \
            written, here or elsewhere. What was changed and changed back does not differ.
            """)

    @OptionGroup var options: StoreOptions

    @Argument(help: "The moment that is compared.")
    var from: HorizonArgument

    @Argument(help: "The moment that it is compared with.")
    var to: HorizonArgument

    func run() async throws {
        let store = try await options.openForReading()
        let differences = try store.differences(from: from.horizon, to: to.horizon)
        if options.json {
            for difference in differences { Console.current.out(Self.json(difference).text) }
            return
        }
        for difference in differences {
            for line in Self.lines(difference) { Console.current.out(line) }
        }
        Console.current.out(Self.summary(differences))
    }

    private static func json(_ difference: EntityDifference) -> JSON {
        let fields = difference.fields.map { field in
            JSON.object([
                ("field", .string(EntityText.field(field.name, field.key))), ("old", field.old.value.ordered),
                ("new", field.new.value.ordered),
            ])
        }
        return .object(
            EntityText.members(difference.entity, difference.name)
                + [("fate", .string(difference.fate.rawValue)), ("fields", .array(fields))])
    }

    private static func lines(_ difference: EntityDifference) -> [String] {
        let head = "\(difference.fate.rawValue) \(EntityText.words(difference.entity, difference.name))"
        let fields = difference.fields.map { field in
            let old = difference.fate == .created ? nil : field.old
            return "  " + EntityText.change(EntityText.field(field.name, field.key), old, field.new)
        }
        return ([head] + fields).map(\.visible)
    }

    private static func summary(_ differences: [EntityDifference]) -> String {
        guard !differences.isEmpty else { return "No differences." }
        let counts = Dictionary(grouping: differences, by: \.fate).mapValues(\.count)
        let words = [EntityDifference.Fate.created, .deleted, .restored, .changed].compactMap { fate in
            counts[fate].map { "\($0) \(fate.rawValue)" }
        }
        return words.joined(separator: ", ") + "."
    }
}
