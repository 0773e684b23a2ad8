import ArgumentParser
import Events
import Foundation
import TripFormats
import TripStore

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Write a backup of the store to a new folder.",
        discussion: """
            The backup is of one moment, read back and verified before it is put into place, and opens like any store. It \
            holds the replica's private key: keep it as safe as the store. To restore it, copy the folder back; the store \
            goes on as a new replica there. A backup that was cut off leaves a folder DIR.unfinished-backup, which the next \
            one to the same folder removes. Where the medium lost commits, the backup has the others, and the exit code is 1.

            Example:
              tripstore backup /data/trips-2027-05-01
            """)

    @OptionGroup var options: StoreOptions

    @Argument(help: "The folder of the backup: new or empty, and not in the store.", completion: .directory)
    var folder: String

    func run() async throws {
        // A backup has no views.
        let store = try await options.openWithoutViews()
        let target = URL(argument: folder)
        let standing =
            "There is no backup at \(target.path), and what is beside it, \(target.lastPathComponent).unfinished-backup, is a part of one: the next "
            + "backup to the same folder removes it. The store stands as it is."
        let report = try await LongWork.run(standing: standing) { work in
            try await store.backup(to: target) { step in
                work.report(
                    "\(step.stage)", step.done, of: step.total, step.stage == .copying ? .bytes : .things("commit"))
            }
        }
        if options.json {
            Console.current.out(
                JSON.object([
                    ("backup", .string(report.folder.path)), ("journal", .string("\(report.journal)")),
                    ("replica", .string("\(report.replica)")), ("position", .integer(report.position.rawValue)),
                    ("commits", .integer(report.commits)), ("events", .integer(report.events)),
                    ("bytes", .integer(report.fileSize)), ("holdsKey", .bool(report.holdsKey)),
                    ("leftOut", .array(report.leftOut.map { .string("\($0)") })),
                    ("findings", .array(report.findings.map(JSON.finding))),
                ]).text)
        } else {
            tell(report)
        }
        if !report.leftOut.isEmpty || !report.findings.isEmpty { throw ExitCode.found }
    }

    private func tell(_ report: BackupReport) {
        let console = Console.current
        console.tell(
            "Backed up \(report.commits.counted("commit")) with \(report.events.counted("event")) to \(report.folder.path), verified"
        )
        console.tell(
            report.holdsKey
                ? "holds the replica's private key, in replica.key: keep it as safe as the store"
                : "the replica's private key was not in the store, so it is not in the backup", behind: "  key       ")
        console.tell("copy the folder back; the store goes on as a new replica there", behind: "  restore   ")
        for error in report.leftOut { console.tell("\(error)", behind: "  left out  ") }
        for finding in report.findings { console.tell("\(finding.code): \(finding)", behind: "  finding   ") }
    }
}
