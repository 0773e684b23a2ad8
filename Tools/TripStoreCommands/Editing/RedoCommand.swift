import ArgumentParser
import TripStore

struct RedoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redo", abstract: "Do again what the newest undoing put back.",
        discussion: """
            Without an author it is the newest undoing that this device wrote. A field that was written since stays, and is listed with \
            the reason. A field that another replica undid as well stays undone, and is listed too.

            Examples:
              tripstore redo --dry-run
              tripstore redo --author ana
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption

    @Flag(name: .long, help: "Say what it would come to, and write nothing.")
    var dryRun = false

    func run() async throws {
        let text = UndoText(action: .redo, isDryRun: dryRun)
        let work = UndoText.work()
        if dryRun {
            let store = try await options.openForReading()
            work.report("planning")
            return try await done(in: store) {
                // Also before what is said of a failure.
                defer { work.end() }
                let plan = try store.redoPlan(by: author.authorship)
                work.end()
                try text.print(plan, options)
            }
        }
        try await withStore(options) { store in
            work.report("planning")
            try await done(in: store) {
                defer { work.end() }
                let report = try await store.redo(by: author.authorship) {
                    work.report("doing again", $0, of: $1, .things("commit"))
                }
                work.end()
                for receipt in report.receipts { try receipt.noteFollowed(in: store) }
                try text.print(report, options)
            }
        }
    }

    /// Runs `redo`. Where another replica has done it already, it says so and does not fail.
    private func done(in store: TripStore, _ redo: () async throws -> Void) async throws {
        do { try await redo() } catch let error as TripStoreError where error.code == .nothingToUndo {
            guard let done = try store.redoElsewhere(by: author.authorship) else { throw error }
            let reason = "replica \(done.replica) did it already at position \(done.position), and that stands"
            guard options.json else { return Console.current.out("Nothing was done again: \(reason).") }
            let kept = JSON.object([
                ("kind", .null), ("id", .null), ("name", .string("")), ("field", .null), ("reason", .string(reason)),
                ("position", .integer(done.position.rawValue)), ("replica", .string("\(done.replica)")),
            ])
            let empty = JSON.array([])
            Console.current.out(
                JSON.object([
                    ("dryRun", .bool(dryRun)), ("commits", empty), ("changes", empty), ("kept", .array([kept])),
                    ("receipts", empty),
                ]).text)
        }
    }
}
