import EventLog
import Events
import Foundation
import TripFormats
import TripStore

/// Commits in words and in JSON.
enum AuditText {
    static func json(_ commit: AuditedCommit) -> JSON { .object(members(commit)) }

    /// A commit in a list, with the position after which the list goes on, if it was cut there.
    static func row(_ commit: AuditedCommit, next: Position?) -> JSON {
        .object(members(commit) + [("next", .optional(next?.rawValue))])
    }

    private static func members(_ commit: AuditedCommit) -> [(String, JSON)] {
        let (isErased, erasedEvents) =
            switch commit.erased {
            case .all?: (true, 0)
            case .some(let leaves)?: (false, leaves.events.count)
            case nil: (false, 0)
            }
        return [
            ("position", .integer(commit.position.rawValue)), ("replica", .string("\(commit.replica)")),
            ("sequence", .integer(commit.sequence.rawValue)), ("timestamp", .string(commit.timestamp.utcText)),
            ("author", .string(commit.author)), ("hash", .string("\(commit.hash)")),
            ("causation", .optional(commit.causation?.uuidString)),
            ("correlation", .optional(commit.correlation?.uuidString)),
            ("undoing", .optional(commit.info.undoing?.rawValue)), ("wallClock", .optional(commit.wallClock)),
            ("device", .optional(commit.introducedDevice)), ("readable", .bool(commit.isReadable)),
            ("neededUpdate", commit.neededUpdate.map(JSON.neededUpdate) ?? .null),
            ("erased", .bool(isErased)), ("erasedEvents", .integer(erasedEvents)), ("counts", .bool(commit.counts)),
            ("statements", .array(commit.statements.map(json))), ("events", .array(commit.events.map(json))),
        ]
    }

