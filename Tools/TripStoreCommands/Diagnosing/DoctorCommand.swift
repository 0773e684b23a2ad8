import ArgumentParser
import Events
import Foundation
import TripFormats
import TripStore

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Say what is wrong or odd in the store, and what to do.",
        discussion: """
            It looks at the log, its files and replicas, the views, trips, items and attachments. It writes nothing without --fix. The exit \
            code is 1 if it found something; with --fix, if something is left.

            --fix does what is certainly right, by commits that 'tripstore undo' puts back: it deletes trips that have the fields of another \
            and nothing that belongs to them. What it would do is said in each finding.

            --accept-loss signs, as an admin, that bytes of commits which no known peer has are gone, so that no replica looks for them any \
            more. That cannot be undone.

            Examples:
              tripstore doctor
              tripstore doctor --quick --json
              tripstore doctor --fix --author ana
              tripstore doctor --accept-loss
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var author: AuthorOption

    @Flag(name: .long, help: "Do not verify every hash of the log and every byte of attachments.")
    var quick = false

    @Flag(name: .long, help: "Repair what can be repaired with certainty.")
    var fix = false

    @Flag(name: .long, help: "Accept that bytes of commits are gone which no known peer has.")
    var acceptLoss = false

    func run() async throws {
        let folder = try options.folder
        if acceptLoss {
            let accepted = try await withStore(options) { try await $0.acceptLoss() }
            if !accepted.isEmpty {
                Console.current.note("Accepted that bytes of \(accepted.count.counted("commit")) are gone.")
            }
        }
        var checks = StoreDiagnosis.Options()
        checks.verifiesBytes = !quick
        let work = StoreOptions.buildingViews()
        defer { work.end() }
        let diagnosis: StoreDiagnosis
        work.report("examining")
        do {
            diagnosis = try await TripStore.diagnose(at: folder, opening: StoreOptions.options(work), checks)
        } catch let error as TripStoreError where error.code == .noStore {
            throw StoreOptions.noStore(folder)
        }
        work.end()
        var repair: StoreRepair?
        if fix, diagnosis.findings.contains(where: { $0.repair != nil }) {
            repair = try await withStore(options) { try await $0.repair(diagnosis, by: author.authorship) }
        }
        let text = DoctorText(diagnosis: diagnosis, repair: repair)
        if options.json {
            Console.current.out(text.json.text)
        } else {
            for line in text.lines { Console.current.out(line) }
        }
        if text.isAnythingLeft { throw ExitCode.found }
    }
}
