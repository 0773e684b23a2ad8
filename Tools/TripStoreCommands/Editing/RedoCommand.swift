import ArgumentParser
import TripStore

struct RedoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redo", abstract: "Do again what the newest undoing in the name of --author put back.",
        discussion: """
            A field that somebody has written since stays, and is listed with the reason.

            Examples:
              tripstore redo --dry-run
              tripstore redo --author ana
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption

    @Flag(name: .long, help: "Say what it would come to, and write nothing.")
    var dryRun = false

    func run() async throws {
        if dryRun {
            let store = try await options.openForReading()
            try UndoText(action: .redo, isDryRun: true).print(store.redoPlan(by: author.authorship), options)
        } else {
            let report = try await withStore(options) { try await $0.redo(by: author.authorship) }
            try UndoText(action: .redo, isDryRun: false).print(report, options)
        }
    }
}
