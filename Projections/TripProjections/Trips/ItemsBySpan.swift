public import Events
public import ProjectionEngine
public import Trips

/// The items that are on a day and cannot be found by their start: those that end later than on the day after it, and those without a
/// start, by the order of magnitude of their length, as `TripsBySpan` has trips. Stays have the days of their check-in and check-out where they have no
/// others.
///
/// Most items have no row: an index has their starts. Key: level (1) ‖ first day in UTC (4) ‖ kind (2) ‖ id (16); value: last day in UTC (4).
/// Which days an item is on where it takes place is decided when it is read.
public struct ItemsBySpan: Projection {
    public let name = "items-by-span"
    public let version: UInt32 = 2
    public let source = RowSource.entities

    public init() {}

    public func rows(of entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink)
        throws(WireError)
    {
        guard entity.kind.parents == .one(.trip), try record.isPresent() else { return }
        guard let span = try Self.span(record) else { return }
        sink.put(
            key: { key in
                key.append(UInt8(TripsBySpan.level(span)))
                key.append(KeyPart.ordered(span.lowerBound))
                key.append(entity.kind.rawValue)
                key.append(entity.id)
            }, value: { $0.append(KeyPart.ordered(span.upperBound)) })
    }

    /// Most edits are of something else than the ends of an item.
    public func haveSameRows(
        _ before: borrowing RecordView, _ after: borrowing RecordView, of entity: EntityReference
    ) throws(WireError) -> Bool {
        guard entity.kind.parents == .one(.trip) else { return true }
        guard try before.isPresent() == after.isPresent() else { return false }
        return try Self.span(before) == Self.span(after)
    }

    private static func span(_ record: borrowing RecordView) throws(WireError) -> ClosedRange<Day>? {
        var span: ClosedRange<Day>?
        try ItemSlice.read(record) { span = $0.spanBeyondStart }
        return span
    }

    /// The items of this view that have a day in UTC in a range, in no particular order, including those of deleted
    /// trips. O(log n + results), plus the items that start near the range and end before it.
    public static func items(
        overlapping days: ClosedRange<Day>, in views: borrowing ViewSnapshot
    ) throws -> [EntityReference] {
        var found: [EntityReference] = []
        for level in TripsBySpan.levels {
            let bounds = KeyBounds(
                prefix: [UInt8(level)], lower: KeyPart.day(TripsBySpan.earliest(level, reaching: days.lowerBound)),
                upper: KeyPart.day(days.upperBound.nextBound))
            let scan = try views.scan("items-by-span", bounds)
            while let row = try scan.next() {
                guard row.key.count == 23, let last = KeyPart.day(row.value, at: 0), last >= days.lowerBound else {
                    continue
                }
                let kind = EntityKind(rawValue: row.key.bigEndian(UInt16.self, at: 5))
                found.append(EntityReference(kind: kind, id: row.key.uuid(at: 7)))
            }
        }
        return found
    }
}
