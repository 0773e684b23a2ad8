import ArgumentParser
import TripFormats
import TripStore

struct ConflictsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts", abstract: "List what two wrote without seeing each other.",
        discussion: """
            A line has the number that 'tripstore resolve' takes, what was edited, the value that stands, and the one that was superseded, with \
            who wrote them. The oldest comes first. Numbers hold until something is resolved or an exchange brings more; 'tripstore audit \
            conflicts' has ids that hold for ever, and all of each. The exit code is 1 if there are any.

            Examples:
              tripstore conflicts
              tripstore conflicts --under Lisbon
              tripstore resolve 1
            """)

    @OptionGroup var options: StoreOptions

    @OptionGroup var scope: UnderOption

    func run() async throws {
        let store = try await options.openForReading()
        var conflicts = try LongWork.reading { try store.numberedConflicts() }
        if let root = try scope.root(in: store) {
            let ids = Set(try store.conflicts(under: root).map(\.id))
            conflicts.removeAll { !ids.contains($0.conflict.id) }
        }
        if options.json {
            for (number, conflict) in conflicts {
                Console.current.out(
                    JSON.object([("number", .integer(number))] + ConflictText.members(conflict)).text)
            }
        } else {
            if conflicts.isEmpty { Console.current.out("No conflicts.") }
            for (number, conflict) in conflicts { Console.current.out(try Self.line(number, conflict, store)) }
        }
        if !conflicts.isEmpty { throw ExitCode.found }
    }

    /// No wider than the terminal, and at most 100 columns.
    private static func line(_ number: Int, _ conflict: Conflict, _ store: TripStore) throws -> String {
        let layout = Console.current.layout
        let most = min(layout.columns ?? 100, 100)
        let name = conflict.name.isEmpty ? conflict.entity.kindWords : conflict.name
        let superseded = try store.namingIDs(in: conflict.superseded.value.words)
        let winner = try store.namingIDs(in: conflict.winner.value.words)
        let field = try store.namingIDs(in: conflict.field)
        let (loser, author) = (conflict.superseded.commit.shortName, conflict.winner.commit.shortName)
        // Long names and values leave room to each other.
        var line = ""
        for width in [60, 40, 30, 24, 18, 14, 11, 8] {
            func cut(_ text: String) -> String { layout.cut(layout.shown(text), to: width) }
            let words =
                switch conflict.subject {
                case .field: "\(cut(field)) \(cut(winner)) (\(cut(author))), not \(cut(superseded)) (\(cut(loser)))"
                case .deletion: "deleted (\(cut(author))), with edits of \(cut(field)) (\(cut(loser)))"
                case .parentDeletion: "put (\(cut(loser))) into what was deleted (\(cut(author)))"
                }
            line = "\(number)  \(cut(name)): \(words)"
            if layout.shown(line).columns <= most { break }
        }
        return layout.cut(line, to: most)
    }
}

extension TripStore {
    /// The open conflicts by their numbers for people, from 1 on: the oldest winner first.
    func numberedConflicts() throws -> [(number: Int, conflict: Conflict)] {
        try conflicts().rows.reversed().enumerated().map { ($0.offset + 1, $0.element) }
    }
}

extension CommitInfo {
    /// Its author; without one the replica by its first digits.
    var shortName: String { author.isEmpty ? String(replica.description.prefix(8)) : author }
}
