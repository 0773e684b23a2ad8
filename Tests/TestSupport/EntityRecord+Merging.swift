public import Events

/// The merge of an entity's events in its simplest form: of the writes to a path the last in merge order counts. Tests compare the
/// store's own merge with it, which works in place (`RecordMerger`).
extension EntityRecord {
    /// Merges an event of the commit with a stamp. Events of one commit are applied in their order.
    public mutating func apply(_ event: Event, index: Int, stamp: Stamp) {
        let moved = stamp.moved(to: event.original)
        var standing = Dictionary(uniqueKeysWithValues: registers.map { ($0.path, $0) })
        func write(_ path: FieldPath, _ value: [UInt8]?) {
            // Equal stamps belong to one commit, whose later write wins.
            if let old = standing[path], moved < old.stamp { return }
            standing[path] = Register(path: path, stamp: moved, value: value)
        }
        if event.verb == .deleted { write(.deletion, [1]) }
        if event.verb == .restored { write(.deletion, nil) }
        for change in event.changes { write(change.path, change.value) }
        let created = event.verb == .created ? moved : nil
        self = EntityRecord(
            version: version.adding(moved, index: index),
            creation: [creation, created].compactMap { $0 }.min(),
            registers: standing.values.sorted { $0.path < $1.path })
    }

    /// The same for an event that is read in place. Throws `WireError` if a change cannot be read.
    public mutating func apply(_ event: borrowing EventView, index: Int, stamp: Stamp) throws(WireError) {
        apply(try event.copy(SeenReplicas()), index: index, stamp: stamp)
    }
}
