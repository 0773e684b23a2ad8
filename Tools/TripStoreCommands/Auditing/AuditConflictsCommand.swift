import ArgumentParser
import Foundation
import TripStore

struct AuditConflictsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts", abstract: "List edits that superseded others unseen.",
        discussion: """
            A line each, the newest winners first: the conflict's id, what was edited, the value that does not count, and \
            the one that does. 'tripstore resolve' takes an id and writes either value. The exit code is 1 if there are any.

            Examples:
              tripstore audit conflicts
              tripstore audit conflicts --under Lisbon --all
            """)

    @OptionGroup var options: StoreOptions

    @OptionGroup var scope: UnderOption

    @Flag(name: .long, help: "Also resolved conflicts: a later write replaced the winner.")
    var all = false

    func run() async throws {
        let store = try await options.openForReading()
        let root = try scope.root(in: store)
        let conflicts = try LongWork.reading { try store.conflicts(under: root, includingResolved: all) }
        if options.json {
            for conflict in conflicts { Console.current.out(ConflictText.json(conflict).text) }
        } else {
            if conflicts.isEmpty { Console.current.out("No conflicts.") }
            for conflict in conflicts { Console.current.out(ConflictText.line(conflict)) }
        }
        if !conflicts.isEmpty { throw ExitCode.found }
    }
}

/// Conflicts in words and in JSON.
enum ConflictText {
    static func json(_ conflict: Conflict) -> JSON { .object(members(conflict)) }

    static func members(_ conflict: Conflict) -> [(String, JSON)] {
        [
            ("id", .string("\(conflict.id)")), ("subject", .string(subject(conflict))),
            ("kind", conflict.entity.kindJSON), ("entity", .string(conflict.entity.id.uuidString)),
            ("name", .string(conflict.name)), ("field", .string(conflict.field)),
            ("superseded", json(conflict.superseded)), ("winner", json(conflict.winner)),
            ("open", .bool(conflict.isOpen)),
        ]
    }

    private static func json(_ side: Conflict.Side) -> JSON {
        .object([("value", side.value.value.ordered)] + side.commit.members)
    }

    private static func subject(_ conflict: Conflict) -> String {
        switch conflict.subject {
        case .field: "field"
        case .deletion: "deletion"
        case .parentDeletion: "parentDeletion"
        }
    }

    static func line(_ conflict: Conflict) -> String {
        let entity = EntityText.words(conflict.entity, conflict.name)
        let sides = "\(words(conflict.superseded)) superseded by \(words(conflict.winner))"
        let state = conflict.isOpen ? "open" : "resolved"
        return "\(conflict.id.short)  \(state)  \(entity): \(conflict.field) \(sides)".visible
    }

    /// As in "cost superseded 90.00 EUR of ana, which was not seen", for marks beside what is shown.
    static func mark(_ conflict: Conflict, in store: TripStore) throws -> String {
        let value = try store.namingIDs(in: conflict.superseded.value.words)
        let field = try store.namingIDs(in: conflict.field)
        return "* \(field) superseded \(value) of \(conflict.superseded.commit.shortName) unseen: "
            + "'tripstore conflicts'".onThisStore
    }

    private static func words(_ side: Conflict.Side) -> String {
        "\(side.value.words) (\(side.commit.who), \(side.commit.written.utcText), position \(side.commit.position))"
    }
}
