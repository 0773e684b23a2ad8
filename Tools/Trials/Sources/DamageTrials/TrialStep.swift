import Foundation
import Synchronization
import TripStore
import TripStoreCommands
import TripStoreProjections

/// The steps of a trial on a damaged store.
enum TrialStep: String, CaseIterable {
    // Every trial runs these.
    case status, trips, overlapping, undated, show, auditLog, appViews
    case verifyViews, verifyAppViews, verifyLog
    case bundleShow, bundleWrite, add, replay
    // The trials of bundles run these, some of them on another store than the damaged one.
    case clone, bundleRead
    // Each trial draws some of these. They only read.
    case frontier, tripsAsOf, showAsOf, replayAsOf, replayInto, auditTrip, auditShow, auditBlame, auditDiff
    case auditConflicts, conflicts, auditReport, tail, peers, undoPlan, redoPlan, members, list, listAsOf, listWhere
    case subscriptions, attachments, templates, listTravellers, agenda, totals, find, export, exportCalendar, doctor
    case erasures
    // Each trial draws one or two of these. They write to the store, or pass its commits to a file or another store.
    case begin, addActivity, addLodging, addTransportation, addOrganization, addOwn, edit, delete, restore, move, undo
    case undoTrip, redo, resolve, sync, adopt, importFile, importMirror, importCalendar, importTable, bundleReadNews,
        bundleWriteSince
    case bundleWriteFor, cloneStore, backup, forget, tailSubscription, replayView
    case grant, revoke, invite, join, void, editWhere, deleteWhere
    case attach, save, discard
    case addTraveller, addBudget, addRate, addChecklist, addEntry, copy, saveTemplate, shift
    case dump, load, loadAnew, erase

    /// The reading steps of every trial: on an undamaged store their output is constant.
    static let reads: [TrialStep] = [.status, .trips, .overlapping, .undated, .show, .auditLog, .appViews]
    /// The optional reading steps, with constant output too.
    static let drawnReads: [TrialStep] = [
        .frontier, .tripsAsOf, .showAsOf, .replayAsOf, .replayInto, .auditTrip, .auditShow, .auditBlame, .auditDiff,
        .auditConflicts, .conflicts, .auditReport, .tail, .peers, .undoPlan, .redoPlan, .members, .list, .listAsOf,
        .listWhere,
        .subscriptions, .attachments, .templates, .listTravellers, .agenda, .totals, .find, .export,
        .exportCalendar, .doctor, .erasures,
    ]
    /// The writing steps, of which each trial draws one or two, after all outputs are known.
    static let drawnWrites: [TrialStep] = [
        .begin, .addActivity, .addLodging, .addTransportation, .addOrganization, .addOwn, .edit, .delete, .restore,
        .move, .undo, .undoTrip, .redo, .resolve, .sync, .adopt, .importFile, .importMirror, .importCalendar,
        .importTable,
        .bundleReadNews,
        .bundleWriteSince, .bundleWriteFor, .cloneStore, .backup, .forget, .tailSubscription, .replayView, .grant,
        .revoke,
        .invite, .join, .void, .editWhere, .deleteWhere, .attach, .save, .discard, .addTraveller, .addBudget, .addRate,
        .addChecklist, .addEntry, .copy, .saveTemplate, .shift, .dump, .load, .loadAnew, .erase,
    ]

    /// Whether it uses another store than the damaged one.
    var usesOthers: Bool { [.sync, .adopt, .bundleRead].contains(self) }
    /// Whether the undamaged store refuses it: it exists already, its replica is a member already, no app has described a kind, and it has no
    /// attachment of that name and no checklist.
    var isRefused: Bool { [.begin, .join, .addOwn, .save, .discard, .addEntry].contains(self) }

    /// The result of a step.
    struct Outcome {
        let code: Int32
        var out: [String]
        let error: String

        var isSuccess: Bool { code == 0 }
        var complaint: String { error.isEmpty ? out.joined(separator: "\n") : error }
    }

