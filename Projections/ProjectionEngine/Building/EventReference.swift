import Events
import Foundation

/// The location of an event in the log, and its entity: 32 bytes.
struct EventReference: BitwiseCopyable, Sendable {
    /// The id's bytes as two big-endian numbers, so that their order is the key order.
    let high: UInt64
    let low: UInt64
    /// Kind (16 bits), then the event's offset in its payload and its length (24 bits each: a commit has at most 16 MiB).
    private let kindAndRange: UInt64
    /// The index of its commit in the sources.
    let commit: UInt32
    /// The event's index; the topmost bit is set if it is plain.
    private let indexAndForm: UInt32

    init(_ event: borrowing EventView, index: Int, commit: Int, payload: UnsafeRawBufferPointer) {
        (high, low) = withUnsafeBytes(of: event.entity.id.uuid) {
            ($0.bigEndian(UInt64.self), $0.bigEndian(UInt64.self, at: 8))
        }
        let range = event.range(in: payload)
        kindAndRange =
            UInt64(event.entity.kind.rawValue) << 48 | UInt64(range.lowerBound) << 24 | UInt64(range.count)
        self.commit = UInt32(truncatingIfNeeded: commit)
        indexAndForm = UInt32(truncatingIfNeeded: index) & 0x7FFF_FFFF | (event.isPlain ? 1 << 31 : 0)
    }

    var index: UInt32 { indexAndForm & 0x7FFF_FFFF }
    var isPlain: Bool { indexAndForm >> 31 != 0 }

    var offset: Int { Int(kindAndRange >> 24 & 0xFF_FFFF) }
    var length: Int { Int(kindAndRange & 0xFF_FFFF) }
    var kind: EntityKind { EntityKind(rawValue: UInt16(truncatingIfNeeded: kindAndRange >> 48)) }

    var entity: EntityReference {
        let bytes = (high.bigEndian, low.bigEndian)
        return EntityReference(kind: kind, id: withUnsafeBytes(of: bytes) { $0.uuid() })
    }

    func isOfSameEntity(as other: EventReference) -> Bool {
        high == other.high && low == other.low && kind == other.kind
    }

    /// By entity, then in the order of arrival.
    @inline(__always)
    static func precedes(_ a: EventReference, _ b: EventReference) -> Bool {
        if a.high != b.high { return a.high < b.high }
        if a.low != b.low { return a.low < b.low }
        let (first, second) = (a.kindAndRange >> 48, b.kindAndRange >> 48)
        if first != second { return first < second }
        if a.commit != b.commit { return a.commit < b.commit }
        return a.index < b.index
    }
}
