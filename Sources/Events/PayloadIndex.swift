package import Foundation

/// The offsets of a payload's events, and the replicas that it lists: for reading single events of a large payload
/// without scanning all of it each time, and without an offset for each event.
package struct PayloadIndex: Sendable {
    /// Events between two marks, which are scanned.
    private static let stride = 32

    /// The start of one of a payload's parts.
    private struct Mark {
        let number: UInt32
        let offset: UInt32
    }

    package private(set) var author = ""
    package private(set) var causation: UUID?
    package private(set) var correlation: UUID?
    /// Whether the payload says what the author held.
    package private(set) var saysHeld = false
    private var events: [Mark] = []
    private var replicas: [Mark] = []

    /// Memory, in marks.
    package var cost: Int { events.count + replicas.count }

    /// O(fields of the payload); events are not validated. Throws `WireError` if the rest cannot be read.
    package init(_ payload: PayloadView) throws(WireError) {
        var indexes = EventIndexes(without: payload.erased)
        var replicaCount = 0
        var eventCount = 0
        var times: [Timestamp] = []
        var reader = WireReader(payload.bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: author = try reader.string(field)
            case 2: causation = try reader.uuid(field)
            case 3: correlation = try reader.uuid(field)
            case 6 where eventCount == 0:
                if replicaCount % Self.stride == 0 { replicas.append(Self.mark(replicaCount, at: field.start)) }
                replicaCount += 1
                _ = try reader.bytes(field, count: 16)
            case 12 where eventCount == 0: times = try PayloadView.times(try reader.bytes(field))
            case Payload.eventField:
                let index = indexes.next()
                // Between two remaining events any number may be erased.
                if payload.erased != nil || eventCount % Self.stride == 0 {
                    events.append(Self.mark(index, at: field.start))
                }
                eventCount += 1
                try reader.skip(field)
            default: try reader.skip(field)
            }
        }
        saysHeld = times.prefix(replicaCount).contains { $0 != .zero }
    }

    private static func mark(_ number: Int, at offset: Int) -> Mark {
        Mark(number: UInt32(truncatingIfNeeded: number), offset: UInt32(truncatingIfNeeded: offset))
    }

    /// A copy of an event of this index's payload; nil if there are fewer, or it was erased.
    package func event(at number: Int, of payload: PayloadView) throws(WireError) -> Event? {
        guard let mark = Self.last(of: events, upTo: number) else { return nil }
        guard payload.erased == nil || mark.number == number else { return nil }
        guard
            let bytes = try Self.part(number - Int(mark.number), of: Payload.eventField, from: mark.offset, payload)
        else { return nil }
        var found: [UInt32: ReplicaID] = [:]
        return try EventView(bytes).copy { (reference) throws(WireError) in
            guard let reference else { return nil }
            if found[reference.replica] == nil {
                found[reference.replica] = try replica(at: Int(reference.replica), of: payload)
            }
            return found[reference.replica].map { Seen(timestamp: reference.timestamp, replica: $0) }
        }
    }

    private func replica(at number: Int, of payload: PayloadView) throws(WireError) -> ReplicaID? {
        guard let mark = Self.last(of: replicas, upTo: number) else { return nil }
        let bytes = try Self.part(number - Int(mark.number), of: 6, from: mark.offset, payload)
        return bytes.flatMap { ReplicaID($0) }
    }

    /// The last mark up to a number.
    private static func last(of marks: [Mark], upTo number: Int) -> Mark? {
        var (low, high) = (0, marks.count)
        while low < high {
            let middle = (low + high) / 2
            if marks[middle].number <= number { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : marks[low - 1]
    }

    /// The bytes of the nth field with a number; nil if events begin before it, or there are fewer.
    private static func part(
        _ count: Int, of number: UInt32, from offset: UInt32, _ payload: PayloadView
    ) throws(WireError) -> UnsafeRawBufferPointer? {
        var reader = WireReader(payload.bytes, from: Int(offset))
        var left = count
        while let field = try reader.next() {
            if field.number == number {
                if left == 0 { return try reader.bytes(field) }
                left -= 1
            } else if field.number == Payload.eventField {
                return nil
            }
            try reader.skip(field)
        }
        return nil
    }
}
