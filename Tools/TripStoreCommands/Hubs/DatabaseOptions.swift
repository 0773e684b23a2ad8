import ArgumentParser
import Events
package import Foundation
package import HubDatabase
import LogExchange
package import Logging
import Platform
import TripFormats
import TripStore

/// A database on the command line.
package struct DatabaseArgument: ExpressibleByArgument {
    /// Nil if what was given is none: the parser would repeat it in its own message, with the password in it.
    private let given: DatabaseAddress?

    package init?(argument: String) { given = DatabaseAddress(argument) }

    /// Throws `ValidationError` if it is no address of a database, or leads over a network without a proof of whom to, unless `isInsecure`
    /// accepts that.
    func check(isInsecure: Bool) throws {
        let address = try address
        guard !isInsecure, !address.openHosts(environment: Console.current.environment).isEmpty else { return }
        throw ValidationError(
            ("--database: the way to \(address) is open: who is on it could read the password and every commit, or answer in the database's place. "
                + "Add the option sslmode=verify-full to the address, behind a ? or & (and sslrootcert=FILE for a certificate of your own), or "
                + "accept it with --insecure-database.").visible)
    }

    var address: DatabaseAddress {
        get throws {
            guard let given else {
                throw ValidationError(
                    "--database: what is given is no address of a database, as postgresql://USER@HOST:PORT/NAME.")
            }
            return given
        }
    }
}

extension DatabaseArgument {
    static let insecureHelp: ArgumentHelp =
        "Connect to a database on another host without a certificate that proves it (sslmode=verify-full)."

    static let help: ArgumentHelp = """
        The PostgreSQL database of hubs: postgresql://USER@HOST:PORT/NAME, as libpq reads it. Passwords belong in PGPASSWORD or ~/.pgpass.
        """
}

/// The database that a command needs.
struct DatabaseOptions: ParsableArguments {
    @Option(name: .customLong("database"), help: DatabaseArgument.help)
    var argument: DatabaseArgument

    @Flag(name: .long, help: DatabaseArgument.insecureHelp)
    var insecureDatabase = false

    func validate() throws { try argument.check(isInsecure: insecureDatabase) }
}

/// A folder for copies of journals, which go when the command ends. Those of killed commands go with the next one's start.
final class CopyFolder: Sendable {
    private let folder: LockedFolder
    var url: URL { URL(fileURLWithPath: folder.path) }

    /// Makes one, in a folder that is given, or in the system's for temporary files. Throws `StorageError`.
    init(in parent: String? = nil) throws {
        let parent = parent.map { URL(argument: $0).path } ?? NSTemporaryDirectory()
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        folder = try LockedFolder(in: parent, prefix: "tripstore-copies-", for: "copies of journals")
    }
}

extension DatabaseArgument {
    /// Connects, and runs `body` with the database and a folder for copies.
    package func use<T>(
        logger: Logger = Logger(label: "tripstore", factory: { _ in SwiftLogNoOpLogHandler() }),
        copiesIn parent: String? = nil,
        _ body: (HubDatabase, URL) async throws -> T
    ) async throws -> T {
        let address = try address
        let copies = try CopyFolder(in: parent)
        let database = try await HubDatabase.open(address, logger: logger)
        defer { database.close() }
        // It goes with the last reference to it.
        defer { withExtendedLifetime(copies) {} }
        return try await body(database, copies.url)
    }
}

extension HubDatabase {
    /// The journals that an option chooses: one, or all.
    func journals(_ one: JournalID?) async throws -> [JournalID] {
        if let one { return [one] }
        return try await journals()
    }
}

/// A journal's id on the command line.
struct JournalArgument: ExpressibleByArgument {
    let journal: JournalID

    init?(argument: String) {
        guard let journal = JournalID(argument) else { return nil }
        self.journal = journal
    }
}

/// Verifies the journals of a database for `audit verify`.
struct DatabaseAudit {
    let database: DatabaseArgument
    let journal: JournalID?

    /// Prints each journal's report. Returns whether all are intact.
    func run() async throws -> Bool {
        try await database.use { database, copies in
            var isIntact = true
            let journals = try await database.journals(journal)
            for (number, journal) in journals.enumerated() {
                let report = try await LongWork.run(standing: "Nothing was changed.") { work in
                    work.report("verifying \(journal)", number, of: journals.count, .things("journal"))
                    return try await database.verify(journal, in: copies)
                }
                if !report.isIntact { isIntact = false }
                show(report)
            }
            return isIntact
        }
    }

    private func show(_ report: DatabaseVerification) {
        for finding in report.entries { Console.current.out("\(report.journal) \(finding)".visible) }
        for finding in report.log.findings { Console.current.out("\(report.journal) \(finding.code): \(finding)") }
        let counts = "\(report.log.commits.counted("commit")) of \(report.log.replicas.counted("replica"))"
        let count = report.entries.count + report.log.findings.count
        Console.current.out(
            "\(report.journal) \(report.isIntact ? "intact" : count.counted("finding")), \(counts)")
    }
}
