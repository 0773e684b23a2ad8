public import Events
import Foundation
import LMDB
public import ProjectionEngine
public import Trips

/// What adds up under a trip: how many items it has of each kind, and what they cost in each currency.
///
/// Key: trip (16) ‖ 1 ‖ kind (2), its count being the number of items; or trip (16) ‖ 2 ‖ currency, its sum being minor
/// units.
public struct TripTotals: Projection {
    public let name = "trip-totals"
    public let version: UInt32 = 1
    public let source = RowSource.entities
    public var rowKind: RowKind { .accumulating }

    private static let count: UInt8 = 1
    private static let cost: UInt8 = 2
    /// Currencies have three letters; what a peer may have written instead is cut.
    private static let currencyLimit = 32

    public init() {}

    public func rows(of entity: EntityReference, _ record: RecordView, into sink: inout RowSink) throws(WireError) {
        guard entity.kind.isItem, try record.isPresent() else { return }
        let item = try ItemFiling(record)
        guard let trip = item.trip?.uuid else { return }
        sink.add { key in
            key.append(trip)
            key.append(Self.count)
            key.append(entity.kind.rawValue)
        }
        guard let cost = item.cost else { return }
        sink.add(amount: Int128(cost.minorUnits)) { key in
            key.append(trip)
            key.append(Self.cost)
            key.append(contentsOf: cost.currency.code.utf8.prefix(Self.currencyLimit))
        }
    }

    /// The totals of a trip, zero if it has no items. O(kinds and currencies of the trip).
    public static func totals(of trip: Trip.ID, in views: borrowing ViewSnapshot) throws -> Totals {
        var reader = try Reader(views)
        return try reader.totals(of: trip)
    }

    /// Reads the totals of one trip after another.
    ///
    /// It must not outlive the read that it belongs to.
    public struct Reader: ~Copyable {
        private var cursor: PrefixCursor

        public init(_ views: borrowing ViewSnapshot) throws { cursor = try views.prefixCursor(on: "trip-totals") }

        /// The totals of a trip, zero if it has no items. O(kinds and currencies of the trip).
        public mutating func totals(of trip: Trip.ID) throws -> Totals {
            var totals = Totals()
            try withUnsafeBytes(of: trip.uuid.uuid) { prefix in
                try cursor.forEachRow(withPrefix: prefix) { row in
                    guard row.key.count > 17, let sum = Accumulation(row.value) else { return }
                    if row.key[16] == TripTotals.count, row.key.count == 19 {
                        let kind = EntityKind(rawValue: row.key.bigEndian(UInt16.self, at: 17))
                        totals.set(Int(sum.count), of: kind)
                    } else if row.key[16] == TripTotals.cost {
                        let currency = Currency(unchecked: String(decoding: row.key.part(from: 17), as: UTF8.self))
                        totals.costs.append(CostSum(currency: currency, minorUnits: sum.amount))
                    }
                }
            }
            return totals
        }
    }
}
