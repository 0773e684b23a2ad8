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
        if !commit.counts { members.append(("counts", .bool(false))) }
        if !commit.statements.isEmpty { members.append(("statements", .array(commit.statements.map(json)))) }
        members.append(("events", .array(commit.events.map(json))))
        return .object(members)
    }

    private static func json(_ statement: MembershipStatement) -> JSON {
        switch statement {
        case .grant(let replica, let role, let key):
            .object(
                [
                    ("says", .string("grant")), ("replica", .string("\(replica)")), ("role", .string("\(role)")),
                ] + (key.map { [("invitation", .string($0.digits))] } ?? []))
        case .revocation(let replica, let cut):
            .object([
                ("says", .string("revoke")), ("replica", .string("\(replica)")),
                ("cut", .array(cut.sorted().map { .string("\($0)") })),
            ])
        case .invitation(let invitation):
            .object([
                ("says", .string("invite")), ("role", .string("\(invitation.role)")),
                ("invitation", .string(invitation.key.digits)),
            ])
        case .withdrawal(let key):
            .object([("says", .string("withdraw")), ("invitation", .string(key.digits))])
        case .request(let request):
            .object([("says", .string("request")), ("invitation", .string(request.invitation.digits))])
        case .void(let commit, let isVoid):
            .object([("says", .string(isVoid ? "void" : "lift")), ("commit", .string("\(commit)"))])
        }
    }

    private static func words(_ statement: MembershipStatement) -> String {
        switch statement {
        case .grant(let replica, let role, _): "grants \(replica) the role \(role)"
        case .revocation(let replica, let cut):
            "revokes \(replica)"
                + (cut.isEmpty
                    ? ", of which nothing counts"
                    : ", of which counts what comes up to "
                        + cut.sorted().map { "commit \($0.sequence)" }.joined(separator: ", "))
        case .invitation(let invitation): "invites, with the role \(invitation.role)"
        case .withdrawal: "takes an invitation back"
        case .request: "asks to become a member"
        case .void(let commit, let isVoid):
            "says that commit \(commit.sequence) of \(commit.replica) \(isVoid ? "is void" : "counts again")"
        }
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
        let mark = commit.counts ? "" : "(does not count) "
        let head = "\(commit.position)  \(commit.timestamp.utcText)  \(commit.info.who)  \(mark)"
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
        if !commit.statements.isEmpty { return commit.statements.map(words).joined(separator: "; ") }
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
        if !commit.counts {
            lines.append("counts       no: who wrote it was no member, or was revoked, or it is void")
        }
        if commit.events.isEmpty { lines.append(withoutEvents(commit)) }
        for event in commit.events {
            lines.append("\(words(event)) \(event.entity.id.uuidString)")
            for change in event.changes { lines.append("  \(words(change))") }
        }
        return lines.map(\.visible)
    }
}

extension [UInt8] {
    /// Hexadecimal digits.
    var digits: String { map { String(Int($0) | 256, radix: 16).dropFirst() }.joined() }
}
