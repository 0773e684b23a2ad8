import ArgumentParser
import EventLog
import Events
import Foundation
import TripFormats
import TripStore

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Read the log: who changed what, and verify it.",
        subcommands: [
            AuditLogCommand.self, AuditShowCommand.self, AuditBlameCommand.self, AuditDiffCommand.self,
            AuditConflictsCommand.self, AuditReportCommand.self, AuditVerifyCommand.self,
        ])
}

struct AuditShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show everything about the commit at a position.",
        discussion: """
            Example:
              tripstore audit show 120
            """)

    @OptionGroup var options: StoreOptions

    @Argument(help: "The commit's position in the log.")
    var position: UInt64

    func run() async throws {
        let store = try await options.openForReading()
        guard let commit = try store.commit(at: Position(position)) else {
            let last = try store.status().position
            throw CommandError(
                "There is no commit at position \(position): the log goes from 1 to \(last).", code: "unknownPosition")
        }
        if options.json {
            Console.current.out(AuditText.json(commit).text)
        } else {
            for line in AuditText.details(commit, try NamedErasures(in: store)) { Console.current.out(line) }
        }
    }
}

struct AuditVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check every hash and signature of the log anew.",
        discussion: """
            Every finding is printed; the exit code is 1 if there is any. Commits that the medium lost are one until the file with what \
            is left of them is removed. Others may write meanwhile: verified is the log as it \
            stood at one moment, up to the position that is printed.

            With --database the journals of hubs that share it are verified, and that nothing is missing between their entries. No store is needed \
            then.

            Examples:
              tripstore audit verify
              tripstore audit verify --database "$DATABASE"
            """)

    @OptionGroup var options: AuditedStore

    func run() async throws {
        if let database = options.database {
            let audit = DatabaseAudit(database: database, journal: options.journal?.journal)
            guard try await audit.run() else { throw ExitCode.found }
            return
        }
        let folder = try options.folder
        let report: VerificationReport
        do {
            report = try await LongWork.run(standing: "Nothing was changed; the rest of the log was not looked at.") {
                work in
                // How many there are is what it finds out.
                try await TripStore.verify(at: folder) {
                    work.report("verifying", $0.rawValue, of: Int?.none, .things("commit"))
                }
            }
        } catch let error as TripStoreError where error.code == .noStore {
            throw StoreOptions.noStore(folder)
        }
        let (erasures, unstated) = await options.erasures(report)
        if options.json {
            Console.current.out(json(report, erasures, unstated).text)
        } else {
            for finding in report.findings { Console.current.out("\(finding.code): \(finding)") }
            let counts = [(report.commits, "commit"), (report.events, "event"), (report.replicas, "replica")]
                .map { $0.counted($1) }.joined(separator: ", ")
            if report.erasedEvents + report.erasedCommits > 0 {
                Console.current.out(
                    "Erased: \(report.erasedEvents.counted("event")) and \(report.erasedCommits.counted("whole commit"))."
                )
            } else if !erasures.isEmpty {
                Console.current.out("Erased: nothing yet.")
            }
            for erasure in erasures { Console.current.out(("  " + ErasureText.words(erasure)).visible) }
            if !unstated.isEmpty {
                Console.current.out(
                    "Missing: bytes of \(unstated.count.counted("commit")) that \(ErasureText.unstated).")
            }
            for commit in unstated { Console.current.out("  \(commit)") }
            Console.current.out(
                report.isIntact
                    ? "Intact up to position \(report.position): \(counts)."
                    : "\(report.findings.count.counted("finding")) up to position \(report.position), in \(counts)."
            )
        }
        if !report.isIntact { throw ExitCode.found }
    }

    private func json(
        _ report: VerificationReport, _ erasures: [ErasureStatus], _ unstated: [CommitID]
    ) -> JSON {
        .object([
            ("ok", .bool(report.isIntact)), ("commits", .integer(report.commits)), ("events", .integer(report.events)),
            ("erasedEvents", .integer(report.erasedEvents)), ("erasedCommits", .integer(report.erasedCommits)),
            ("replicas", .integer(report.replicas)), ("position", .integer(report.position.rawValue)),
            ("findings", .array(report.findings.map(JSON.finding))),
            ("erasures", .array(erasures.map(ErasureText.json))),
            ("unstated", .array(unstated.map { .string("\($0)") })),
        ])
    }
}
