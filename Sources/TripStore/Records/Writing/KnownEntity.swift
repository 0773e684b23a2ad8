import Events

/// An entity in the memory of a planner: the range of its record in the memory's bytes, and the offset of its newest event.
struct KnownEntity {
    let entity: EntityReference
    let hash: UInt64
    var presence = EventRules.Presence()
    /// The range of the record before all events; empty if there is none.
    var record = 0..<0
    /// The offset of the newest event; nil if there is none.
    var newest: Int?
    var eventCount = 0
    /// That of an entity that may have one.
    var parent: EntityReference?

    var isUnknown: Bool { newest == nil && record.isEmpty }

    /// Records an event at an offset.
    mutating func note(_ verb: Verb, _ parent: EntityReference??, at offset: Int) {
        newest = offset
        eventCount += 1
        if let parent { self.parent = parent }
        switch verb {
        case .created: presence.isCreated = true
        case .deleted: presence.isDeleted = true
        case .restored: presence.isDeleted = false
        default: break
        }
    }

    /// Whether its events should be merged into its record, for reading them one by one takes longer.
    ///
    /// A merge copies the whole record: the larger that is, the more events there may be, so that neither the merges nor the reading
    /// of many events takes a time that is quadratic in them.
    var isWorthMerging: Bool { eventCount > Self.mostUnmerged && eventCount * eventCount * 16 > record.count }

    /// The maximum number of separate events beside a small record.
    private static let mostUnmerged = 8

    /// The offsets of the events, the newest first.
    func eventOffsets(in bytes: UnsafeRawBufferPointer) -> [Int] {
        var offsets: [Int] = []
        var next = newest
        while let offset = next {
            offsets.append(offset)
            next = EventFront(bytes, at: offset).previous
        }
        return offsets
    }

    /// Copies record and events to other memory.
    mutating func move(from bytes: UnsafeRawBufferPointer, to writer: inout WireWriter) {
        let start = writer.count
        writer.raw(bytes.part(record))
        record = start..<writer.count
        let offsets = eventOffsets(in: bytes)
        newest = nil
        for offset in offsets.reversed() {
            let front = EventFront(bytes, at: offset)
            let copy = EventFront(previous: newest, count: front.count, timestamp: front.timestamp)
            newest = writer.count
            withUnsafeBytes(of: copy) { writer.raw($0) }
            writer.raw(bytes.part(front.event(at: offset)))
        }
    }
}

/// The bytes before an event in the memory of a planner, with the offset of the previous event.
struct EventFront: BitwiseCopyable {
    private let previousOffset: Int
    let count: Int
    private let time: UInt64

    init(previous: Int?, count: Int, timestamp: Timestamp) {
        previousOffset = previous ?? -1
        self.count = count
        time = timestamp.rawValue
    }

    init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        self = bytes.loadUnaligned(fromByteOffset: offset, as: EventFront.self)
    }

    /// The offset of the previous event.
    var previous: Int? { previousOffset < 0 ? nil : previousOffset }
    var timestamp: Timestamp { Timestamp(rawValue: time) }

    /// The range of the event whose front is at an offset.
    func event(at offset: Int) -> Range<Int> {
        let start = offset + MemoryLayout<EventFront>.size
        return start..<start + count
    }

    /// The event. Only its changes may be read: other parts of a deletion are skipped.
    func view(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(WireError) -> EventView {
        try EventView(plain: bytes.part(event(at: offset)))
    }
}
