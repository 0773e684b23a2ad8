package import Events

/// The fields of an item that decide its position in views, read without the rest: for views, which read every item.
///
/// Each value is what the item itself would have. It is decoded from the record's bytes on access, and valid as long as
/// they are.
package struct ItemFiling {
    private var tripValue: UnsafeRawBufferPointer?
    private var startValue: UnsafeRawBufferPointer?
    private var costValue: UnsafeRawBufferPointer?

    /// Throws `WireError` if the record cannot be read up to there.
    package init(_ record: borrowing RecordView) throws(WireError) {
        var registers = record.registers
        // In field order: later fields decide nothing.
        while let register = try registers.next(), register.field <= Number.cost {
            guard register.key.isEmpty else { continue }
            switch register.field {
            case Number.trip: tripValue = register.value
            case Number.start: startValue = register.value
            case Number.cost: costValue = register.value
            default: break
            }
        }
    }

    /// The bytes of the trip's id; nil if there is none. Valid as long as the record is.
    package var tripBytes: UnsafeRawBufferPointer? {
        tripValue.flatMap { EntityReference.idBytes(in: $0, of: .trip) }
    }

    /// When it starts, milliseconds since 1970.
    package var start: Int64? { Moment.milliseconds(startValue) }

    package var cost: Money? { Money.decoded(costValue) }

    /// What it costs, in minor units, and the currency code as plain bytes; nil if it has no cost, or if these bytes do
    /// not say everything: then use `cost`.
    package var plainCost: (minorUnits: Int64, currency: UnsafeRawBufferPointer)? {
        guard let costValue, !costValue.isEmpty else { return nil }
        var cost: (minorUnits: Int64, currency: UnsafeRawBufferPointer) = (0, .init(start: nil, count: 0))
        var reader = WireReader(costValue)
        do throws(WireError) {
            while let field = try reader.next() {
                switch field.number {
                case 1: cost.minorUnits = try reader.signed(field)
                case 2: cost.currency = try reader.bytes(field)
                default: try reader.skip(field)
                }
            }
        } catch { return nil }
        // Other text may have to be repaired.
        return cost.currency.isASCII ? cost : nil
    }
}

/// The fields of a trip that decide its position in views, likewise.
package struct TripFiling {
    package private(set) var startDay: Day?
    package private(set) var endDay: Day?

    /// Throws `WireError` if the record cannot be read up to there.
    package init(_ record: borrowing RecordView) throws(WireError) {
        var registers = record.registers
        while let register = try registers.next(), register.field <= Number.endDay {
            guard register.key.isEmpty else { continue }
            switch register.field {
            case Number.startDay: startDay = Day.decoded(register.value)
            case Number.endDay: endDay = Day.decoded(register.value)
            default: break
            }
        }
    }
}

extension Moment {
    /// The instant of a value, without its zone; nil if the whole value cannot be read.
    fileprivate static func milliseconds(_ bytes: UnsafeRawBufferPointer?) -> Int64? {
        guard let bytes, !bytes.isEmpty else { return nil }
        if let plain = plainMilliseconds(bytes) { return plain }
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

    /// The instant of a value in the common encoding: instant, zone with a name of up to 127 bytes, and nothing else.
    /// Nil for others.
    @inline(__always)
    private static func plainMilliseconds(_ bytes: UnsafeRawBufferPointer) -> Int64? {
        guard bytes.count > 3, bytes[0] == 0x08 else { return nil }
        var reader = WireReader(bytes.part(from: 1))
        guard let number = try? reader.rawVarint(), reader.remaining >= 2 else { return nil }
        let zone = 1 + reader.offset
        guard bytes[zone] == 0x12, bytes[zone + 1] < 0x80, zone + 2 + Int(bytes[zone + 1]) == bytes.count else {
            return nil
        }
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }
}

/// The numbers of these fields.
private enum Number {
    static let trip = FieldPath.parent.field
    static let start = Activity.schema.number(of: \.start) ?? 0
    static let cost = Activity.schema.number(of: \.cost) ?? 0
    static let startDay = Trip.schema.number(of: \.startDay) ?? 0
    static let endDay = Trip.schema.number(of: \.endDay) ?? 0
}
