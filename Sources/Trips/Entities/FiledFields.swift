package import Events

/// What of an item decides where it is filed, read without the rest: for views, which look at every item.
///
/// Each value is what the item itself would have.
package struct ItemFiling {
    package private(set) var trip: Trip.ID?
    /// When it starts, milliseconds since 1970.
    package private(set) var start: Int64?
    package private(set) var cost: Money?

    /// Throws `WireError` if the record cannot be read up to there.
    package init(_ record: RecordView) throws(WireError) {
        var registers = record.registers
        // In the order of their fields: what follows decides nothing.
        while let register = try registers.next(), register.field <= ItemField.cost.rawValue {
            guard register.key.isEmpty else { continue }
            switch register.field {
            case ItemField.trip.rawValue: trip = Trip.ID.decoded(register.value)
            case ItemField.start.rawValue: start = Moment.milliseconds(register.value)
            case ItemField.cost.rawValue: cost = Money.decoded(register.value)
            default: break
            }
        }
    }
}

/// What of a trip decides where it is filed, likewise.
package struct TripFiling {
    package private(set) var startDay: Day?
    package private(set) var endDay: Day?

    /// Throws `WireError` if the record cannot be read up to there.
    package init(_ record: RecordView) throws(WireError) {
        var registers = record.registers
        while let register = try registers.next(), register.field <= Trip.Field.endDay.rawValue {
            guard register.key.isEmpty else { continue }
            switch register.field {
            case Trip.Field.startDay.rawValue: startDay = Day.decoded(register.value)
            case Trip.Field.endDay.rawValue: endDay = Day.decoded(register.value)
            default: break
            }
        }
    }
}

extension Moment {
    /// The instant of a value, its zone passed over; nil where the whole value cannot be read.
    fileprivate static func milliseconds(_ bytes: UnsafeRawBufferPointer?) -> Int64? {
        guard let bytes, !bytes.isEmpty else { return nil }
        var milliseconds: Int64 = 0
        var reader = WireReader(bytes)
        do {
            while let field = try reader.next() {
                switch field.number {
                case 1: milliseconds = try reader.signed(field)
                case 2: _ = try reader.bytes(field)
                default: try reader.skip(field)
                }
            }
        } catch { return nil }
        return milliseconds
    }
}
