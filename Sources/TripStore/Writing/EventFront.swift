import Events

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
