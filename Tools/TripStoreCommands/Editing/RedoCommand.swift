import ArgumentParser
import TripStore

struct RedoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redo", abstract: "Do again what the newest undoing in the name of --author put back.",
        discussion: """
            A field that somebody has written since stays, and is listed with the reason; so is one that another replica undid as well, \
            which stands.

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
        if dryRun {
            let store = try await options.openForReading()
            return try await done(in: store) { try text.print(store.redoPlan(by: author.authorship), options) }
        }
        try await withStore(options) { store in
            try await done(in: store) { try text.print(try await store.redo(by: author.authorship), options) }
        }
    }

    /// Runs `redo`. Where another replica has done it already, that is told instead of a failure.
    private func done(in store: TripStore, _ redo: () async throws -> Void) async throws {
        do { try await redo() } catch let error as TripStoreError where error.code == .nothingToUndo {
            guard let done = try store.redoElsewhere(by: author.authorship) else { throw error }
            Console.current.out(
                options.json
                    ? JSON.object([
                        ("dryRun", .bool(dryRun)), ("commits", .array([])), ("changes", .array([])),
                        ("kept", .array([])),
                        ("receipts", .array([])),
                    ]).text
                    : "Nothing was done again: replica \(done.replica) did it already at position \(done.position), and that stands."
            )
        }
    }
}
