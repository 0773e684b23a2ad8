public import Events
import Foundation
public import ProjectionEngine
public import Trips

/// The sums under a trip: its items of each kind, and what of their cost counts in each currency.
///
/// Key: trip (16). Parts: 1 ‖ kind (2), its count being the number of items; and 2 ‖ currency, its sum being minor
/// units.
public struct TripTotals: Projection {
    public let name = "trip-totals"
    public let version: UInt32 = 4
    public let source = RowSource.entities
    public var rowKind: RowKind { .accumulating }

    private static let count: UInt8 = 1
    private static let cost: UInt8 = 2
    /// Currencies have three letters; a peer's longer value is cut.
    private static let currencyLimit = 32

    public init() {}

    public func rows(of entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink)
        throws(WireError)
    {
        guard entity.kind.parents == .one(.trip), try record.isPresent() else { return }
        try ItemSlice.read(record) { item in
            guard let trip = item.tripBytes else { return }
            sink.add(
                key: { $0.append(contentsOf: trip) },
                part: { part in
                    part.append(Self.count)
                    part.append(entity.kind.rawValue)
                })
            if let (amount, currency) = item.plainCountedCost {
                add(amount, UnsafeRawBufferPointer(rebasing: currency.prefix(Self.currencyLimit)), to: trip, &sink)
            } else if let cost = item.countedCost {
                let currency = Array(cost.currency.code.utf8.prefix(Self.currencyLimit))
                currency.withUnsafeBytes { add(cost.minorUnits, $0, to: trip, &sink) }
            }
        }
    }

    private func add(
        _ amount: Int64, _ currency: UnsafeRawBufferPointer, to trip: UnsafeRawBufferPointer, _ sink: inout RowSink
    ) {
        sink.add(
            amount: Int128(amount), key: { $0.append(contentsOf: trip) },
            part: { part in
                part.append(Self.cost)
                part.append(contentsOf: currency)
            })
    }

    /// The totals of a trip, zero if it has no items. O(kinds and currencies of the trip).
    public static func totals(of trip: Trip.ID, in views: borrowing ViewSnapshot) throws -> Totals {
        let reader = try Reader(views)
        return try reader.totals(of: trip)
    }

    /// Reads the totals of several trips.
    ///
    /// It must not outlive the read that it belongs to.
    package struct Reader: ~Copyable {
        private let rows: KeyLookup

        package init(_ views: borrowing ViewSnapshot) throws { rows = try views.lookup(in: "trip-totals") }

        /// The totals of a trip, zero if it has no items. O(log n + kinds and currencies of the trip).
        package func totals(of trip: Trip.ID) throws -> Totals {
            var totals = Totals()
            guard let value = try withUnsafeBytes(of: trip.uuid.uuid, { try rows.value(of: $0) }) else { return totals }
            var parts = AccumulatedParts(value)
            while let (part, sum) = try parts.next() {
                guard part.count > 1 else { continue }
                if part[0] == TripTotals.count, part.count == 3 {
                    let kind = EntityKind(rawValue: part.bigEndian(UInt16.self, at: 1))
                    totals.set(Int(sum.count), of: kind)
                } else if part[0] == TripTotals.cost {
                    let currency = Currency(unchecked: String(decoding: part.part(from: 1), as: UTF8.self))
                    totals.add(CostSum(currency: currency, minorUnits: sum.amount))
                }
            }
            return totals
        }
    }
}
