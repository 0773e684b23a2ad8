import Events
import Foundation
import TripFormats
import TripStore

extension ImportReport {
    /// The report for programs, with every kind in each part of it, so that its shape is always the same.
    var json: JSON {
        .object([
            ("created", json(created)), ("edited", json(edited)), ("deleted", json(deleted)),
            ("restored", json(restored)), ("overridden", json(overridden)),
            ("unchanged", json(unchanged)), ("skipped", json(skipped)),
            ("erased", .integer(erased)), ("events", .integer(events)), ("commits", .integer(commits)),
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
                counts.sorted { $0.key < $1.key }.map { $0.value.counted(self.name(of: $0.key)) }
                    .joined(separator: ", "),
            ]
        }
        let missing =
            erased == 0
            ? [] : [["left out", "\(erased.counted("erased value")), which --erased imports all the same"]]
        let undoing = correlation.map {
            ["undo", "'tripstore undo --correlation \($0.uuidString)'".onThisStore]
        }
        let counted = events.counted("event")
        let written =
            isDryRun
            ? ["to write", "\(counted); nothing was written"]
            : ["written", "\(counted) in \(commits.counted("commit"))"]
        return TextTable.lines(cells + missing + [written] + (undoing.map { [$0] } ?? []))
    }
}
