import EventLog
import Events
import Trips

/// Works out what a store must write so that it holds another's entities as well, though the two share no history.
///
/// Field by field the later value counts, by the times at which the two wrote: what a merge of the two would have come to.
struct Adoption {
    /// About how many bytes of events go into one commit.
    private static let fullBytes = 1 << 20

    /// Events that go into one commit, and the versions that they rest on.
    struct Part {
        var events: [Event] = []
        var versions: [EntityReference: EntityVersion] = [:]
        fileprivate var size = 0
    }

    private(set) var parts: [Part] = []
    private(set) var report = AdoptionReport()

    /// Takes up an entity of the other store; `own` is what is held of it here.
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

    /// Each event has the time at which the other wrote what it says: an edit made here since then goes on counting, here and
    /// wherever else it was made. What the other saw is of another history, so nothing is said of it.
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
            // Whatever was written before it, by a clock behind that of who created, follows by itself.
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

/// What became of another store's entities.
public struct AdoptionReport: Sendable, Hashable {
    /// Entities that were not here.
    public internal(set) var created = 0
    /// Entities that were here, of which the other had later values.
    public internal(set) var edited = 0
    /// Entities that were here, and which the other deleted later, whether it had later values as well or not.
    public internal(set) var deleted = 0
    /// Entities that were here as deleted ones, and which the other restored later.
    public internal(set) var restored = 0
    /// Entities of which there was nothing to take over.
    public internal(set) var unchanged = 0
    /// The commits that were written.
    public internal(set) var receipts: [Receipt] = []

    /// Counts an entity once, by what matters most of what is written of it.
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
