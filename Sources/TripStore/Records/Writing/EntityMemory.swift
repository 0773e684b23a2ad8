import Events

/// What a planner knows of the entities that it wrote to or looked at: the bytes of their events, and of the records that a
/// source has of them, so that thousands of them take no time to make or to release.
///
/// A commit has a memory of its own, with the records of all entities that it touches. A load has one for all of its commits.
/// Between commits that one is bounded: an entity that was not asked for in a while is released, and if the last commits
/// took much the source has to catch up. What was written to a released entity is in the log alone.
struct EntityMemory: ~Copyable {
    /// An entity was released, or has the hash of another: the source must have all that was written before the next
    /// read.
    struct OutOfReach: Error {}

    /// Entities with consecutive numbers, and their data.
    private struct Shelf {
        var first = 0
        var entries: [KnownEntity] = []
        var bytes = WireWriter()
    }

    /// The minimum number of entities that are kept, and half of the maximum, including those that were only read; and
    /// the size from which fewer are kept.
    private static let kept = 8_192
    private static let keptBytes = 16 << 20
    /// The size of the data since the last turn from which garbage is collected.
    private static let mostBytes = 64 << 20
    /// The maximum number of touched entities before the views must catch up.
    private static let mostTouched = 1 << 20

    /// The writing replica.
    private let replica: ReplicaID
    private var index: EntityIndex
    private var newer = Shelf()
    private var older = Shelf()
    /// As `mostBytes`, or more if more than half of that is in use.
    private var fullBytes = mostBytes
    private var merger = RecordMerger()
    /// The bytes of the last merged record.
    private var record: [UInt8] = []

    init(of replica: ReplicaID, index: EntityIndex = EntityIndex()) {
        self.replica = replica
        self.index = index
    }

    /// Begins a further commit. Throws `OutOfReach` if the source must catch up.
    mutating func beginCommit() throws(OutOfReach) {
        // Numbers have 32 bits in the index, and a commit has far fewer events than half of them.
        guard index.touchedCount < Self.mostTouched, index.count < 2 * Self.mostTouched,
            newer.first < Int(UInt32.max) / 2, newer.bytes.count <= Self.mostBytes
        else { throw OutOfReach() }
        guard newer.entries.count >= Self.kept || newer.bytes.count >= Self.keptBytes else { return }
        swap(&newer, &older)
        newer.first = older.first + older.entries.count
        newer.entries.removeAll(keepingCapacity: true)
        // The memory of a large commit is released.
        if newer.bytes.count > 2 * Self.keptBytes { newer.bytes = WireWriter() } else { newer.bytes.removeAll() }
        fullBytes = Self.mostBytes
    }

    /// Releases the garbage of merging, if there is much. Values found in fields before must not be used afterwards.
    mutating func makeRoom() {
        guard newer.bytes.count > fullBytes else { return }
        let old = newer.bytes
        newer.bytes = WireWriter()
        old.withBytes { bytes in
            for index in newer.entries.indices { newer.entries[index].move(from: bytes, to: &newer.bytes) }
        }
        fullBytes = max(Self.mostBytes, 2 * newer.bytes.count)
    }

    /// The size of the data of the most recently used entities.
    var byteCount: Int { newer.bytes.count }

    // MARK: Entities

    /// Prefetches the entity of an event, and the parent that it names.
    func prefetch(_ entry: DraftedEvents.Entry) {
        index.prefetch(index.hash(of: entry.entity))
        if let parent = entry.parent ?? nil { index.prefetch(index.hash(of: parent)) }
    }

    /// The number of an entity, which identifies it until the commit ends.
    ///
    /// Throws `OutOfReach`, or the error of reading its record.
    mutating func number<Source: RecordSource & ~Copyable>(
        of entity: EntityReference, in source: borrowing Source
    ) throws -> Int {
        let hash = index.hash(of: entity)
        if let slot = index.slot(of: hash) {
            let number = slot.number
            if number >= newer.first {
                if newer.entries[number - newer.first].entity == entity { return number }
            } else if number >= older.first, older.entries[number - older.first].entity == entity {
                return keep(older.entries[number - older.first])
            }
            // It was written to, or another with the same hash was.
            if slot.isTouched { throw OutOfReach() }
        }
        var entry = KnownEntity(entity: entity, hash: hash)
        let isFound = try source.withRecord(of: entity) { found in
            entry.presence = EventRules.Presence(
                isCreated: try found.creationTimestamp() != nil, isDeleted: try found.isDeleted())
            entry.parent = try found.parent(of: entity.kind)
            // Checks it as a merge would: a damaged record must not decide what the log says was seen.
            try merger.reset(to: found)
            record.removeAll(keepingCapacity: true)
            record.append(contentsOf: found.bytes)
            return true
        }
        if isFound != nil { storeRecord(&entry) }
        return add(entry)
    }

    private mutating func add(_ entry: KnownEntity) -> Int {
        let number = newer.first + newer.entries.count
        newer.entries.append(entry)
        index.set(entry.hash, to: number)
        return number
    }

