public import Events
import Platform
public import ProjectionEngine
import Trips

/// Trips by their first day; those without dates apart, by creation time. Templates are not among them.
///
/// Key: 1 ‖ first day (4) ‖ id (16), or 2 ‖ creation (8) ‖ id (16); value: the trip, as `Trip.filed` writes it, so that
/// a page is decoded in place: looking up each of its trips would take longer than all else.
public struct TripsByStart: Projection {
    public let name = "trips-by-start"
    public let version: UInt32 = 8
    public let source = RowSource.entities

    static let dated: UInt8 = 1
    static let undated: UInt8 = 2

    public init() {}

    /// The trip of a row.
    static func trip(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Trip {
        value.prefetch()
        guard key.count > 16 else { throw ProjectionError.damaged("a trip") }
        do { return try Trip(id: Trip.ID(key.uuid(at: key.count - 16)), filed: value) } catch {
            throw ProjectionError.damaged("a trip", error)
        }
    }

    public func rows(of entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink)
        throws(WireError)
    {
        guard let id = Trip.ID(entity), try record.isPresent() else { return }
        let slice = try TripSlice(record)
        if slice.isTemplate { return }
        let trip = try Trip.filed(record)
        if let days = slice.days {
            sink.put(
                key: { key in
                    key.append(Self.dated)
                    key.append(KeyPart.ordered(days.lowerBound))
                    key.append(id.uuid)
                }, value: { value in trip.withUnsafeBytes { value.append(contentsOf: $0) } })
        } else {
            let creation = try record.creationTimestamp() ?? .zero
            sink.put(
                key: { key in
                    key.append(Self.undated)
                    key.append(creation.rawValue)
                    key.append(id.uuid)
                }, value: { value in trip.withUnsafeBytes { value.append(contentsOf: $0) } })
        }
    }
}
