public import Events
import Foundation
public import ProjectionEngine
import Trips

/// Trips by their first day; those without dates apart, by when they were created.
///
/// Key: 1 ‖ first day (4) ‖ id (16), or 2 ‖ creation (8) ‖ id (16). No value.
public struct TripsByStart: Projection {
    public let name = "trips-by-start"
    public let version: UInt32 = 1
    public let source = RowSource.entities

    static let dated: UInt8 = 1
    static let undated: UInt8 = 2

    public init() {}

    public func rows(of entity: EntityReference, _ record: RecordView, into sink: inout RowSink) throws(WireError) {
        guard let id = Trip.ID(entity), try record.isPresent() else { return }
        if let span = try TripFiling(record).span {
            sink.put { key in
                key.append(Self.dated)
                key.append(KeyPart.ordered(span.lowerBound))
                key.append(id.uuid)
            }
        } else {
            let creation = try record.creationTimestamp() ?? .zero
            sink.put { key in
                key.append(Self.undated)
                key.append(creation.rawValue)
                key.append(id.uuid)
            }
        }
    }
}
