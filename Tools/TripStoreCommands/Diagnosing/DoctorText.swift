import Events
import Foundation
import TripFormats
import TripStore

/// A diagnosis, and what was repaired of it, in words and in JSON.
struct DoctorText {
    let diagnosis: StoreDiagnosis
    let repair: StoreRepair?

    var isAnythingLeft: Bool {
        diagnosis.findings.count > (repair?.repaired.count ?? 0) || !diagnosis.omitted.isEmpty
    }

    var lines: [String] {
        let layout = Console.current.layout
        var lines: [String] = []
        for finding in diagnosis.findings {
            lines += layout.wrapped(layout.shown("\(finding)"), to: layout.columns)
            let below = [
                finding.remedy, finding.code.command.map { "By the tool: \($0).".onThisStore },
                finding.repair.map { "With --fix: \($0)." },
            ].compactMap { $0 }
            for text in below {
                lines += layout.wrapped(layout.shown(text), to: layout.columns.map { $0 - 2 }).map { "  \($0)" }
            }
        }
        for (code, count) in diagnosis.omitted.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            lines.append("\(code.severity) \(code.rawValue): \(count) more")
        }
        lines.append(summary)
        guard let repair else { return lines }
        for left in repair.left { lines.append(layout.shown("Not repaired: \(left.finding.message) \(left.reason)")) }
        if !repair.repaired.isEmpty {
            let repaired = repair.repaired.count.counted("finding")
            let undo = "'tripstore undo --correlation \(repair.correlation.uuidString)'".onThisStore
            lines += layout.lines("\(undo) puts it back.", behind: "Repaired \(repaired). ")
        }
        return lines
    }

    private var summary: String {
        let end = diagnosis.position.map { " up to position \($0)" } ?? ""
        guard !diagnosis.isSound else { return "Nothing is wrong or odd\(end)." }
        let counts = StoreFinding.Severity.allCases.compactMap { severity -> String? in
            let listed = diagnosis.findings.count { $0.severity == severity }
            let count = diagnosis.omitted.filter { $0.key.severity == severity }.reduce(listed) { $0 + $1.value }
            return count == 0 ? nil : count.counted(severity.rawValue)
        }
        return "Found \(counts.joined(separator: ", "))\(end)."
    }

    var json: JSON {
        .object([
            ("ok", .bool(diagnosis.isSound)),
            ("position", diagnosis.position.map { .integer($0.rawValue) } ?? .null),
            ("findings", .array(diagnosis.findings.map(json))),
            (
                "omitted",
                .array(
                    diagnosis.omitted.sorted { $0.key.rawValue < $1.key.rawValue }.map {
                        .object([("code", .string($0.key.rawValue)), ("count", .integer($0.value))])
                    })
            ),
            ("repair", repair.map(json) ?? .null),
        ])
    }

    private func json(_ finding: StoreFinding) -> JSON {
        .object([
            ("code", .string(finding.code.rawValue)), ("severity", .string(finding.severity.rawValue)),
            ("message", .string(finding.message)), ("remedy", .string(finding.remedy)),
            (
                "entities",
                .array(
                    finding.entities.map {
                        .object([("kind", $0.kindJSON), ("id", .string($0.id.uuidString))])
                    })
            ),
            ("replica", .optional(finding.replica?.description)), ("repair", .optional(finding.repair)),
        ])
    }

    private func json(_ repair: StoreRepair) -> JSON {
        .object([
            ("correlation", .string(repair.correlation.uuidString)),
            ("repaired", .integer(repair.repaired.count)),
            (
                "left",
                .array(
                    repair.left.map {
                        .object([("message", .string($0.finding.message)), ("reason", .string($0.reason))])
                    })
            ),
        ])
    }
}

extension StoreFinding.Code {
    /// The command that does what the remedy says, where one alone does.
    fileprivate var command: String? {
        switch self {
        case .damagedLog, .missingContent, .damagedContent: "'tripstore sync --heal'"
        case .unfinishedClone: "'tripstore clone' or 'tripstore sync'"
        case .membershipRequest: "'tripstore grant'"
        case .lostBytes: "'tripstore doctor --accept-loss'"
        case .viewsNotBuilt, .faultedViews: "'tripstore replay'"
        case .unfiledItem: "'tripstore edit ID --trip TRIP'"
        default: nil
        }
    }
}
