import Foundation
import TripStore

/// Commits in words and in JSON.
enum AuditText {
    static func json(_ commit: AuditedCommit) -> JSON {
        var members: [(String, JSON)] = [
            ("position", .integer(commit.position.rawValue)), ("replica", .string("\(commit.replica)")),
            ("sequence", .integer(commit.sequence.rawValue)), ("timestamp", .string(commit.timestamp.utcText)),
            ("author", .string(commit.author)), ("hash", .string("\(commit.hash)")),
        ]
        if let causation = commit.causation { members.append(("causation", .string(causation.uuidString))) }
        if let correlation = commit.correlation { members.append(("correlation", .string(correlation.uuidString))) }
        if let wallClock = commit.wallClock { members.append(("wallClock", .integer(wallClock))) }
        if let device = commit.introducedDevice { members.append(("device", .string(device))) }
        if !commit.isReadable { members.append(("readable", .bool(false))) }
        switch commit.erased {
        case .all?: members.append(("erased", .bool(true)))
        case .some(let leaves)?: members.append(("erasedEvents", .integer(leaves.events.count)))
        case nil: break
        }
        members.append(("events", .array(commit.events.map(json))))
        return .object(members)
    }

    private static func json(_ event: AuditedEvent) -> JSON {
        .object([
            ("verb", .string(event.verb.name)),
            ("kind", event.entity.kind.json), ("id", .string(event.entity.id.uuidString)),
            ("changes", .array(event.changes.map(json))),
        ])
    }

    private static func json(_ change: AuditedChange) -> JSON {
        var members: [(String, JSON)] = [
            ("field", .string(change.field)), ("old", change.old?.value.ordered ?? .null),
            ("new", change.new.value.ordered),
        ]
        if let beating = change.beatenBy {
            members.append(
                (
                    "beatenBy",
                    .object([
                        ("position", .integer(beating.position.rawValue)), ("replica", .string("\(beating.replica)")),
                        ("timestamp", .string(beating.timestamp.utcText)), ("author", .string(beating.author)),
                        ("value", beating.value.value.ordered),
                    ])
                ))
        }
        return .object(members)
    }

    /// A line an event; one for a commit without events.
    static func lines(_ commit: AuditedCommit) -> [String] {
        let head = "\(commit.position)  \(commit.timestamp.utcText)  \(commit.info.who)  "
        guard !commit.events.isEmpty else { return [(head + withoutEvents(commit)).visible] }
        return commit.events.map { event in
            let changes = event.changes.map(words).joined(separator: "; ")
            return (head + words(event) + (changes.isEmpty ? "" : ": \(changes)")).visible
        }
    }

    /// What a commit is that carries no events.
    static func withoutEvents(_ commit: AuditedCommit) -> String {
        if let device = commit.introducedDevice {
            return "replica joined\(device.isEmpty ? "" : " from the device \"\(device)\"")"
        }
        switch commit.erased {
        case .all?: return "erased"
        case .some(let leaves)?: return "\(leaves.events.count) events erased, and no others"
        case nil: return commit.isReadable ? "no events" : "events cannot be read"
        }
    }

    private static func words(_ event: AuditedEvent) -> String {
        "\(event.verb.name) \(event.entity.kind.words) \(event.name.isEmpty ? event.entity.id.uuidString : "\"\(event.name)\"")"
    }

    private static func words(_ change: AuditedChange) -> String {
        var text = EntityText.change(change.field, change.old, change.new)
        if let beating = change.beatenBy {
            let author = beating.author.isEmpty ? String(beating.replica.description.prefix(8)) : beating.author
            text += " (superseded unseen by \(author) at position \(beating.position): \(beating.value.text))"
        }
        return text
    }

    /// Everything about a commit.
    static func details(_ commit: AuditedCommit) -> [String] {
        var lines = [
            "position     \(commit.position)", "replica      \(commit.replica)", "sequence     \(commit.sequence)",
            "timestamp    \(commit.timestamp.utcText)", "author       \(commit.author.isEmpty ? "–" : commit.author)",
            "hash         \(commit.hash)",
        ]
        if let wallClock = commit.wallClock {
            lines.append("wall clock   \(Date(timeIntervalSince1970: Double(wallClock) / 1000).utcText)")
        }
        if let causation = commit.causation { lines.append("causation    \(causation.uuidString)") }
        if let correlation = commit.correlation { lines.append("correlation  \(correlation.uuidString)") }
        if commit.events.isEmpty { lines.append(withoutEvents(commit)) }
        for event in commit.events {
            lines.append("\(words(event)) \(event.entity.id.uuidString)")
            for change in event.changes { lines.append("  \(words(change))") }
        }
        return lines.map(\.visible)
    }
}
