import Events
import Foundation

/// By what the entities of a query are grouped: a property, or the currency or the calendar period of one.
public struct GroupKey<Entity: TripEntity>: Hashable, Sendable {
    /// The same without the type of the entity.
    package let key: RecordGroupKey

    private init(_ property: PartialKeyPath<Entity>, _ part: RecordGroupKey.Part) {
        self.init(QueryFields.field(property), part)
    }

    init(_ field: QueriedField, _ part: RecordGroupKey.Part) {
        key = RecordGroupKey(field: field, part: part)
    }

    /// By the value of a property.
    public static func value(_ property: PartialKeyPath<Entity>) -> GroupKey { GroupKey(property, .value) }

    /// By the value of an app's own field.
    public static func value<Value>(_ field: OwnField<Entity, Value>) -> GroupKey {
        GroupKey(.field(field.number), .value)
    }

    /// By the calendar day of a moment, there where it counts.
    public static func day(of property: KeyPath<Entity, Moment?>) -> GroupKey { GroupKey(property, .day) }
    public static func day(of property: KeyPath<Entity, Moment>) -> GroupKey { GroupKey(property, .day) }
    public static func day(of field: OwnField<Entity, Moment>) -> GroupKey { GroupKey(.field(field.number), .day) }

    /// By the month of a day, or of a moment there where it counts.
    public static func month<Value: CalendarValue>(of property: KeyPath<Entity, Value?>) -> GroupKey {
        GroupKey(property, .month)
    }
    public static func month<Value: CalendarValue>(of property: KeyPath<Entity, Value>) -> GroupKey {
        GroupKey(property, .month)
    }
    public static func month<Value: CalendarValue>(of field: OwnField<Entity, Value>) -> GroupKey {
        GroupKey(.field(field.number), .month)
    }

    /// By the year likewise.
    public static func year<Value: CalendarValue>(of property: KeyPath<Entity, Value?>) -> GroupKey {
        GroupKey(property, .year)
    }
    public static func year<Value: CalendarValue>(of property: KeyPath<Entity, Value>) -> GroupKey {
        GroupKey(property, .year)
    }
    public static func year<Value: CalendarValue>(of field: OwnField<Entity, Value>) -> GroupKey {
        GroupKey(.field(field.number), .year)
    }

    /// By the currency of an amount.
    public static func currency(of property: KeyPath<Entity, Money?>) -> GroupKey { GroupKey(property, .currency) }
    public static func currency(of property: KeyPath<Entity, Money>) -> GroupKey { GroupKey(property, .currency) }
    public static func currency(of field: OwnField<Entity, Money>) -> GroupKey {
        GroupKey(.field(field.number), .currency)
    }
}

/// What lies in a month and a year of the calendar: `Day` and `Moment`. Other types that conform to it are in no group of either.
public protocol CalendarValue: OwnFieldValue {}

extension Day: CalendarValue {}
extension Moment: CalendarValue {}

/// By what records are grouped: a field, or a part of its value.
package struct RecordGroupKey: Hashable, Sendable {
    enum Part: String, Hashable, Sendable {
        case value, day, month, year, currency
    }

    let field: QueriedField
    let part: Part
}

/// A value that is summed, without its text.
package struct MeasuredValue {
    fileprivate let ordered: OrderedValue

    package var integer: Int64? { if case .integer(let number) = ordered { number } else { nil } }

    package var amount: (minorUnits: Int64, currency: String)? {
        if case .money(let minorUnits, let currency) = ordered { (minorUnits, currency) } else { nil }
    }

    package func isEqual(to other: GroupValue) -> Bool { other.ordered == ordered }
    /// Whether it is the least so far; so is the first.
    package func isBelow(_ least: GroupValue?) -> Bool {
        guard let least = least?.ordered else { return true }
        return ordered.sorted(before: least) < 0
    }

    /// Whether it is the greatest so far.
    package func isAbove(_ greatest: GroupValue?) -> Bool {
        guard let greatest = greatest?.ordered else { return true }
        return ordered.sorted(before: greatest) > 0
    }
}

/// What decides to which group an entity belongs: of each key the value alone, without its text.
package struct GroupIdentity: Hashable, Sendable {
    private let values: [OrderedValue?]

    fileprivate init(_ values: [OrderedValue?]) { self.values = values }
}

extension RecordQuery {
    /// What is measured of an entity that was not decoded; nil if it is cleared.
    package func measured(_ key: RecordGroupKey, _ values: Values) -> MeasuredValue? {
        value(key.field, values).map { MeasuredValue(ordered: $0) }
    }

    package func identity(_ keys: [RecordGroupKey], _ values: Values) -> GroupIdentity {
        GroupIdentity(
            keys.map { key in
                switch key.part {
                case .value: value(key.field, values)
                case .currency: value(key.field, values)?.currency
                case .day, .month, .year: period(key, values).map { .integer($0) }
                }
            })
    }

    /// Puts into `bytes`, whose memory is used again, what decides the identity of a record: records with the same bytes have the same one.
    package func readIdentityBytes(_ keys: [RecordGroupKey], _ values: Values, into bytes: inout [UInt8]) {
        bytes.removeAll(keepingCapacity: true)
        for key in keys {
            switch key.field {
            case .field(let number): appendIdentityBytes(of: key, number, values, to: &bytes)
            case .id: bytes += values.id.bytes
            case .created: bytes += (values.created?.milliseconds ?? .max).bigEndianBytes
            case .updated: bytes += (values.updated?.milliseconds ?? .max).bigEndianBytes
            case .unknown: continue
            }
        }
    }

