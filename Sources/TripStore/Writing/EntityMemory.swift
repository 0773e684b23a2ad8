import Events

/// What a planner knows of the entities that it wrote to or looked at: the bytes of their events, and of the records that a
/// source has of them, so that thousands of them take no time to make or to release.
///
/// A commit has a memory of its own, with the records of all entities that it touches. A load has one for all of its commits.
/// Between commits that one is bounded: an entity that was not asked for in a while is released, and if the last commits
/// took much the source has to catch up. What was written to a released entity is in the log alone.
struct EntityMemory: ~Copyable {
    /// Says that an entity was released, or has the hash of another: the source has to have all that was written before it is
    /// asked.
    struct OutOfReach: Error {}

    /// An entity, and where the newest of what is known of it lies.
    private struct Entry {
        let entity: EntityReference
        let hash: UInt64
        var presence = EventRules.Presence()
        /// Where the record lies that comes before all events; empty if there is none.
        var record = 0..<0
        /// Where the newest event lies; nil if there is none.
        var newest: Int?
        var eventCount = 0
        /// Of an item, the trip that it belongs to.
        var trip: EntityReference?

        var isUnknown: Bool { newest == nil && record.isEmpty }

        /// Notes an event that lies at a place.
        mutating func note(_ verb: Verb, _ trip: EntityReference??, at place: Int) {
            newest = place
            eventCount += 1
            if let trip { self.trip = trip }
            switch verb {
            case .created: presence.isCreated = true
            case .deleted: presence.isDeleted = true
            case .restored: presence.isDeleted = false
            default: break
            }
        }
    }

    /// Entities whose numbers follow one another, and what is known of them.
    private struct Shelf {
        var first = 0
        var entries: [Entry] = []
        var bytes = WireWriter()
    }

    /// How many entities are kept at least, and half of how many at most, those among them that were only looked at; and the
    /// bytes at which fewer are.
    private static let kept = 8_192
    private static let keptBytes = 16 << 20
    /// How many bytes what is kept since the last turn takes before it is looked through for what is of no use any more.
    private static let mostBytes = 64 << 20
    /// How many may be touched before the views have to be brought up to date.
    private static let mostTouched = 1 << 20
    /// How many events of an entity are kept one by one, beyond which looking through them takes longer than merging.
    private static let mostUnmerged = 8

    /// Which replica writes.
    private let replica: ReplicaID
    private var index: EntityIndex
    private var newer = Shelf()
    private var older = Shelf()
    /// As `mostBytes`, or more if more than half of that is in use.
    private var fullBytes = mostBytes
    private var merger = RecordMerger()
    /// The bytes of the record that was merged last.
    private var record: [UInt8] = []

    init(of replica: ReplicaID, index: EntityIndex = EntityIndex()) {
        self.replica = replica
        self.index = index
    }

    /// A further commit begins. Throws `OutOfReach` if it is time to bring the source up to date.
    mutating func beginCommit() throws(OutOfReach) {
        // Numbers have 32 bits in the index, and a commit has far fewer events than half of them.
        guard index.touchedCount < Self.mostTouched, index.count < 2 * Self.mostTouched,
            newer.first < Int(UInt32.max) / 2, newer.bytes.count <= Self.mostBytes
        else { throw OutOfReach() }
        guard newer.entries.count >= Self.kept || newer.bytes.count >= Self.keptBytes else { return }
        swap(&newer, &older)
        newer.first = older.first + older.entries.count
        newer.entries.removeAll(keepingCapacity: true)
        // What a large commit took is given back.
        if newer.bytes.count > 2 * Self.keptBytes { newer.bytes = WireWriter() } else { newer.bytes.removeAll() }
        fullBytes = Self.mostBytes
    }

    /// The source has everything.
    mutating func removeAll(of replica: ReplicaID) { self = EntityMemory(of: replica) }

    /// Gives back the memory of what merging left behind, if there is much of it. What was found in fields before may not be
    /// asked for afterwards.
    mutating func makeRoom() {
        guard newer.bytes.count > fullBytes else { return }
        let old = newer.bytes
        newer.bytes = WireWriter()
        old.withBytes { bytes in
            for index in newer.entries.indices { Self.move(&newer.entries[index], from: bytes, to: &newer.bytes) }
        }
        fullBytes = max(Self.mostBytes, 2 * newer.bytes.count)
    }

    /// How many bytes are kept of the entities that were asked for last.
    var byteCount: Int { newer.bytes.count }

    // MARK: Entities

    /// Says that the entity of an event will be asked for in a moment, and the trip that it names.
    func prefetch(_ entry: DraftedEvents.Entry) {
        index.prefetch(index.hash(of: entry.entity))
        if let trip = entry.trip ?? nil { index.prefetch(index.hash(of: trip)) }
    }