    /// Moves an entity to those that are kept longer.
    private mutating func keep(_ old: KnownEntity) -> Int {
        var entry = old
        older.bytes.withBytes { entry.move(from: $0, to: &newer.bytes) }
        return add(entry)
    }

    /// Merges the events and the record of an entity of `newer` into one record, which replaces them.
    private mutating func merge(_ entry: inout KnownEntity) throws {
        record.removeAll(keepingCapacity: true)
        try newer.bytes.withBytes { bytes in
            // The merger points into these bytes only within this function.
            merger.reset()
            if !entry.record.isEmpty { try merger.reset(to: RecordView(bytes.part(entry.record))) }
            for (index, offset) in entry.eventOffsets(in: bytes).reversed().enumerated() {
                let front = EventFront(bytes, at: offset)
                // The hash is not known yet, and not used.
                let stamp = Stamp(timestamp: front.timestamp, replica: replica, hash: .zero)
                try merger.apply(try front.view(bytes, at: offset), index: index, stamp: stamp)
            }
            merger.encode(into: &record)
        }
        storeRecord(&entry)
    }

    /// Replaces the data of an entity with the last encoded record.
    private mutating func storeRecord(_ entry: inout KnownEntity) {
        let start = newer.bytes.count
        newer.bytes.raw(record)
        entry.record = start..<newer.bytes.count
        entry.newest = nil
        entry.eventCount = 0
    }

    // MARK: What is known of one

    /// Whether an entity was created, and is present.
    func presence(of number: Int) -> EventRules.Presence { newer.entries[number - newer.first].presence }

    /// Whether anything is held of an entity.
    func isHeld(_ number: Int) -> Bool { !newer.entries[number - newer.first].isUnknown }

    /// The parent of an entity; nil if it has none.
    func parent(of number: Int) -> EntityReference? { newer.entries[number - newer.first].parent }

    /// The version of an entity in the source; to be read before anything is added to it.
    func version(of number: Int) throws(WireError) -> EntityVersion {
        let entry = newer.entries[number - newer.first]
        guard !entry.record.isEmpty else { return .none }
        return try newer.bytes.withBytes { bytes in
            Result { () throws(WireError) in try RecordView(bytes.part(entry.record)).version }
        }.get()
    }

    /// Finds the held values of some fields. The values can be read until `makeRoom` is called.
    ///
    /// O(events not merged yet, fields). Throws if the source's record cannot be read.
    func find(_ fields: inout [HeldField], of number: Int) throws(WireError) {
        let entry = newer.entries[number - newer.first]
        try newer.bytes.withBytes { bytes in
            Result { () throws(WireError) in
                var search = HeldFieldSearch(fields)
                var newest = entry.newest
                while search.isMissingSome, let offset = newest {
                    let front = EventFront(bytes, at: offset)
                    let written = Seen(timestamp: front.timestamp, replica: replica)
                    try search.look(at: front.view(bytes, at: offset), written: written, in: bytes, &fields)
                    newest = front.previous
                }
                if search.isMissingSome, !entry.record.isEmpty {
                    try search.look(at: RecordView(bytes.part(entry.record)), in: bytes, &fields)
                }
            }
        }.get()
    }

    /// Runs `body` on a value found; nil if the field was never written, or cleared.
    func withValue<T>(of field: HeldField, _ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T? {
        guard let range = field.value else { return nil }
        return try newer.bytes.withBytes { try body($0.part(range)) }
    }

    /// The last deletion or restoration of an entity.
    mutating func deletion(of number: Int) throws -> Seen? {
        var entry = newer.entries[number - newer.first]
        guard !entry.isUnknown else { return nil }
        if entry.newest != nil {
            try merge(&entry)
            newer.entries[number - newer.first] = entry
        }
        return try newer.bytes.withBytes { bytes in
            let record = try RecordView(bytes.part(entry.record))
            var registers = record.registers
            guard let first = try registers.next(), first.field == FieldPath.deletion.field else { return nil }
            return Seen(try record.stamp(of: first))
        }
    }

    // MARK: Writing

    /// Adds an event that is later than all before it, and the parent that it writes, if any.
    mutating func add(
        _ verb: Verb, _ event: UnsafeRawBufferPointer, parent: EntityReference??, at timestamp: Timestamp,
        to number: Int
    ) throws {
        let offset = newer.bytes.count
        let index = number - newer.first
        withUnsafeBytes(
            of: EventFront(previous: newer.entries[index].newest, count: event.count, timestamp: timestamp)
        ) { newer.bytes.raw($0) }
        newer.bytes.raw(event)
        self.index.touch(newer.entries[index].hash)
        newer.entries[index].note(verb, parent, at: offset)
        guard newer.entries[index].isWorthMerging else { return }
        var entry = newer.entries[index]
        try merge(&entry)
        newer.entries[index] = entry
    }
}
