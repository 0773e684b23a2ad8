import ArgumentParser
import TripStore

struct AuditDiffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Show what differs between two moments.",
        discussion: """
            A moment is a position of this log, 0 being before everything; a time: ISO 8601 with an offset; a day, which is all of it in \
            UTC, so that 2027-05-01 means as that day ended; or 'now'. Times are about when commits were written, here or elsewhere. What was changed and changed back does not differ. As with 'diff' the exit code is 1 if \
            anything differs.

            Examples:
              tripstore audit diff 2027-05-01 now
              tripstore audit diff 120 now --under Lisbon
            """)

    @OptionGroup var options: StoreOptions

    @Argument(help: "The moment that is compared.", transform: HorizonArgument.init(parsing:))
    var from: HorizonArgument

    @Argument(help: "The moment that it is compared with.", transform: HorizonArgument.init(parsing:))
    var to: HorizonArgument

    @OptionGroup var scope: UnderOption

    func run() async throws {
        let store = try await options.openForReading()
        var differences = try LongWork.reading { try store.differences(from: from.horizon, to: to.horizon).rows }
        if let root = try scope.root(in: store) {
            let touched = try Self.touched(by: root, store)
            differences.removeAll { !touched.contains($0.entity) }
        }
        if options.json {
            for difference in differences { Console.current.out(Self.json(difference).text) }
        } else {
            for difference in differences {
                for line in Self.lines(difference) { Console.current.out(line) }
            }
            Console.current.out(Self.summary(differences))
        }
        if !differences.isEmpty { throw ExitCode.found }
    }

    /// An entity, and what was ever under it.
    private static func touched(by root: EntityReference, _ store: TripStore) throws -> Set<EntityReference> {
        var found: Set = [root]
        var last: Position?
        while true {
            let commits = try store.audit(AuditFilter(under: root), limit: 256, beyond: last)
            guard let newest = commits.last else { return found }
            last = newest.position
            for commit in commits { found.formUnion(commit.events.map(\.entity)) }
        }
    }

    private static func json(_ difference: EntityDifference) -> JSON {
        let fields = difference.fields.map { field in
            JSON.object([
                ("field", .string(field.name)), ("old", field.old.value.ordered),
                ("new", field.new.value.ordered),
            ])
        }
        return .object(
            EntityText.members(difference.entity, difference.name)
                + [("fate", .string("\(difference.fate)")), ("fields", .array(fields))])
    }

    private static func lines(_ difference: EntityDifference) -> [String] {
        let head = "\(difference.fate) \(EntityText.words(difference.entity, difference.name))"
        let fields = difference.fields.map { field in
            let old = difference.fate == .created ? nil : field.old
            return "  " + EntityText.change(field.name, old, field.new)
        }
        return ([head] + fields).map(\.visible)
    }

    private static func summary(_ differences: [EntityDifference]) -> String {
        guard !differences.isEmpty else { return "No differences." }
        let counts = Dictionary(grouping: differences, by: \.fate).mapValues(\.count)
        let words = [EntityDifference.Fate.created, .deleted, .restored, .changed].compactMap { fate in
            counts[fate].map { "\($0) \(fate)" }
        }
        return words.joined(separator: ", ") + "."
    }
}
