package import Events

/// The fields of an item that decide its position in views, read without the rest: for views, which read every item.
///
/// Each value is what the item itself would have. It is decoded from the record's bytes on access, and valid as long as
/// they are.
package struct ItemFiling {
    private var tripValue: UnsafeRawBufferPointer?
    private var startValue: UnsafeRawBufferPointer?
    private var endValue: UnsafeRawBufferPointer?
    private var startDayValue: UnsafeRawBufferPointer?
    private var endDayValue: UnsafeRawBufferPointer?
    private var costValue: UnsafeRawBufferPointer?
    private var paidAmountValue: UnsafeRawBufferPointer?
    private var paidValue: UnsafeRawBufferPointer?
    private var stageValue: UnsafeRawBufferPointer?
    private var checkInValue: UnsafeRawBufferPointer?
    private var checkOutValue: UnsafeRawBufferPointer?

    /// Throws `WireError` if the record cannot be read up to there.
    package init(_ record: borrowing RecordView) throws(WireError) {
        let numbers = ItemNumbers.all
        var registers = record.registers
        // In field order: later fields decide nothing.
        while let register = try registers.next(), register.field <= numbers.last {
            guard register.key.isEmpty else { continue }
            switch register.field {
            case numbers.trip: tripValue = register.value
            case numbers.start: startValue = register.value
            case numbers.end: endValue = register.value
            case numbers.cost: costValue = register.value
            case numbers.paid: paidValue = register.value
            case numbers.stage: stageValue = register.value
            case numbers.startDay: startDayValue = register.value
            case numbers.endDay: endDayValue = register.value
            case numbers.paidAmount: paidAmountValue = register.value
            case numbers.checkIn: checkInValue = register.value
            case numbers.checkOut: checkOutValue = register.value
            default: break
            }
        }
    }

    /// The bytes of the trip's id; nil if there is none. Valid as long as the record is.
    package var tripBytes: UnsafeRawBufferPointer? {
        tripValue.flatMap { EntityReference.idBytes(in: $0, of: .trip) }
    }

    /// When it starts, as `TripItem.filedStart` has it.
    package var start: Int64? {
        Self.start(Moment.milliseconds(startValue), startDayValue == nil ? nil : Day.decoded(startDayValue))
    }

    /// Of an item with a time, or a first day, or both, milliseconds since 1970. One without a time counts as starting with its first day in
    /// UTC: so its place depends on no zone, that of a device least of all.
    fileprivate static func start(_ milliseconds: Int64?, _ day: @autoclosure () -> Day?) -> Int64? {
        milliseconds ?? day().map { Int64($0.daysSince1970) * 86_400_000 }
    }

    /// The days in UTC from the first instant to the last, those of the check-in and the check-out where a stay has no other; whole days as
    /// they are. Nil for an item without any time or day, and for most items: those with a start that end by the day after it in UTC are found by
    /// their start alone.
    package var spanBeyondStart: ClosedRange<Day>? {
        let start = Moment.milliseconds(startValue).map(Day.init(inUTC:))
        // Fast path: most items have a start and an end that are near each other.
        let end =
            Moment.milliseconds(endValue).map(Day.init(inUTC:)) ?? Day.decoded(endDayValue)
            ?? Moment.milliseconds(checkOutValue).map(Day.init(inUTC:))
        if let start { return end.flatMap { $0 > start.advanced(by: 1) ? start...$0 : nil } }
        let first = Day.decoded(startDayValue) ?? Moment.milliseconds(checkInValue).map(Day.init(inUTC:))
        guard let one = first ?? end else { return nil }
        return one...max(one, end ?? one)
    }

    /// The value that sums count.
    private var countedValue: UnsafeRawBufferPointer? {
        // Most have the default.
        guard stageValue != nil, let stage = PlanningStage.decoded(stageValue) else { return costValue }
        switch CountedCost(of: stage, PaidStatus.decoded(paidValue) ?? .none) {
        case .cost: return costValue
        case .paidAmount: return paidAmountValue
        }
    }

    package var countedCost: Money? { Money.decoded(countedValue) }

    /// What sums count, in minor units, and the currency code as plain bytes; nil if it has no cost, or if these bytes do
    /// not say everything: then use `countedCost`.
    package var plainCountedCost: (minorUnits: Int64, currency: UnsafeRawBufferPointer)? {
        guard let costValue = countedValue, !costValue.isEmpty else { return nil }
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

extension TripItem {
    /// When it starts for its place among the items of its trip: milliseconds since 1970; nil without a time and a first day.
    package var filedStart: Int64? { ItemFiling.start(start?.milliseconds, startDay) }
}

/// The fields of a trip that decide its position in views, likewise.
package struct TripFiling {
    package private(set) var startDay: Day?
    package private(set) var endDay: Day?
    package private(set) var isTemplate = false

    /// Throws `WireError` if the record cannot be read up to there.
    package init(_ record: borrowing RecordView) throws(WireError) {
        var registers = record.registers
        while let register = try registers.next(), register.field <= Number.isTemplate {
            guard register.key.isEmpty else { continue }
            switch register.field {
            case Number.startDay: startDay = Day.decoded(register.value)
            case Number.endDay: endDay = Day.decoded(register.value)
            case Number.isTemplate: isTemplate = Bool.decoded(register.value) ?? false
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

/// The numbers of these fields, of all kinds of items. In one constant: each would be looked at for whether it is there yet.
private struct ItemNumbers: Sendable {
    static let all = ItemNumbers()

    let trip = FieldPath.parent.field
    let start = Activity.schema.number(of: \.start) ?? 0
    let end = Activity.schema.number(of: \.end) ?? 0
    let cost = Activity.schema.number(of: \.cost) ?? 0
    let paid = Activity.schema.number(of: \.paid) ?? 0
    let stage = Activity.schema.number(of: \.stage) ?? 0
    let startDay = Activity.schema.number(of: \.startDay) ?? 0
    let endDay = Activity.schema.number(of: \.endDay) ?? 0
    let paidAmount = Activity.schema.number(of: \.paidAmount) ?? 0
    let checkIn = Lodging.schema.number(of: \.checkIn) ?? 0
    let checkOut = Lodging.schema.number(of: \.checkOut) ?? 0

    /// The greatest of them.
    var last: UInt64 { checkOut }
}

/// The numbers of these fields of trips.
private enum Number {
    static let startDay = Trip.schema.number(of: \.startDay) ?? 0
    static let endDay = Trip.schema.number(of: \.endDay) ?? 0
    static let isTemplate = StoreField.isTemplate.number
}

extension Day {
    /// The day of an instant in UTC, clamped to the years 1 to 9999.
    fileprivate init(inUTC milliseconds: Int64) {
        self = Day.first.advanced(
            by: Int(milliseconds.flooredDivision(by: 86_400_000).quotient) - Day.first.daysSince1970)
    }
}
