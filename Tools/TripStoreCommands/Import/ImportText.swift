import Foundation
import Synchronization
import TripFormats
import TripStore

extension ImportReport {
    /// The report for programs, with every kind in each part of it, so that its shape is always the same.
    var json: JSON {
        .object([
            ("created", json(created)), ("edited", json(edited)), ("deleted", json(deleted)),
            ("restored", json(restored)), ("overridden", json(overridden)),
            ("unchanged", json(unchanged)), ("skipped", json(skipped)),
            ("events", .integer(events)), ("commits", .integer(commits)),
            ("correlation", .optional(correlation?.uuidString)), ("warnings", .integer(warningCount)),
        ])
    }

    private func json(_ counts: [EntityKind: Int]) -> JSON {
        let own = counts[AttachedFile.kind] ?? 0
        return .object(
            EntityKind.known.map { (Self.name(of: $0), .integer(counts[$0] ?? 0)) }
                + [("attachment", .integer(hasOtherKinds ? 0 : own)), ("other", .integer(hasOtherKinds ? own : 0))])
    }

    private func name(of kind: EntityKind) -> String {
        hasOtherKinds && kind == AttachedFile.kind ? "other" : Self.name(of: kind)
    }

    /// The report for people.
    func lines(isDryRun: Bool) -> [String] {
        let outcomes = [
            ("created", created), ("edited", edited), ("deleted", deleted),
            ("restored", restored), ("overridden", overridden), ("unchanged", unchanged),
            ("skipped", skipped),
        ]
        let cells = outcomes.filter { !$0.1.isEmpty }.map { name, counts in
            [
                name,
                counts.sorted { $0.key < $1.key }.map { "\($0.value) \(self.name(of: $0.key))" }
                    .joined(separator: ", "),
            ]
        }
        let undoing = correlation.map {
            ["correlation", "\($0.uuidString), to be undone with 'undo --correlation'"]
        }
        let counted = Words.count(events, "event")
        let written =
            isDryRun
            ? ["to write", "\(counted); nothing was written"]
            : ["written", "\(counted) in \(Words.count(commits, "commit"))"]
        return TextTable.lines(cells + [written] + (undoing.map { [$0] } ?? []))
    }
}

/// How far an import is and how fast, in words: the share of the file that the pass has read, and the rate since it began.
final class ImportPace: Sendable {
    private struct Pass {
        let stage: ImportProgress.Stage
        let start: Duration
        let bytes: Int64
    }

    private let pass = Mutex<Pass?>(nil)

    /// - Parameter now: the time since any instant, the same one at each call.
    func words(_ progress: ImportProgress, at now: Duration) -> String {
        let pass = pass.withLock { pass in
            if let pass, pass.stage == progress.stage { return pass }
            let first = Pass(stage: progress.stage, start: now, bytes: progress.bytesRead)
            pass = first
            return first
        }
        let share = "\(progress.stage.rawValue) \(progress.bytesRead * 100 / max(progress.total, 1)) %"
        let milliseconds = (now - pass.start) / .milliseconds(1)
        // Before that it says more of the first pieces than of the pass.
        guard milliseconds >= 200 else { return share }
        let tenths = Int64(Double(progress.bytesRead - pass.bytes) / milliseconds / 100)
        return "\(share), \(tenths / 10).\(tenths % 10) MB/s"
    }
}