    /// 0 for a cleared field, 1 before the bytes of a field, 2 before the code of an amount of which the currency alone counts, and 3 before
    /// the number of a period (8). The bytes of fields and codes follow their length (4).
    private func appendIdentityBytes(
        of key: RecordGroupKey, _ number: UInt64, _ values: Values, to bytes: inout [UInt8]
    ) {
        guard let index = index(of: number), let field = values.found[index], !field.isEmpty else {
            bytes.append(0)
            return
        }
        var code: UnsafeRawBufferPointer?
        switch key.part {
        case .value: break
        case .currency: if readings[index].isReadable == nil { code = Money.codeBytes(in: field) }
        case .day, .month, .year:
            bytes.append(3)
            bytes += (period(key, values) ?? .min).bigEndianBytes
            return
        }
        let found = code ?? field
        bytes.append(code == nil ? 1 : 2)
        withUnsafeBytes(of: UInt32(clamping: found.count)) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: found)
    }

    /// Whether equal values of a key may be written differently, as moments of one instant in several zones are.
    package func hasVariants(_ key: RecordGroupKey) -> Bool {
        key.part == .value && valueType(key.field) == Moment.self
    }

    /// Whether the exact sum of a key's values is an integer.
    package func isInteger(_ key: RecordGroupKey) -> Bool { key.part == .value && valueType(key.field) == Int.self }

    /// What the entity of a record has in a group's key, if the entity is not needed for it.
    package func groupValue(_ key: RecordGroupKey, _ values: Values) -> GroupValue {
        guard case .field(let number) = key.field else { return Self.untyped(value(key.field, values)) }
        return Self.groupValue(key.part, raw(number, values), value(key.field, values))
    }

    /// Ids and times are no fields.
    fileprivate static func untyped(_ value: OrderedValue?) -> GroupValue {
        switch value {
        case .integer(let milliseconds): GroupValue(value, Date(milliseconds: milliseconds).text)
        case .bytes(let bytes):
            GroupValue(value, bytes.withUnsafeBytes { EntityReference(fieldValue: $0) }.map { "\($0.id)" } ?? "")
        default: GroupValue(value, "")
        }
    }

    /// The number of the period in which a record's day is; nil if it has none.
    private func period(_ key: RecordGroupKey, _ values: Values) -> Int64? {
        guard case .field(let number) = key.field, let raw = raw(number, values), value(key.field, values) != nil else {
            return nil
        }
        return Self.day(raw).map { Self.period(key.part, $0) }
    }

    private static func day(_ raw: RawValue) -> Day? {
        raw.type is Moment.Type ? Moment.decoded(raw.bytes)?.localDay : Day.decoded(raw.bytes)
    }

    /// Of a year its own number, of a month that from the year 0 on, of a day that from 1970 on.
    private static func period(_ part: RecordGroupKey.Part, _ day: Day) -> Int64 {
        let (year, month, _) = day.components
        return switch part {
        case .year: Int64(year)
        case .month: Int64(year * 12 + month - 1)
        default: Int64(day.daysSince1970)
        }
    }

    fileprivate static func groupValue(_ part: RecordGroupKey.Part, _ raw: RawValue?, _ value: OrderedValue?)
        -> GroupValue
    {
        guard let raw, let value else { return GroupValue(nil, "") }
        switch part {
        case .value:
            guard raw.type.ordered(raw.bytes) == value else {
                return GroupValue(value, raw.clearedText, of: raw.type)
            }
            return GroupValue(value, raw.bytes, of: raw.type)
        case .currency:
            guard case .money(_, let currency) = value else { return GroupValue(nil, "") }
            return GroupValue(.text(currency), currency)
        case .day, .month, .year:
            return day(raw).map { groupValue(part, $0) } ?? GroupValue(nil, "")
        }
    }

    private static func groupValue(_ part: RecordGroupKey.Part, _ day: Day) -> GroupValue {
        let (year, month, _) = day.components
        let number = OrderedValue.integer(period(part, day))
        // As days are written: 2027-05-01.
        let text = "\(day)"
        return switch part {
        case .year: GroupValue(number, String(text.prefix(4)), firstDay: Day(year: year, month: 1, day: 1))
        case .month: GroupValue(number, String(text.prefix(7)), firstDay: Day(year: year, month: month, day: 1))
        default: GroupValue(number, text, firstDay: day)
        }
    }
}

/// The same of decoded entities.
extension CompiledQuery {
    package func measured(_ key: RecordGroupKey, _ entity: Entity) -> MeasuredValue? {
        value(key.field, entity).map { MeasuredValue(ordered: $0) }
    }

    package func identity(_ keys: [RecordGroupKey], _ entity: Entity) -> GroupIdentity {
        GroupIdentity(keys.map { groupValue($0, entity).ordered })
    }

    package func groupValue(_ key: RecordGroupKey, _ entity: Entity) -> GroupValue {
        guard case .field(let number) = key.field else { return RecordQuery.untyped(value(key.field, entity)) }
        return withRaw(number, entity) { RecordQuery.groupValue(key.part, $0, value(key.field, entity)) }
    }
}
