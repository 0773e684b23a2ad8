import EventLog
import Events
import Foundation
import LogExchange
import TripStore

/// The lines of a dump, as `DumpFormat.md` says.
enum DumpLine {
    static func beginning(_ source: DumpSource) -> JSON {
        .object([
            ("type", .string("dump")), ("format", .string("tripstore dump")),
            ("version", .integer(DumpHeader.currentVersion)), ("journal", .string("\(source.journal)")),
            ("replica", .string("\(source.replica)")), ("name", .string(source.name)),
            ("created", .integer(source.created)),
            ("frontier", .array(source.frontier.heads.map { .object(members($0)) })),
        ])
    }

    static func segment(_ segment: LineSegment) -> JSON {
        .object([
            ("type", .string("segment")), ("replica", .string("\(segment.replica)")),
            ("first", .integer(segment.first.rawValue)), ("previous", .string("\(segment.previous)")),
            ("commits", .integer(segment.commits.count)), ("signature", base64(segment.signature)),
            ("erasures", .array(segment.erasures.map(base64))),
        ])
    }

    static func end(segments: Int, commits: Int) -> JSON {
        .object([("type", .string("end")), ("segments", .integer(segments)), ("commits", .integer(commits))])
    }

    /// A commit with its bytes. Without `names` its events lack the names of fields and the values in readable form, which may take more room
    /// than a line has.
    static func commit(_ commit: RecordedCommit, _ bytes: [UInt8], names: Bool) -> JSON {
        let header = commit.header
        let (erased, erasedEvents): (String, [Int]) =
            switch commit.erased {
            case .all?: ("all", [])
            case .some(let leaves)?: ("part", leaves.events)
            case nil: ("none", [])
            }
        let payload = commit.payload
        return .object(
            [("type", .string("commit"))]
                + members(CommitID(replica: header.replica, sequence: header.sequence, hash: commit.hash))
                + [
                    ("position", .integer(commit.position.rawValue)),
                    ("timestamp", .integer(header.timestamp.rawValue)), ("time", .string(header.timestamp.utcText)),
                    ("wallClock", .optional(header.wallClock)), ("schema", .integer(header.schema)),
                    ("features", .integer(header.features)), ("needs", .optional(header.needs.map { "\($0)" })),
                    ("counts", .bool(commit.counts)),
                    ("readable", .bool(payload != nil || commit.erased == .all)), ("erased", .string(erased)),
                    ("erasedEvents", .array(erasedEvents.map { .integer($0) })),
                    ("author", .string(payload?.author ?? "")),
                    ("causation", .optional(payload?.causation?.uuidString)),
                    ("correlation", .optional(payload?.correlation?.uuidString)),
                    ("appendID", .optional(payload?.appendID.map { "\($0)" })),
                    ("introduction", commit.introduction.map(introduction) ?? .null),
                    ("statements", .array(commit.statements.map(AuditText.json))),
                    ("events", .array(commit.indexedEvents.map { event($0.event, $0.index, names: names) })),
                    ("bytes", base64(bytes)),
                ])
    }

    private static func members(_ id: CommitID) -> [(String, JSON)] {
        [
            ("replica", .string("\(id.replica)")), ("sequence", .integer(id.sequence.rawValue)),
            ("hash", .string("\(id.hash)")),
        ]
    }

    private static func introduction(_ introduction: Payload.Introduction) -> JSON {
        .object([
            ("publicKey", base64(introduction.publicKey)), ("name", .string(introduction.name)),
            ("previous", .optional(introduction.previous.map { "\($0)" })), ("reason", .string(introduction.reason)),
            ("nonce", introduction.nonce.map(base64) ?? .null),
            ("handover", introduction.handover.map(base64) ?? .null),
        ])
    }

    // MARK: Events

    private static func event(_ event: Event, _ index: Int, names: Bool) -> JSON {
        let verb = Event.verbNames.first { $0.verb == event.verb }?.name
        return .object([
            ("index", .integer(index)), ("verb", verb.map { .string($0) } ?? .integer(event.verb.rawValue)),
            ("kind", .integer(event.entity.kind.rawValue)), ("kindName", event.entity.kindJSON),
            ("id", .string(event.entity.id.uuidString)), ("seen", seen(event.seen)),
            ("original", .optional(event.original?.rawValue)),
            ("changes", .array(event.changes.map { change($0, of: event.entity, names: names) })),
        ])
    }

    private static func change(_ change: Change, of entity: EntityReference, names: Bool) -> JSON {
        var members: [(String, JSON)] = [("field", .integer(change.path.field))]
        if names {
            let rendering = FieldRendering(
                of: entity, change.path, value: change.value, in: Console.current.known)
            members += [("name", .string(rendering.name)), ("value", rendering.value.ordered)]
        }
        if !change.path.key.isEmpty { members.append(("key", base64(change.path.key))) }
        return .object(members + [("bytes", change.value.map(base64) ?? .null), ("seen", seen(change.seen))])
    }

    private static func seen(_ seen: Seen?) -> JSON {
        guard let seen else { return .null }
        return .object([
            ("timestamp", .integer(seen.timestamp.rawValue)), ("replica", .string("\(seen.replica)")),
        ])
    }

    private static func base64(_ bytes: [UInt8]) -> JSON { .string(Data(bytes).base64EncodedString()) }
}
