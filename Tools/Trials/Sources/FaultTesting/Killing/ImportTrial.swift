import Foundation
import TripStoreTestSupport

/// Kills importers of a store, lets a last import run to its end, and compares the store with one without kills.
///
/// An import continues where an earlier one was cut off, and importing the last file again writes nothing.
struct ImportTrial: Sendable {
    /// The part of an import's time in which it is killed. One that continues an earlier one takes less time.
    private static let killedPart = 0.7

    let folder: ImportFolder
    let plan: ImportPlan

    init(in root: String, _ plan: ImportPlan) {
        folder = ImportFolder(root: root)
        self.plan = plan
    }

    /// Makes the store, and imports what must be there before. Returns the store's journal.
    func begin() throws -> [JournalLine] {
        let lines = try folder.make()
        for export in plan.before { _ = try folder.importToEnd(export) }
        return lines
    }

    /// The plan's result in this folder without kills.
    func reference() throws -> ImportReference {
        let lines = try begin()
        var duration = 0.0
        for export in plan.killed {
            let start = Date()
            _ = try folder.importToEnd(export)
            duration = Date().timeIntervalSince(start)
        }
        return ImportReference(contents: try contents(without: lines), duration: duration)
    }

    /// Begins one or two imports, and kills them, normally while they run.
    func round(_ seed: UInt64, _ reference: ImportReference) throws -> KillRound.Result {
        var random = SeededRandom(seed: seed)
        var result = KillRound.Result()
        let count = max(plan.killed.count, Int.random(in: 1...2, using: &random))
        let processes = try (0..<count).map { try folder.start(plan.killed[$0 % plan.killed.count]) }
        for process in processes {
            let longest = UInt32(reference.duration * Self.killedPart * 1_000_000) + 1
            usleep(UInt32.random(in: 0..<longest, using: &random))
            if process.isRunning {
                kill(process.processIdentifier, SIGKILL)
            }
            process.waitUntilExit()
            if process.terminationReason == .uncaughtSignal, process.terminationStatus == SIGKILL {
                result.kills += 1
            } else if process.terminationReason == .exit, process.terminationStatus == 0 {
                result.isComplete = true
            } else {
                result.failures.append("an import ended with \(process.terminationStatus)")
            }
        }
        return result
    }

    /// Lets imports run to their end; returns the differences from a run without kills.
    /// - Parameter lines: the journal of trips that were not imported.
    func end(_ reference: ImportReference, _ lines: [JournalLine]) throws -> [String] {
        for export in plan.killed { _ = try folder.importToEnd(export) }
        var failures: [String] = []
        // Of several the last decides what everything is that it holds, whatever came of the others.
        if let export = plan.killed.last {
            let events = try folder.importToEnd(export)
            if events > 0 { failures.append("importing \(export) once more wrote \(events) events") }
        }
        let differences = try contents(without: lines).differences(from: reference.contents)
        return failures + differences.map { "after the last of the \(plan.words): \($0)" }
    }

    private func contents(without lines: [JournalLine]) throws -> StoreContents {
        var contents = try folder.contents()
        for case .acknowledged(_, let trip, _) in lines { contents.remove(trip) }
        return contents
    }
}
