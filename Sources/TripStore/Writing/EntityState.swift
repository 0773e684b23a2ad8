import Events

/// What a commit in the making knows of an entity: a record that was found, and the events after it.
///
/// Nothing is merged before somebody asks for the whole: mostly a field or two are looked at. Each of the events is later
/// than all before it, as a replica's own are, so that the newest write to a path is the one that counts.
struct EntityState: Sendable {
    /// What one event did.
    private struct Later {
        let verb: Verb
        let changes: [Change]
        let index: Int
        let stamp: Stamp
    }

    /// The newest write to a path.
    struct Held {
        let stamp: Stamp
        /// Nil if the path was cleared.
        let value: [UInt8]?
    }

    /// A class, so that states are small and quickly copied.
    private final class Base: Sendable {
        let record: EntityRecord

        init(_ record: EntityRecord) { self.record = record }
    }

    /// How many events are kept unmerged, beyond which looking through them takes longer than merging. Values that were
    /// written over take their memory until then.
    private static let mostUnmerged = 8

    private var base: Base?
    /// What is not merged yet, the newest last.
    private var later: [Later] = []

    init(_ found: EntityRecord?) { base = found.map { Base($0) } }

    /// Whether anything is known of the entity.
    var isHeld: Bool { base != nil || !later.isEmpty }

    /// Whether the entity came to be, deleted or not.
    var isCreated: Bool { base?.record.creation != nil || later.contains { $0.verb == .created } }

    var isDeleted: Bool {
        for event in later.reversed() where event.verb == .deleted || event.verb == .restored {
            return event.verb == .deleted
        }
        return base?.record.isDeleted ?? false
    }

    var presence: EventRules.Presence { EventRules.Presence(isCreated: isCreated, isDeleted: isDeleted) }

    /// The newest write to a plain field; nil if there was none.
    func held(at field: UInt32) -> Held? {
        for event in later.reversed() {
            for change in event.changes.reversed() where change.path.field == field && change.path.key.isEmpty {
                return Held(stamp: event.stamp, value: change.value)
            }
        }
        return base?.record.register(at: Path(field: field)).map { Held(stamp: $0.stamp, value: $0.value) }
    }

    /// All of it merged; nil if nothing is known.
    var record: EntityRecord? {
        guard !later.isEmpty else { return base?.record }
        var record = base?.record ?? EntityRecord()
        for event in later { record.apply(event.verb, event.changes, index: event.index, stamp: event.stamp) }
        return record
    }

    /// Takes in an event that is later than everything before it.
    mutating func add(_ event: Event, index: Int, stamp: Stamp) {
        later.append(Later(verb: event.verb, changes: event.changes, index: index, stamp: stamp))
        guard later.count > Self.mostUnmerged, let record else { return }
        base = Base(record)
        later = []
    }
}
