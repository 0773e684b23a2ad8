import ArgumentParser
import Foundation
import TripStore

struct UndoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo", abstract: "Put back what commits changed, by a new commit.",
        discussion: """
            A field goes back to its value before them only if nobody has written it since; what was created is deleted, \
            what was deleted is restored. What stays is listed with the reason. The history keeps all of it, and \
            'tripstore redo' does it again. If nothing of it can be put back, the exit code is 1; \
            if there is nothing that could be undone, it is 2.

            Examples:
              tripstore undo --last --author ana --dry-run
              tripstore undo --commit 120
              tripstore undo --trip Lisbon --since 2027-05-01
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption

    @Option(name: .long, help: "Undo the commit at this position.")
    var commit: Position?

    @Flag(
        name: .long,
        help: """
            Undo the newest work of --author that was not undone already: one commit, or an import. Without an author: of what this \
            device wrote; --author '' is what any device wrote without one.
            """)
    var last = false

    @Option(name: .long, help: "Undo the edits of this trip, and of items that were ever in it, after --since.")
    var trip: EntityArgument?

    @Option(
        name: .long,
        help:
            "Of --trip only what came after this position, or after all that was here before this time or day in UTC.",
        transform: SinceArgument.init(parsing:))
    var since: SinceArgument?

    @Option(name: .long, help: "Undo every commit with this correlation, as of an import.")
    var correlation: UUID?

    @Flag(name: .long, help: "Say what it would come to, and write nothing.")
    var dryRun = false

    func validate() throws {
        let given = GivenOptions([
            ("--commit", commit != nil), ("--last", last), ("--trip", trip != nil),
            ("--correlation", correlation != nil),
        ])
        if given.names.count > 1 {
            throw ArgumentParser.ValidationError("\(given) say what to undo, each by itself: give one of them.")
        }
        if given.names.isEmpty {
            throw ArgumentParser.ValidationError("Say what to undo: one of --commit, --last, --trip and --correlation.")
        }
        if (trip == nil) != (since == nil) {
            throw ArgumentParser.ValidationError("--trip and --since belong together: give both, or neither.")
        }
    }

    private func target(in store: TripStore) throws -> UndoTarget {
        if let commit { return .commit(commit) }
        if let trip, let since { return try .trip(store.trip(trip), since: since.position(in: store)) }
        if let correlation { return .correlation(correlation) }
        return .lastWork(by: author.authorship.author)
    }

    func run() async throws {
        let work = UndoText.work()
        defer { work.end() }
        if dryRun {
            let store = try await options.openForReading()
            work.report("planning")
            let plan = try store.undoPlan(target(in: store))
            work.end()
            return try UndoText(action: .undo, isDryRun: true).print(plan, options)
        }
        let report = try await withStore(options) { store in
            let target = try target(in: store)
            work.report("planning")
            if last, !options.json { work.say(UndoText.announcement(try store.undoPlan(target))) }
            let report = try await store.undo(target, by: author.authorship) {
                work.report("putting back", $0, of: $1, .things("commit"))
            }
            work.end()
            for receipt in report.receipts { try receipt.noteFollowed(in: store) }
            return report
        }
        try UndoText(action: .undo, isDryRun: false).print(report, options)
    }
}
