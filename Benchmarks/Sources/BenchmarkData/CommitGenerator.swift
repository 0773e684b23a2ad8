import Events
import Foundation
import RandomQuestions
public import TripStore

/// The generator's events in commits, as the facade takes them and as the log does.
public struct CommitGenerator: Sendable {
    /// The log clock's time for a commit, so that changes name what their authors saw as in real use.
    public static func clock(of commit: Int) -> Int64 { 1_710_000_000_000 + Int64(commit) * 1_000 }

    private var trips: TripGenerator
    private let eventsPerCommit: Int
    /// How many commits there are so far; the first has number 1, and 0 creates the organizations.
    public private(set) var commitCount = 0
    private var pending: [TripEvent] = []
    /// The commit that wrote the fields of recent entities after their creation.
    private var written: [WrittenField: Int] = [:]
    private var creations: [EntityReference: Creation] = [:]

    private struct WrittenField: Hashable {
        let entity: EntityReference
        let field: UInt64
    }

    private struct Creation {
        let commit: Int
        /// A bit for each field's number.
        let fields: UInt64
    }

    public init(seed: UInt64 = 1, eventsPerCommit: Int = 1_000) {
        trips = TripGenerator(seed: seed)
        self.eventsPerCommit = eventsPerCommit
    }

    /// The organizations, which precede the first commit.
    public var organizations: [TripEvent] { trips.organizations.map { .created($0) } }

    /// The events of the next commit, as an app proposes them.
    public mutating func next() -> [TripEvent] {
        while pending.count < eventsPerCommit { pending += trips.next().events }
        let events = Array(pending.prefix(eventsPerCommit))
        pending.removeFirst(eventsPerCommit)
        commitCount += 1
        return events
    }

    /// The next commit as the log takes it. The log's clock must be at `clock(of: commitCount)` when it is appended.
    public mutating func nextPayload() -> Payload {
        let events = next()
        return Payload(author: "ana", events: recorded(events))
    }

    /// The commit of organizations as the log takes it.
    public func organizationsPayload() -> Payload {
        Payload(
            author: "ana",
            events: organizations.map(\.recorded))
    }

    private mutating func recorded(_ events: [TripEvent]) -> [Event] {
        if creations.count > 20_000 { forget() }
        return events.map { event in
            var event = event.recorded
            if event.verb == .created {
                let fields = event.changes.reduce(UInt64(0)) { $0 | 1 << $1.path.field }
                creations[event.entity] = Creation(commit: commitCount, fields: fields)
            } else {
                for index in event.changes.indices {
                    event.changes[index].seen = seen(event.entity, event.changes[index].path.field)
                }
            }
            return event
        }
    }

    /// When the value that the author of an edit sees was written.
    private mutating func seen(_ entity: EntityReference, _ field: UInt64) -> Seen? {
        let last = written.updateValue(commitCount, forKey: WrittenField(entity: entity, field: field))
        let creation = creations[entity].flatMap { $0.fields & (1 << field) == 0 ? nil : $0.commit }
        // Within a commit only order matters.
        guard let before = last ?? creation, before != commitCount else { return nil }
        return Seen(
            timestamp: Timestamp.at(Date(timeIntervalSince1970: Double(Self.clock(of: before)) / 1_000)),
            replica: Self.author)
    }

    /// The log's author: every edit is of a value that it wrote.
    private static let author = ReplicaID(String(repeating: "01", count: 16)) ?? ReplicaID(publicKey: [])

    /// Only recent trips are edited: older ones need not be remembered.
    private mutating func forget() {
        let oldest = commitCount - TripGenerator.recentEvents / eventsPerCommit - 2
        creations = creations.filter { $0.value.commit >= oldest }
        written = written.filter { creations[$0.key.entity] != nil }
    }
}
