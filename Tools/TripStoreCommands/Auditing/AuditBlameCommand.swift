import ArgumentParser
import Foundation
import TripStore

struct AuditBlameCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "blame", abstract: "Show who wrote the present value of each field.",
        discussion: """
            A line a field: its name, author and replica, the time in UTC, the commit's position, and the value, with names in the place of \
            ids. A * marks a value that superseded another which its author had not seen: which, is said below. Edits of what was deleted \
            meanwhile follow.

            Example:
              tripstore audit blame Lisbon
            """)

    @OptionGroup var options: StoreOptions

    @OptionGroup var which: AnyEntity
    @OptionGroup var scope: TripScope

    func run() async throws {
        let store = try await options.openForReading()
        let blame = try store.blame(which.reference(in: store, of: scope.id(in: store)))
        if options.json {
            Console.current.out(Self.json(blame).text)
        } else {
            for line in try Self.lines(blame, store) { Console.current.out(line) }
        }
    }

    private static func json(_ blame: Blame) -> JSON {
        let fields = blame.lines.map { line in
            JSON.object(
                [("field", .string(line.field.name)), ("value", line.field.value.ordered)]
                    + line.commit.members + [("contested", .bool(line.isContested))])
        }
        return .object([
            ("id", .string(blame.entity.id.uuidString)), ("kind", blame.entity.kindJSON),
            ("name", .string(blame.name)), ("created", json(blame.created)), ("deleted", json(blame.deleted)),
            ("fields", .array(fields)), ("conflicts", .array(blame.deletionConflicts.map(ConflictText.json))),
        ])
    }

    private static func json(_ commit: CommitInfo?) -> JSON { commit.map { .object($0.members) } ?? .null }

    private static func lines(_ blame: Blame, _ store: TripStore) throws -> [String] {
        let layout = Console.current.layout
        func cells(_ what: String, _ commit: CommitInfo) -> [String] {
            // On a terminal the value has the room of the seconds.
            let time = commit.written.utcText
            let shown = layout.columns == nil ? time : String(time.prefix(16)).replacing("T", with: " ")
            return ["  " + what, commit.who, shown, "\(commit.position)"]
        }
        var rows = try blame.lines.map { line in
            cells(try store.namingIDs(in: line.field.name), line.commit)
                + [(line.isContested ? "* " : "  ") + (try store.namingIDs(in: line.field.words))]
        }
        if let created = blame.created { rows.append(cells("created", created)) }
        if let deleted = blame.deleted { rows.append(cells("deleted", deleted)) }
        let contested = try store.openConflicts(of: [blame.entity])[blame.entity] ?? []
        return try [EntityText.words(blame.entity, blame.name).visible]
            + TextTable.lines(rows, cutting: [4], dropping: [3])
            + contested.flatMap { layout.lines(try ConflictText.mark($0, in: store), behind: "  ") }
            + blame.deletionConflicts.flatMap { layout.lines(ConflictText.line($0), behind: "  conflict  ") }
    }
}
