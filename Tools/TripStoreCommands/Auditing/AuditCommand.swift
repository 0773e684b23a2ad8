import ArgumentParser
import Foundation
import TripStore

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "Read the log: who changed what, when, from what to what; and verify it.",
        subcommands: [
            AuditLogCommand.self, AuditShowCommand.self, AuditBlameCommand.self, AuditDiffCommand.self,
            AuditConflictsCommand.self, AuditReportCommand.self, AuditVerifyCommand.self,
        ])
}

struct AuditLogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "List the events of the log, a line each; with --json, a commit each.",
        discussion:
            "Times are ISO 8601 with an offset, or days in UTC. Old and new values are in the order of the merge.")

    @OptionGroup var options: StoreOptions

    @Option(name: .long, help: "Only commits that touch this entity.")
    var entity: UUID?

    @Option(name: .long, help: "Only commits that touch this trip, or an item that ever belonged to it.")
    var trip: UUID?

    @Option(name: .long, help: "Only commits of this replica.")
    var replica: ReplicaID?

    @Option(name: .long, help: "Only commits in this name.")
    var author: String?

    @Option(name: .long, help: "Only commits that touch an entity of this kind.")
    var kind: EntityKind?

    @Option(name: .long, help: "Only commits from then on.")
    var since: InstantArgument?

    @Option(name: .long, help: "Only commits up to then.")
    var until: InstantArgument?

    @Option(name: .long, help: "The most commits to list.")
    var limit: Int?

    @Flag(name: .long, help: "From the newest to the oldest.")
    var reverse = false

    @Flag(name: .long, help: "Go on with new commits as they come, until interrupted.")
    var follow = false

    func validate() throws {
        if let limit, limit < 1 { throw ArgumentParser.ValidationError("--limit \(limit) is less than 1.") }
        if follow && reverse { throw ArgumentParser.ValidationError("--follow goes forwards: leave out --reverse.") }
    }

    func run() async throws {
        let store = try await options.openForReading()
        var remaining = limit ?? .max
        var last: Position?
        try list(store, &remaining, &last)
        guard follow else { return }
        for await _ in store.changes() {
            guard remaining > 0, Console.current.hasReader() else { return }
            try list(store, &remaining, &last)
        }
    }

    private func list(_ store: TripStore, _ remaining: inout Int, _ last: inout Position?) throws {
        let filter = AuditFilter(
            entity: entity, trip: trip.map { Trip.ID($0) }, replica: replica, author: author, kind: kind,
            since: since?.first, until: until?.last, isReversed: reverse)
        while remaining > 0, Console.current.hasReader() {
            // No snapshot is held while lines are printed, so what is read in one go is bounded.
            let commits = try store.audit(filter, limit: min(remaining, 32), after: last)
            guard let position = commits.last?.position else { return }
            last = position
            remaining -= commits.count
            for commit in commits {
                if options.json {
                    Console.current.out(AuditText.json(commit).text)
                } else {
                    for line in AuditText.lines(commit) { Console.current.out(line) }
                }
            }
        }
    }
}

struct AuditShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show everything about the commit at a position.")

    @OptionGroup var options: StoreOptions

    @Argument(help: "The commit's position in the log.")
    var position: UInt64

    func run() async throws {
        let store = try await options.openForReading()
        guard let commit = try store.commit(at: Position(position)) else {
            let last = try store.status().position
            throw CommandError("There is no commit at position \(position): the log goes from 1 to \(last).")
        }
        if options.json {
            Console.current.out(AuditText.json(commit).text)
        } else {
            for line in AuditText.details(commit) { Console.current.out(line) }
        }
    }
}

struct AuditVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Derive every hash, number, timestamp and signature of the log anew.",
        discussion: """
            Every finding is printed; the exit code is 1 if there is any. Others may write meanwhile: verified is the log as it \
            stood at one moment, up to the position that is printed.
            """)

    @OptionGroup var options: StoreOptions

    func run() async throws {
        let folder = try options.folder
        let progress = Console.current.progress
        let report: VerificationReport
        do { report = try await TripStore.verify(at: folder) { progress?("position \($0)") } } catch let error
            as TripStoreError where error.code == .noStore
        {
            throw StoreOptions.noStore(folder)
        }
        progress?("")
        if options.json {
            Console.current.out(json(report).text)
        } else {
            for finding in report.findings { Console.current.out("\(finding.code): \(finding)") }
            let counts = "\(report.commits) commits, \(report.events) events, \(report.replicas) replicas"
            if report.erasedEvents + report.erasedCommits > 0 {
                Console.current.out(
                    "\(report.erasedEvents) events and \(report.erasedCommits) whole commits were erased.")
            }
            Console.current.out(
                report.isIntact
                    ? "Intact up to position \(report.position): \(counts)."
                    : "\(report.findings.count) findings up to position \(report.position), in \(counts).")
        }
        if !report.isIntact { throw ExitCode(1) }
    }

    private func json(_ report: VerificationReport) -> JSON {
        let findings = report.findings.map { finding in
            JSON.object([
                ("code", .string(finding.code)),
                ("position", finding.position.map { .integer($0.rawValue) } ?? .null),
                ("replica", .optional(finding.replica?.description)),
                ("sequence", finding.sequence.map { .integer($0.rawValue) } ?? .null),
                ("message", .string(finding.message)),
            ])
        }
        return .object([
            ("ok", .bool(report.isIntact)), ("commits", .integer(report.commits)), ("events", .integer(report.events)),
            ("erasedEvents", .integer(report.erasedEvents)), ("erasedCommits", .integer(report.erasedCommits)),
            ("replicas", .integer(report.replicas)), ("position", .integer(report.position.rawValue)),
            ("findings", .array(findings)),
        ])
    }
}
