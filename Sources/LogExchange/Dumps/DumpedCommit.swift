package import EventLog
package import Events
package import Foundation

/// A commit as the decoded members of its line say it.
package struct DumpedCommit: Sendable, Hashable {
    package let id: CommitID
    package let timestamp: Timestamp
    package let author: String
    package let causation: UUID?
    package let correlation: UUID?
    /// Whether its events counted where it was dumped.
    package let counts: Bool
    package let events: [Event]

    package init(_ object: DumpObject) throws(DumpError) {
        id = try CommitID(object)
        timestamp = try Timestamp(object, "timestamp")
        author = try object.optionalText("author") ?? ""
        causation = try object.optionalUUID("causation")
        correlation = try object.optionalUUID("correlation")
        counts = try object.flag("counts")
        let found = try object.objects("events")
        guard found.count <= Payload.mostEvents else {
            throw DumpError(
                .dumpTooLarge, "the commit has over \(Payload.mostEvents) events", column: object["events"]?.column)
        }
        var events: [Event] = []
        var changes = 0
        for event in found {
            let event = try Event(event)
            changes += event.changes.count
            guard changes <= Payload.mostChanges else {
                throw DumpError(
                    .dumpTooLarge, "the commit has over \(Payload.mostChanges) changes",
                    column: object["events"]?.column)
            }
            events.append(event)
        }
        self.events = events
    }

    /// The id under which the commit is written anew: the first half of SHA-256("TripStore load v1" ‖ its hash).
    package var appendID: AppendID { AppendID(rewriting: id.hash) }

    /// Its events as another replica writes them: with the time that they have in the merge, so that later writes still count, and with what
    /// `seen` makes of the names of writes that their author saw.
    package func rewritten(_ times: DumpTimes, naming seen: (Seen) -> Seen?) -> [Event] {
        events.map { event in
            var copy = event
            copy.seen = event.seen.flatMap(seen)
            for index in copy.changes.indices { copy.changes[index].seen = event.changes[index].seen.flatMap(seen) }
            copy.original = times.time(of: event, in: self)
            return copy
        }
    }

    /// The names of its writes, each with the time that they have when they are written anew.
    package func names(_ times: DumpTimes) -> [(name: Seen, time: Timestamp)] {
        events.map { (writes(of: $0).name, times.time(of: $0, in: self)) }
    }
}

extension AppendID {
    init(rewriting hash: Digest) {
        var builder = DigestBuilder()
        builder.add(Array("TripStore load v1".utf8))
        hash.withBytes { builder.add($0) }
        // A digest has more than 16 bytes.
        self = AppendID(Array(builder.finish().bytes.prefix(16))) ?? AppendID()
    }
}

extension Timestamp {
    /// A number in a line.
    fileprivate init(_ object: DumpObject, _ name: String) throws(DumpError) {
        self.init(rawValue: try object.integer(name, in: 1...UInt64(Int64.max)))
        guard isWellFormed else { throw object.missing(name, "a timestamp before the year 6429") }
    }
}

extension Seen {
    /// What an event or a change says that its author saw; nil if that is null or not there.
    fileprivate init?(of object: DumpObject) throws(DumpError) {
        switch object["seen"]?.value {
        case nil, .null: return nil
        case .object(let seen)?:
            self.init(
                timestamp: try Timestamp(seen, "timestamp"),
                replica: try seen.parsed("replica", "32 hexadecimal digits") { ReplicaID($0) })
        default: throw object.missing("seen", "an object or null")
        }
    }
}

extension DumpObject {
    fileprivate func optionalUUID(_ name: String) throws(DumpError) -> UUID? {
        guard let text = try optionalText(name) else { return nil }
        guard let uuid = UUID(uuidString: text) else { throw missing(name, "a UUID or null") }
        return uuid
    }
}

extension Event {
    /// The names of the verbs; others are numbers.
    package static let verbNames: [(verb: Verb, name: String)] = [
        (.created, "created"), (.edited, "edited"), (.deleted, "deleted"), (.restored, "restored"),
    ]

    fileprivate init(_ object: DumpObject) throws(DumpError) {
        let verb: Verb
        switch object["verb"]?.value {
        case .string(let name)?:
            guard let known = Self.verbNames.first(where: { $0.name == name }) else {
                throw object.missing("verb", "created, edited, deleted, restored or a number")
            }
            verb = known.verb
        default: verb = Verb(rawValue: try object.integer("verb", in: 1...UInt32.max))
        }
        let kind = EntityKind(rawValue: try object.integer("kind", in: 1...UInt16.max))
        let id = try object.parsed("id", "a UUID") { UUID(uuidString: $0) }
        var changes: [Change] = []
        for change in try object.objects("changes") { changes.append(try Change(change)) }
        var original: Timestamp?
        if let said = object["original"], said.value != .null { original = try Timestamp(object, "original") }
        self.init(
            verb: verb, entity: EntityReference(kind: kind, id: id), changes: changes, seen: try Seen(of: object),
            original: original)
    }
}

extension Change {
    fileprivate init(_ object: DumpObject) throws(DumpError) {
        let field: UInt64 = try object.integer("field", in: 1...FieldPath.highestField)
        let key = try object.optionalBytes("key", atMost: Payload.longestKey) ?? []
        self.init(
            path: FieldPath(field: field, key: key),
            value: try object.optionalBytes("bytes", atMost: CommitView.sizeLimit), seen: try Seen(of: object))
    }
}
