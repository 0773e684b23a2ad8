import Foundation
import TripFormats
import TripStore

extension ImportReport {
    /// The report for programs, with every kind in each part of it, so that its shape is always the same.
    var json: JSON {
        .object([
            ("created", Self.json(created)), ("edited", Self.json(edited)), ("deleted", Self.json(deleted)),
            ("restored", Self.json(restored)), ("overridden", Self.json(overridden)),
            ("unchanged", Self.json(unchanged)), ("skipped", Self.json(skipped)),
            ("events", .integer(events)), ("commits", .integer(commits)),
            ("correlation", .optional(correlation?.uuidString)), ("warnings", .integer(warnings.count)),
        ])
    }

    private static func json(_ counts: [EntityKind: Int]) -> JSON {
        .object((EntityKind.known + [AttachedFile.kind]).map { (name(of: $0), .integer(counts[$0] ?? 0)) })
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
                counts.sorted { $0.key < $1.key }.map { "\($0.value) \(Self.name(of: $0.key))" }
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
