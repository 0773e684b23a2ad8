import Events

/// What goes before the bytes of an event in the memory of a planner, and tells where the event before lies.
struct EventFront: BitwiseCopyable {
    private let previousPlace: Int
    let count: Int
    private let time: UInt64

    init(previous: Int?, count: Int, timestamp: Timestamp) {
        previousPlace = previous ?? -1
        self.count = count
        time = timestamp.rawValue
    }

    init(_ bytes: UnsafeRawBufferPointer, at place: Int) {
        self = bytes.loadUnaligned(fromByteOffset: place, as: EventFront.self)
    }

    /// Where the event before lies.
    var previous: Int? { previousPlace < 0 ? nil : previousPlace }
    var timestamp: Timestamp { Timestamp(rawValue: time) }

    /// Where the event lies whose front lies at a place.
    func event(at place: Int) -> Range<Int> {
        let start = place + MemoryLayout<EventFront>.size
        return start..<start + count
    }

    /// The event. Only its changes may be asked for: what else a deletion says is passed over.
    func view(_ bytes: UnsafeRawBufferPointer, at place: Int) throws(WireError) -> EventView {
        try EventView(plain: bytes.part(event(at: place)))
    }
}
