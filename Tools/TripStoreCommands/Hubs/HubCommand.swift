import ArgumentParser
import Events
import Foundation
import HubDatabase
import LogExchange
import TripFormats
import TripStore

struct HubCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hub", abstract: "Look after the database of hubs that share one.",
        discussion: """
            'tripstore serve --database' starts such a hub, and 'tripstore audit verify --database' verifies what is stored.
            """,
        subcommands: [
            HubJournalsCommand.self, HubImportCommand.self, HubExportCommand.self, HubBundleCommand.self,
            HubEpochCommand.self,
        ])
}

struct HubJournalsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "journals", abstract: "List the journals in a database.",
        discussion: """
            Example:
              tripstore hub journals --database "$DATABASE"
            """)

    @OptionGroup var database: DatabaseOptions

    func run() async throws {
        let journals = try await database.argument.use { database, _ in try await database.sizes() }
        for journal in journals {
            Console.current.out(
                "\(journal.journal)  \(journal.commits.counted("commit")), \(Words.bytes(Int(clamping: journal.bytes)))"
            )
        }
    }
}

struct HubImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Store the journals of a hub's folder in a database.",
        discussion: """
            Every commit is checked as one from a client is. What the database has already is passed over, so that it can be run again. The folder \
            is only read, and a hub may serve it meanwhile.

            Example:
              tripstore hub import /srv/trips \\
                --database "$DATABASE"
            """)

    @Argument(help: "The folder of 'tripstore serve --hub'.", completion: .directory)
    var folder: String

    @OptionGroup var database: DatabaseOptions

    func run() async throws {
        let journals = JournalFolder(URL(argument: folder))
        let found = try journals.journals()
        guard !found.isEmpty else {
            throw CommandError("There are no journals at \(folder). Check the path.", code: "noStore")
        }
        try await database.argument.use { database, copies in
            for (number, journal) in found.enumerated() {
                let added = try await LongWork.run(
                    standing:
                        "The journals that are listed are in the database; the same command goes on with the others."
                ) { work in
                    work.report("bringing in \(journal)", number, of: found.count, .things("journal"))
                    return try await database.import(storeAt: journals.folder(of: journal), in: copies)
                }
                Console.current.out("\(journal)  \(added.counted("commit"))")
            }
        }
    }
}

struct HubExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write the journals of a database to a folder, for a hub that keeps its own.",
        discussion: """
            'tripstore serve --hub' goes on with the folder, as another replica in each journal. What cannot be used of the database is told, and the \
            exit code is 1; members send it again.

            Example:
              tripstore hub export /srv/trips \\
                --database "$DATABASE"
            """)

    @Argument(help: "The folder, which must not have the journals yet.", completion: .directory)
    var folder: String

    @OptionGroup var database: DatabaseOptions

    @Option(name: .long, help: "This journal alone. Default: all.")
    var journal: JournalArgument?

    func run() async throws {
        var isIntact = true
        try await database.argument.use { database, _ in
            for journal in try await database.journals(journal?.journal) {
                let (commits, findings) = try await database.export(journal, to: URL(argument: folder))
                if !findings.isEmpty { isIntact = false }
                Console.current.out("\(journal)  \(commits.counted("commit"))")
                for finding in findings { Console.current.out("  \(finding)".visible) }
            }
        }
        if !isIntact { throw ExitCode.found }
    }
}

struct HubEpochCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "epoch", abstract: "Begin an epoch: after a database was restored in a way that nothing shows.",
        discussion: """
            Hubs notice a restore from a backup with its log, a promoted standby and a move to another server by themselves. Of a disk that was \
            set back to a snapshot nothing shows. All hubs make their copies anew, and go on as another replica in each journal.

            Example:
              tripstore hub epoch --database "$DATABASE"
            """)

    @OptionGroup var database: DatabaseOptions

    func run() async throws {
        try await database.argument.use { database, _ in try await database.beginEpoch() }
        Console.current.out("An epoch began.")
    }
}