    /// The number of an entity, by which it is asked for until the commit ends.
    ///
    /// Throws `OutOfReach`, or what keeps its record from being read.
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
            // It was written to, or another of the same hash.
            if slot.isTouched { throw OutOfReach() }
        }
        var entry = Entry(entity: entity, hash: hash)
        let isFound = try source.withRecord(of: entity) { found in
            entry.presence = EventRules.Presence(
                isCreated: try found.creationTimestamp() != nil, isDeleted: try found.isDeleted())
            if entity.kind.isItem { entry.trip = try Self.trip(found) }
            try merger.reset(to: found)
            record.removeAll(keepingCapacity: true)
            merger.encode(into: &record)
            return true
        }
        if isFound != nil { placeRecord(&entry) }
        return add(entry)
    }

    private static func trip(_ record: borrowing RecordView) throws(WireError) -> EntityReference? {
        var registers = record.registers
        while let register = try registers.next(), register.field <= EventRules.tripField {
            guard register.field == EventRules.tripField, register.key.isEmpty else { continue }
            return register.value.flatMap { EventRules.reference(toTrip: $0) }
        }
        return nil
    }

    private mutating func add(_ entry: Entry) -> Int {
        let number = newer.first + newer.entries.count
        newer.entries.append(entry)
        index.set(entry.hash, to: number)
        return number
    }

    /// Moves an entity to those that are kept longer.
    private mutating func keep(_ old: Entry) -> Int {
        var entry = old
        older.bytes.withBytes { Self.move(&entry, from: $0, to: &newer.bytes) }
        return add(entry)
    }

    /// Copies what is known of an entity to other memory.
    private static func move(_ entry: inout Entry, from bytes: UnsafeRawBufferPointer, to writer: inout WireWriter) {
        let start = writer.count
        writer.raw(bytes.part(entry.record))
        entry.record = start..<writer.count
        let places = places(from: entry.newest, bytes)
        entry.newest = nil
        for place in places.reversed() {
            let front = EventFront(bytes, at: place)
            let copy = EventFront(previous: entry.newest, count: front.count, timestamp: front.timestamp)
            entry.newest = writer.count
            withUnsafeBytes(of: copy) { writer.raw($0) }
            writer.raw(bytes.part(front.event(at: place)))
        }
    }

    /// Where events lie, the newest first.
    private static func places(from newest: Int?, _ bytes: UnsafeRawBufferPointer) -> [Int] {
        var places: [Int] = []
        var newest = newest
        while let place = newest {
            places.append(place)
            newest = EventFront(bytes, at: place).previous
        }
        return places
    }

    /// Merges all that is known of an entity of `newer` into one record, which stands for it from then on.
    private mutating func merge(_ entry: inout Entry) throws {
        record.removeAll(keepingCapacity: true)
        try newer.bytes.withBytes { bytes in
            // The merger points into these bytes, and is done with them in here.
            merger.reset()
            if !entry.record.isEmpty { try merger.reset(to: RecordView(bytes.part(entry.record))) }
            for (index, place) in Self.places(from: entry.newest, bytes).reversed().enumerated() {
                let front = EventFront(bytes, at: place)
                // The hash is not known yet; nobody asks for it.
                let stamp = Stamp(timestamp: front.timestamp, replica: replica, hash: .zero)
                try merger.apply(try front.view(bytes, at: place), index: index, stamp: stamp)
            }
            merger.encode(into: &record)
        }
        placeRecord(&entry)
    }

    /// Lets the record that was encoded last stand for all that is known of an entity.
    private mutating func placeRecord(_ entry: inout Entry) {
        let start = newer.bytes.count
        newer.bytes.raw(record)
        entry.record = start..<newer.bytes.count
        entry.newest = nil
        entry.eventCount = 0
    }

    // MARK: What is known of one

    /// Whether an entity came to be, and is there.
    func presence(of number: Int) -> EventRules.Presence { newer.entries[number - newer.first].presence }

    /// Whether anything is known of an entity.
    func isHeld(_ number: Int) -> Bool { !newer.entries[number - newer.first].isUnknown }

    /// The trip that an item belongs to; nil if it is in none.
    func trip(of number: Int) -> EntityReference? { newer.entries[number - newer.first].trip }

    /// The version in which the source has an entity; asked for before anything is added to it.
    func version(of number: Int) throws(WireError) -> EntityVersion {
        let entry = newer.entries[number - newer.first]
        guard !entry.record.isEmpty else { return .none }
        return try newer.bytes.withBytes { bytes in
            Result { () throws(WireError) in try RecordView(bytes.part(entry.record)).version }
        }.get()
    }

    /// Finds what is held in some fields. What is found can be asked for until `makeRoom` is called.
    ///
    /// O(events not merged yet, fields). Throws if what the source has cannot be read.
    func find(_ fields: inout [HeldField], of number: Int) throws(WireError) {
        let entry = newer.entries[number - newer.first]
        try newer.bytes.withBytes { bytes in
            Result { () throws(WireError) in
                var search = HeldFieldSearch(fields)
                var newest = entry.newest
                while search.isMissingSome, let place = newest {
                    let front = EventFront(bytes, at: place)
                    let written = Seen(timestamp: front.timestamp, replica: replica)
                    try search.look(at: front.view(bytes, at: place), written: written, in: bytes, &fields)
                    newest = front.previous
                }
                if search.isMissingSome, !entry.record.isEmpty {
                    try search.look(at: RecordView(bytes.part(entry.record)), in: bytes, &fields)
                }
            }
        }.get()
    }

    /// Runs `body` on a value that was found; nil if the field was never written, or cleared.
    func withValue<T>(of field: HeldField, _ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T? {
        guard let place = field.value else { return nil }
        return try newer.bytes.withBytes { try body($0.part(place)) }
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

    /// Takes in an event that is later than all before it, and says of an item to which trip it belongs if it says that.
    mutating func add(
        _ verb: Verb, _ event: UnsafeRawBufferPointer, trip: EntityReference??, at timestamp: Timestamp,
        to number: Int
    ) throws {
        let place = newer.bytes.count
        let index = number - newer.first
        withUnsafeBytes(
            of: EventFront(previous: newer.entries[index].newest, count: event.count, timestamp: timestamp)
        ) { newer.bytes.raw($0) }
        newer.bytes.raw(event)
        self.index.touch(newer.entries[index].hash)
        newer.entries[index].note(verb, trip, at: place)
        guard newer.entries[index].eventCount > Self.mostUnmerged else { return }
        var entry = newer.entries[index]
        try merge(&entry)
        newer.entries[index] = entry
    }
}
