import Events
import Foundation
import TripFormats
import TripStore

/// What is erased of an entity, planned or done, in words and in JSON.
struct ErasurePlanText {
    /// If there are more events, only their number is printed.
    private static let shownEvents = 50

    let plan: ErasurePreview
    /// The entity's name before anything was erased.
    let name: String

    init(_ plan: ErasurePreview) {
        self.plan = plan
        let events = (plan.commits + plan.refused + plan.others).flatMap(\.events)
        name = events.first { $0.entity == plan.entity && !$0.name.isEmpty }?.name ?? ""
    }

    // MARK: JSON

    /// `erasures` are those that were made; nil for a plan.
    func json(_ erasures: [ErasureStatus]?) -> JSON {
        .object(
            [("dryRun", .bool(erasures == nil))] + EntityText.members(plan.entity, name) + [
                ("commits", .array(plan.commits.map(Self.json))), ("refused", .array(plan.refused.map(Self.json))),
                ("others", .array(plan.others.map(Self.json))), ("rewritten", .integer(plan.rewritten)),
                ("contents", .array(plan.contents.map { .string("\($0)") })),
                ("erasures", .array((erasures ?? []).map(ErasureText.json))),
            ])
    }

    private static func json(_ commit: AuditedCommit) -> JSON {
        .object(
            commit.info.members + [
                ("undoing", .optional(commit.info.undoing?.rawValue)), ("isImport", .bool(isImport(commit))),
                ("events", .array(commit.events.map(AuditText.json))),
            ])
    }

    private static func isImport(_ commit: AuditedCommit) -> Bool {
        ImportMark(commit.causation).map { $0.part != .days } ?? false
    }

    // MARK: Words

    /// The plan, a line for each event: the names of fields, and not what is erased.
    var lines: [String] {
        var lines = [head]
        lines += Self.lines(plan.commits)
        if plan.rewritten > 0 {
            lines.append(
                "\(plan.rewritten.counted("event")) of these, without what is erased, written anew with the former times."
            )
        }
        if !plan.contents.isEmpty {
            let bytes = plan.contents.reduce(0) { $0 + $1.size }
            lines.append(
                "The bytes of \(plan.contents.count.counted("attachment")) go with it, \(Words.bytes(Int(clamping: bytes)))."
            )
        }
        if !plan.others.isEmpty {
            lines.append(
                "Others wrote \(Self.count(plan.others)), which stay. What they belong to may be shown no more:")
            lines += Self.lines(plan.others)
        }
        if !plan.refused.isEmpty {
            lines.append("This device may not erase \(Self.count(plan.refused)), which others wrote:")
            lines += Self.lines(plan.refused)
        }
        lines.append(
            "The times and sizes of \(plan.commits.count.counted("commit")) stay, and of which entities and fields something was erased. "
                + "Backups, bundles, dumps and copies that no longer sync keep everything: erase or replace them by hand."
        )
        let layout = Console.current.layout
        return lines.flatMap { line in
            let indent = String(line.prefix { $0 == " " })
            return layout.lines(String(line.dropFirst(indent.count)), behind: indent)
        }
    }

    private var head: String {
        let count = Set(plan.commits.flatMap(\.events).map(\.entity)).subtracting([plan.entity]).count
        let belong = count.agreeing("belongs", "belong")
        let others = count == 0 ? "" : ", and of \(count.counted("other")) that \(belong) or belonged to it"
        let undoings = plan.commits.count { $0.info.undoing != nil }
        let imports = plan.commits.count { Self.isImport($0) }
        let copies = [(undoings, "undoing"), (imports, "import")].filter { $0.0 > 0 }.map { $0.0.counted($0.1) }
        return "Of \(EntityText.words(plan.entity, name))\(others): \(Self.count(plan.commits))"
            + (copies.isEmpty ? "" : ", among them \(copies.joined(separator: " and "))")
    }

    /// As in "3 events of 2 commits (2 by ana@phone, 1 by ben@laptop)".
    static func count(_ commits: [AuditedCommit]) -> String {
        let total = commits.reduce(0) { $0 + $1.events.count }
        var writers: [String: Int] = [:]
        for commit in commits { writers[commit.info.who, default: 0] += commit.events.count }
        let parts = writers.sorted { $0.key < $1.key }.map { "\($0.value) by \($0.key)" }
        return "\(total.counted("event")) of \(commits.count.counted("commit"))"
            + (parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))")
    }

    private static func lines(_ commits: [AuditedCommit]) -> [String] {
        let all = commits.flatMap { commit in commit.events.map { (commit, $0) } }
        var lines = all.prefix(shownEvents).map { commit, event in
            let fields = event.changes.map(\.field).joined(separator: ", ")
            return
                "  position \(commit.position)  \(AuditText.time(event.written))  \(commit.info.who)  \(event.verb.name) "
                + EntityText.words(event.entity, event.name) + (fields.isEmpty ? "" : ": \(fields)")
        }
        if all.count > shownEvents {
            lines.append("  and \((all.count - shownEvents).counted("other")): --json lists all")
        }
        return lines
    }
}