    /// Runs it in this process, on the store of a sample.
    func run(on sample: Sample) async throws -> Outcome {
        let line = arguments(Sample.Places(root: sample.root), sample.subjects)
        guard !line.isEmpty else { return await useAppViews(in: sample.root) }
        var outcome = await Self.command(line)
        if self == .auditReport, outcome.isSuccess {
            // Its output is its page.
            outcome.out = [
                try String(contentsOfFile: Sample.Places(root: sample.root).out("report.html"), encoding: .utf8)
            ]
        }
        // The file says when it was made.
        if self == .export { outcome.out.removeAll { $0.contains("\"timestamp\" : ") } }
        return outcome
    }

    /// Runs a command line of the tool.
    static func command(_ arguments: [String]) async -> Outcome {
        let lines = Mutex<(out: [String], error: [String])>(([], []))
        let console = Console(
            out: { line in lines.withLock { $0.out.append(line) } },
            error: { line in lines.withLock { $0.error.append(line) } })
        var code = await TripStoreCommand.run(arguments, console: console)
        // Found differences, conflicts and oddities are answers.
        let finding = [["audit", "diff"], ["audit", "conflicts"], ["conflicts"], ["doctor"]]
        if code == 1, finding.contains(where: { arguments.starts(with: $0) }) {
            code = 0
        }
        return lines.withLock { Outcome(code: code, out: $0.out, error: $0.error.joined(separator: "\n")) }
    }

    /// No command knows an app's projections.
    private func useAppViews(in root: String) async -> Outcome {
        do {
            let store = try await TripStore.open(
                at: URL(fileURLWithPath: Sample.store(in: root)), options: Sample.options)
            let views = store.appViews
            try await views.catchUp()
            var outcome = Outcome(code: 0, out: [], error: "")
            if self == .appViews {
                let lines = try views.status(digests: true).map {
                    "\($0.name) \($0.rows) \($0.digest.map { "\($0)" } ?? "")"
                }
                outcome = Outcome(code: 0, out: lines, error: "")
            } else if let different = try await views.compare(at: root + "/out/app").first(where: {
                $0.difference != nil
            }) {
                outcome = Outcome(code: 1, out: [], error: "The view \(different.name) differs from the log.")
            }
            await store.close()
            return outcome
        } catch {
            return Outcome(code: 1, out: [], error: "\(error)")
        }
    }

    /// The part of its output that depends on the commits alone.
    func answer(_ outcome: Outcome) -> String {
        let text = outcome.out.joined(separator: "\n")
        switch self {
        case .status: return Self.members(of: text) { ["position", "frontier", "trips", "views"].contains($0) }
        // How long it took, and how fast it was.
        case .replayAsOf: return Self.members(of: text) { !["seconds", "eventsPerSecond"].contains($0) }
        case .replayInto: return Self.members(of: text) { $0 == "views" }
        case .auditReport:
            // When it was written, and by which replica: a store whose key or record is gone continues as another.
            return text.replacing(/"generated":\d+/, with: "").replacing(/"replica":"\w+","position":/, with: "")
        case .frontier:
            // It ends with the signed part, and opening the store for writing signs more.
            return text.split(separator: ",").map { $0.prefix { $0 != ":" } }.joined(separator: ",")
        // A store whose key is gone continues as another replica, which is no member.
        case .members: return text.replacing(/"standing":"\w+",/, with: "").replacing(/"own":\w+,/, with: "")
        // The records of peers and subscriptions are not in commits, and no hash covers them.
        case .peers, .subscriptions: return ""
        // What it finds depends on the files, the clock and the disk as well. It must end in words.
        case .doctor: return outcome.out.isEmpty ? "nothing" : ""
        default: return text
        }
    }

    /// The kept members of a JSON object, in a fixed order.
    private static func members(of line: String, _ isKept: (String) -> Bool) -> String {
        guard let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
            let data = try? JSONSerialization.data(
                withJSONObject: object.filter { isKept($0.key) }, options: .sortedKeys)
        else { return line }
        return String(decoding: data, as: UTF8.self)
    }
}
