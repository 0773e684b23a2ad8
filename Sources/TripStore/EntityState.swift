import Events

/// What a commit in the making, or a load, knows of an entity: a record that was found, and the events after it.
///
/// Nothing is merged before somebody asks for the whole: mostly a field or two are looked at. Each of the events is later
/// than all before it, as a replica's own are, so that the newest write to a path is the one that counts.
struct EntityState: Sendable {
    /// What one event did.
    private struct Later {
        let verb: Verb
        let changes: [Change]
        let index: Int
        var stamp: Stamp
    }

    /// The newest write to a path.
    struct Held {
        let stamp: Stamp
        /// Nil if the path was cleared.
        let value: [UInt8]?
    }

    /// A record, and how many of the events are merged into it. A class, so that states are small and quickly copied.
    private final class Merged: Sendable {
        let record: EntityRecord
        let count: Int

        init(_ record: EntityRecord, _ count: Int = 0) {
            self.record = record
            self.count = count
        }
    }

    /// How many events are kept unmerged, beyond which looking through them takes longer than merging. Values that were
    /// written over take their memory until then.
    private static let mostUnmerged = 8

    private var found: Merged?
    /// The newest last.
    private var later: [Later] = []
    /// What was found with the first of the events, for looking things up; nil if that is the same as what was found.
    private var merged: Merged?

    init(_ found: EntityRecord?) { self.found = found.map { Merged($0) } }

    /// What the unmerged events come after.
    private var base: EntityRecord? { (merged ?? found)?.record }
    private var unmerged: ArraySlice<Later> { later[(merged?.count ?? 0)...] }

    /// Whether anything is known of the entity.
    var isHeld: Bool { found != nil || !later.isEmpty }

    /// Whether the entity came to be, deleted or not.
    var isCreated: Bool { base?.creation != nil || unmerged.contains { $0.verb == .created } }

    var isDeleted: Bool {
        for event in unmerged.reversed() where event.verb == .deleted || event.verb == .restored {
            return event.verb == .deleted
        }
        return base?.isDeleted ?? false
    }

    /// Whether queries show it.
    var isPresent: Bool { isCreated && !isDeleted }

    /// O(events that are not merged for good).
    var version: EntityVersion {
        later.reduce(found?.record.version ?? .none) { $0.adding($1.stamp, index: $1.index) }
    }

    /// The newest write to a plain field; nil if there was none.
    func held(at field: UInt32) -> Held? {
        for event in unmerged.reversed() {
            for change in event.changes.reversed() where change.path.field == field && change.path.key.isEmpty {
                return Held(stamp: event.stamp, value: change.value)
            }
        }
        return base?.register(at: Path(field: field)).map { Held(stamp: $0.stamp, value: $0.value) }
    }

    /// All of it merged; nil if nothing is known.
    var record: EntityRecord? {
        guard !unmerged.isEmpty else { return base }
        var record = base ?? EntityRecord()
        for event in unmerged { record.apply(event.verb, event.changes, index: event.index, stamp: event.stamp) }
        return record
    }

    /// Takes in an event that is later than everything before it.
    mutating func add(_ event: Event, index: Int, stamp: Stamp) {
        later.append(Later(verb: event.verb, changes: event.changes, index: index, stamp: stamp))
        guard unmerged.count > Self.mostUnmerged, let record else { return }
        merged = Merged(record, later.count)
    }

    /// Gives the events that were added with one stamp another, which is as late: that of their commit once it is stored.
    mutating func settle(_ pending: Stamp, as stamp: Stamp) {
        // What was merged has the old one.
        merged = nil
        for place in later.indices.reversed() {
            guard later[place].stamp == pending else { break }
            later[place].stamp = stamp
        }
        guard later.count > Self.mostUnmerged, let record else { return }
        found = Merged(record)
        later = []
    }
}
