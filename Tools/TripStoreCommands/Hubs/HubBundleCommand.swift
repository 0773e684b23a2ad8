import ArgumentParser
import Foundation
import HubDatabase
import LogExchange
import TripFormats
import TripStore

struct HubBundleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bundle", abstract: "Write a journal of a database to a bundle.",
        discussion: """
            'tripstore bundle read' brings it into any store of the journal, or a new one. Attachments are not in it. What cannot be used of the \
            database is told, and the exit code is 1.

            Example:
              tripstore hub bundle all.bundle \\
                --journal 6F1D9A3C-5E0B-4B7A-9C55-0D9C1B1D2E3F \\
                --database "$DATABASE"
            """)

    @Argument(help: "The file to write.", completion: .file())
    var file: String

    @Option(name: .long, help: "The journal.")
    var journal: JournalArgument

    @OptionGroup var database: DatabaseOptions

    @Flag(name: .long, help: "Replace another file, if it is there.")
    var force = false

    func run() async throws {
        let (summary, findings) = try await database.argument.use { database, copies in
            try await database.withCopy(of: journal.journal, in: copies) { log, findings in
                (
                    try await BundleWriter.write(log, to: URL(argument: file), replacingOtherFiles: force), findings
                )
            }
        }
        Console.current.out("Wrote \(file)".visible)
        for line in BundleText.lines(summary) { Console.current.out(line) }
        for finding in findings { Console.current.out("  \(finding)".visible) }
        if !findings.isEmpty { throw ExitCode.found }
    }
}
