public import Events
public import ProjectionEngine
import Trips

/// Trips by the order of magnitude of their length, so that those which overlap some days are found without visiting
/// every trip that started before.
///
/// A trip of n days lies on level ⌊log₂ n⌋. On a level, whatever overlaps a day starts at most 2^(level+1) - 2 days
/// before it. Key: level (1) ‖ first day (4) ‖ id (16); value: last day (4).
public struct TripsBySpan: Projection {
    public let name = "trips-by-span"
    public let version: UInt32 = 2
    public let source = RowSource.entities

    /// The calendar of 9,999 years has under 2^22 days.
    static let levels = 0..<22

    public init() {}

    static func level(_ span: ClosedRange<Day>) -> Int {
        let days = span.upperBound.daysSince1970 - span.lowerBound.daysSince1970 + 1
        return Int.bitWidth - 1 - days.leadingZeroBitCount
    }

    /// The first day of what is on a level and may still be there on a day.
    static func earliest(_ level: Int, reaching day: Day) -> Day { day.advanced(by: -(2 << level) + 2) }

    public func rows(of entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink)
        throws(WireError)
    {
        guard let id = Trip.ID(entity), try record.isPresent() else { return }
        let trip = try TripSlice(record)
        guard let span = trip.days, !trip.isTemplate else { return }
        sink.put(
            key: { key in
                key.append(UInt8(Self.level(span)))
                key.append(KeyPart.ordered(span.lowerBound))
                key.append(id.uuid)
            }, value: { $0.append(KeyPart.ordered(span.upperBound)) })
    }
}
