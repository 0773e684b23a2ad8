import Foundation
import Synchronization
import TripStore
import TripStoreCommands

/// What a trial does with a damaged store, one after the other.
enum TrialStep: String, CaseIterable {
    case status, trips, overlapping, undated, show, auditLog, appViews
    case verifyViews, verifyAppViews, verifyLog
    case bundleShow, clone, bundleWrite, add, replay

    /// Those that only read: on an undamaged store they always say the same.
    static let reads: [TrialStep] = [.status, .trips, .overlapping, .undated, .show, .auditLog, .appViews]

    /// What a step came to.
    struct Outcome {
        let code: Int32
        let out: [String]
        let error: String

        var isSuccess: Bool { code == 0 }
        var complaint: String { error.isEmpty ? out.joined(separator: "\n") : error }
    }

    /// Runs it in this process, on the store below a folder.
    func run(in root: String, trip: String) async throws -> Outcome {
        if self == .appViews || self == .verifyAppViews { return await useAppViews(in: root) }
        let store = ["--store", Sample.store(in: root)]
        let bundle = Sample.bundle(in: root)
        let arguments =
            switch self {
            case .status: ["status", "--json", "--digests"] + store
            case .trips: ["trips", "--json"] + store
            case .overlapping:
                ["trips", "--json", "--overlapping", "--from", "2027-02-01", "--to", "2027-12-31", "--reverse"] + store
            case .undated: ["trips", "--json", "--undated"] + store
            case .show: ["show", trip, "--json"] + store
            case .auditLog: ["audit", "log", "--json"] + store
            case .verifyViews: ["replay", "--verify"] + store
            case .verifyLog: ["audit", "verify"] + store
            case .bundleShow: ["bundle", "show", bundle, "--json"] + store
            case .clone: ["clone", bundle, root + "/out/clone"]
            case .bundleWrite: ["bundle", "write", root + "/out/new.bundle"] + store
            case .add: ["add", "trip", "--name", "Added"] + store
            case .replay: ["replay"] + store
            case .appViews, .verifyAppViews: [String]()
            }
        return await Self.command(arguments)
    }

    /// Runs a command line of the tool.
    static func command(_ arguments: [String]) async -> Outcome {
        let lines = Mutex<(out: [String], error: [String])>(([], []))
        let console = Console(
            out: { line in lines.withLock { $0.out.append(line) } },
            error: { line in lines.withLock { $0.error.append(line) } })
        let code = await TripStoreCommand.run(arguments, console: console)
        return lines.withLock { Outcome(code: code, out: $0.out, error: $0.error.joined(separator: "\n")) }
    }

    /// No command knows the projections of an app.
    private func useAppViews(in root: String) async -> Outcome {
        do {
            let store = try await TripStore.open(
                at: URL(fileURLWithPath: Sample.store(in: root)), options: Sample.options)
            let views = store.appViews
            try await views.settled()
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

    /// The part of what it said that is the same as long as the commits are.
    func answer(_ outcome: Outcome) -> String {
        guard self == .status, let line = outcome.out.first,
            let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        else { return outcome.out.joined(separator: "\n") }
        let kept = object.filter { ["position", "frontier", "trips", "views"].contains($0.key) }
        let data = try? JSONSerialization.data(withJSONObject: kept, options: .sortedKeys)
        return data.map { String(decoding: $0, as: UTF8.self) } ?? line
    }
}
