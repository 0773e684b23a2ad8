import Events
import Trips

/// Computes what a store must write to hold another's entities as well, although the two share no history.
///
/// For each field the later value counts, by the times at which the two were written: as in a merge of the two.
struct Adoption {
    /// The approximate number of bytes of events in one commit.
    private static let fullBytes = 1 << 20

    /// Events for one commit, and the versions that they are based on.
    struct Part {
        var events: [Event] = []
        var versions: [EntityReference: EntityVersion] = [:]
        fileprivate var size = 0
    }

    private(set) var parts: [Part] = []
    private(set) var report = AdoptionReport()

    /// Adds an entity of the other store; `own` is its record here.
    mutating func add(_ entity: EntityReference, _ other: EntityRecord, own: EntityRecord?) {
        let events = Self.events(for: entity, other, own ?? EntityRecord())
        guard !events.isEmpty else {
            report.unchanged += 1
            return
        }
        report.count(events)
        let size = events.reduce(0) { sum, event in
            event.changes.reduce(sum + 64) { $0 + 32 + ($1.value?.count ?? 0) }
        }
        if parts.last.map({ $0.size + size > Self.fullBytes }) ?? true { parts.append(Part()) }
        parts[parts.count - 1].events += events
        parts[parts.count - 1].versions[entity] = own?.version ?? EntityVersion.none
        parts[parts.count - 1].size += size
    }

    /// Each event has the time at which the other store wrote its values: a later edit made here or elsewhere still
    /// counts. What the other author saw belongs to another history, so there is no `seen`.
    private static func events(for entity: EntityReference, _ other: EntityRecord, _ own: EntityRecord) -> [Event] {
        var changes: [Timestamp: [Change]] = [:]
        for register in other.registers where register.path != .deletion {
            let held = own.register(at: register.path)
            guard
                held.map({ $0.stamp.timestamp < register.stamp.timestamp && $0.value != register.value })
                    ?? (register.value != nil)
            else { continue }
            changes[register.stamp.timestamp, default: []].append(Change(path: register.path, value: register.value))
        }
        var events: [Event] = []
        if own.creation == nil, let creation = other.creation {
            // Writes with an earlier time, by a clock behind the creator's, need nothing more.
            let time = creation.timestamp
            events.append(
                Event(
                    verb: .created, entity: entity, changes: changes.removeValue(forKey: time) ?? [], original: time))
        }
        for (time, changes) in changes.sorted(by: { $0.key < $1.key }) {
            events.append(Event(verb: .edited, entity: entity, changes: changes, original: time))
        }
        if let deletion = other.register(at: .deletion) {
            let held = own.register(at: .deletion)
            let isNewer = held.map { $0.stamp.timestamp < deletion.stamp.timestamp } ?? true
            if isNewer && (held?.value != nil) != (deletion.value != nil) {
                events.append(
                    Event(
                        verb: deletion.value == nil ? .restored : .deleted, entity: entity,
                        original: deletion.stamp.timestamp))
            }
        }
        return events
    }
}

/// The result of adopting another store's entities.
public struct AdoptionReport: Sendable, Hashable {
    /// Entities that were not here.
    public internal(set) var created = 0
    /// Entities that were here, and of which the other had later values.
    public internal(set) var edited = 0
    /// Entities that were here, and that the other deleted later, with or without later values.
    public internal(set) var deleted = 0
    /// Entities that were deleted here, and that the other restored later.
    public internal(set) var restored = 0
    /// Entities without anything to adopt.
    public internal(set) var unchanged = 0
    /// The commits that were written.
    public internal(set) var receipts: [Receipt] = []

    /// Counts an entity once, by the most important of its events.
    fileprivate mutating func count(_ events: [Event]) {
        let verbs = Set(events.map(\.verb))
        if verbs.contains(.created) {
            created += 1
        } else if verbs.contains(.deleted) {
            deleted += 1
        } else if verbs.contains(.restored) {
            restored += 1
        } else {
            edited += 1
        }
    }
}