    static func json(_ statement: MembershipStatement) -> JSON {
        var (says, replica, role): (String, ReplicaID?, MemberRole?) = ("", nil, nil)
        var (invitation, cut, commit): ([UInt8]?, Set<CommitID>?, CommitID?) = (nil, nil, nil)
        switch statement {
        case .grant(let granted, let given, let key): (says, replica, role, invitation) = ("grant", granted, given, key)
        case .revocation(let revoked, let kept): (says, replica, cut) = ("revoke", revoked, Set(kept))
        case .invitation(let made): (says, role, invitation) = ("invite", made.role, made.key)
        case .withdrawal(let key): (says, invitation) = ("withdraw", key)
        case .request(let request): (says, invitation) = ("request", request.invitation)
        case .void(let id, let isVoid): (says, commit) = (isVoid ? "void" : "lift", id)
        case .replacement(let last): (says, commit) = ("replace", last)
        }
        return .object([
            ("says", .string(says)), ("replica", .optional(replica.map { "\($0)" })),
            ("role", .optional(role.map { "\($0)" })), ("invitation", .optional(invitation?.digits)),
            ("cut", cut.map { .array($0.sorted().map { .string("\($0)") }) } ?? .null),
            ("commit", .optional(commit.map { "\($0)" })),
        ])
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
        case .replacement(let last):
            "replaces commits up to \(last.sequence) of \(last.replica), which were written with a clock that was ahead"
        }
    }

    static func json(_ event: AuditedEvent) -> JSON {
        .object(
            [("verb", .string(event.verb.name))] + EntityText.members(event.entity, event.name)
                + [("written", .string(event.written.utcText)), ("changes", .array(event.changes.map(json)))])
    }

    private static func json(_ change: AuditedChange) -> JSON {
        let beating = change.beatenBy.map { beating in
            JSON.object([
                ("position", .integer(beating.position.rawValue)), ("replica", .string("\(beating.replica)")),
                ("timestamp", .string(beating.timestamp.utcText)), ("written", .string(beating.written.utcText)),
                ("author", .string(beating.author)),
                ("value", beating.value.value.ordered),
            ])
        }
        return .object([
            ("field", .string(change.field)), ("old", change.old?.value.ordered ?? .null),
            ("new", change.new.value.ordered), ("beatenBy", beating ?? .null),
        ])
    }

    /// A time as in 2027-05-01 09:30:00.250 UTC.
    static func time(_ timestamp: Timestamp) -> String {
        timestamp.utcText.replacing("T", with: " ").replacing("Z", with: " UTC")
    }

    /// The events of a commit that a list shows one by one; more are summed up.
    static let mostEvents = 5

    /// A text for each event, and for each erasure of others; one for a commit without events, and for one of which a list shows the sum.
    static func events(_ commit: AuditedCommit, _ erasures: NamedErasures, isSummedUp: Bool = false) -> [String] {
        let mark =
            (commit.counts ? "" : "(does not count) ") + (commit.info.undoing.map { "\($0.rawValue): " } ?? "")
            + (commit.info.isWrittenAnew ? "written anew: " : "")
        guard !commit.events.isEmpty else { return [mark + withoutEvents(commit, erasures)] }
        if isSummedUp { return [mark + sum(of: commit.events)] + erasures.words(of: commit) }
        let events = commit.events.map { event in
            let changes = event.changes.map(words).joined(separator: "; ")
            return mark + words(event) + (changes.isEmpty ? "" : ": \(changes)")
        }
        return events + erasures.words(of: commit)
    }

    /// The events by verb and kind, as in "created 3 trips, created 120 transportations, edited 1 trip", in the order of the first of each.
    private static func sum(of events: [AuditedEvent]) -> String {
        var counts: [(words: (verb: String, kind: String), count: Int)] = []
        var places: [String: Int] = [:]
        for event in events {
            let words = (verb: event.verb.name, kind: event.entity.kindWords)
            let place = places["\(words)", default: counts.count]
            if place == counts.count {
                places["\(words)"] = place
                counts.append((words, 0))
            }
            counts[place].count += 1
        }
        return counts.map { "\($0.words.verb) \($0.count.counted($0.words.kind))" }.joined(separator: ", ")
    }

    /// The description of a commit without events.
    static func withoutEvents(_ commit: AuditedCommit, _ erasures: NamedErasures) -> String {
        if let device = commit.introducedDevice {
            return "replica joined\(device.isEmpty ? "" : " from the device \"\(device)\"")"
        }
        if let needed = commit.neededUpdate {
            return "cannot be read: needs "
                + (needed.version.map { "TripStore \($0) or newer" } ?? "a newer version of TripStore")
        }
        let erased = erasures.words(of: commit)
        if !commit.statements.isEmpty || !erased.isEmpty {
            return (commit.statements.map(words) + erased).joined(separator: "; ")
        }
        switch commit.erased {
        case .all?: return "erased"
        case .some(let leaves)?: return "\(leaves.events.count.counted("event")) erased, and no others"
        case nil: return commit.isReadable ? "no events" : "events cannot be read"
        }
    }

    private static func words(_ event: AuditedEvent) -> String {
        "\(event.verb.name) \(event.entity.kindWords) \(event.name.isEmpty ? event.entity.id.uuidString : "\"\(event.name)\"")"
    }

    private static func words(_ change: AuditedChange) -> String {
        var text = EntityText.change(change.field, change.old, change.new)
        if let beating = change.beatenBy {
            let author = beating.author.isEmpty ? String(beating.replica.description.prefix(8)) : beating.author
            text += " (superseded unseen by \(author) at position \(beating.position): \(beating.value.text))"
        }
        return text
    }

    /// All details of a commit.
    static func details(_ commit: AuditedCommit, _ erasures: NamedErasures) -> [String] {
        var lines = [
            "position     \(commit.position)", "replica      \(commit.replica)", "sequence     \(commit.sequence)",
            "timestamp    \(commit.timestamp.utcText)", "author       \(commit.author.isEmpty ? "–" : commit.author)",
            "hash         \(commit.hash)",
        ]
        if commit.written != commit.timestamp {
            let reason =
                commit.info.isWrittenAnew ? "written anew without what was erased" : "brought here from elsewhere"
            lines.append("written      \(commit.written.utcText), and \(reason)")
        }
        if let undoing = commit.info.undoing {
            lines.append(
                "undoing      \(undoing == .undo ? "puts back what another changed" : "does again what was undone")")
        }
        if let wallClock = commit.wallClock {
            lines.append("wall clock   \(Date(timeIntervalSince1970: Double(wallClock) / 1000).utcText)")
        }
        if let causation = commit.causation { lines.append("causation    \(causation.uuidString)") }
        if let correlation = commit.correlation { lines.append("correlation  \(correlation.uuidString)") }
        if !commit.counts {
            lines.append("counts       no: who wrote it was no member, or was revoked, or it is void")
        }
        if commit.events.isEmpty { lines.append(withoutEvents(commit, erasures)) }
        for event in commit.events {
            lines.append("\(words(event)) \(event.entity.id.uuidString)")
            for change in event.changes { lines.append("  \(words(change))") }
        }
        if !commit.events.isEmpty { lines += erasures.words(of: commit) }
        return lines.map(\.visible)
    }
}

extension [UInt8] {
    /// Hexadecimal digits.
    var digits: String { map { String(Int($0) | 256, radix: 16).dropFirst() }.joined() }
}
