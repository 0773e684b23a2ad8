import Events
import Foundation

extension RecordQuery {
    /// The measured value of a record, without its text; nil if it is cleared.
    package func measured(_ key: RecordGroupKey, _ values: Values) -> OrderedValue? { value(key.field, values) }

    /// The values that decide to which group a record belongs, one for each key, without their texts.
    package func identity(_ keys: [RecordGroupKey], _ values: Values) -> [OrderedValue?] {
        keys.map { ordered($0, values) }
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
            case .creation: bytes += (values.created?.rawValue ?? .max).bigEndianBytes
            case .either(let first, let other):
                appendIdentityBytes(of: key, first, values, to: &bytes)
                appendIdentityBytes(of: key, other, values, to: &bytes)
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
            bytes += (day(key, values).map { key.part.period($0) } ?? .min).bigEndianBytes
            return
        }
        let found = code ?? field
        bytes.append(code == nil ? 1 : 2)
        withUnsafeBytes(of: UInt32(clamping: found.count)) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: found)
    }

    /// Whether equal values of a key may be written differently, as moments of one instant in several zones are.
    package func hasVariants(_ key: RecordGroupKey) -> Bool { isOf(Moment.self, key) }

    /// Whether the exact sum of a key's values is an integer.
    package func isInteger(_ key: RecordGroupKey) -> Bool { isOf(Int.self, key) }

    /// Whether all values of a key are of a type.
    private func isOf(_ type: any FieldValue.Type, _ key: RecordGroupKey) -> Bool {
        guard key.part == .value, let reading = reading(key.field) else { return false }
        return reading.isReadable == nil && reading.type == type
    }

    /// The value of a record in a group's key, with its text.
    package func groupValue(_ key: RecordGroupKey, _ values: Values) -> GroupValue {
        guard let value = ordered(key, values) else { return GroupValue(nil, "") }
        switch (key.part, value) {
        case (.value, _):
            guard let reading = reading(key.field) else { return Self.untyped(value) }
            guard let bytes = self.bytes(key.field, values), reading.type.ordered(bytes) == value else {
                return GroupValue(value, reading.clearedText, of: reading.type)
            }
            return GroupValue(value, bytes, of: reading.type)
        case (.currency, .text(let code)): return GroupValue(value, code)
        default: return day(key, values).map { key.part.value(value, $0) } ?? GroupValue(nil, "")
        }
    }

    /// The value of a key without its text; nil if it is cleared, or has no such part.
    private func ordered(_ key: RecordGroupKey, _ values: Values) -> OrderedValue? {
        switch key.part {
        case .value: value(key.field, values)
        case .currency: value(key.field, values)?.currency
        case .day, .month, .year: day(key, values).map { .integer(key.part.period($0)) }
        }
    }

    /// Ids and times are no fields.
    private static func untyped(_ value: OrderedValue) -> GroupValue {
        switch value {
        case .integer(let milliseconds): GroupValue(value, Date(milliseconds: milliseconds).text)
        default: GroupValue(value, value.reference.map { "\($0.id)" } ?? "")
        }
    }

    /// The day of a record that decides its period; nil if it has none.
    private func day(_ key: RecordGroupKey, _ values: Values) -> Day? {
        guard case .field(let number) = key.field, let index = index(of: number), let bytes = values.found[index],
            readings[index].value(bytes) != nil
        else { return nil }
        return readings[index].type is Moment.Type ? Moment.decoded(bytes)?.localDay : Day.decoded(bytes)
    }
}

extension RecordGroupKey.Part {
    /// The number of a day's period: of a year its own, of a month that from the year 0 on, of a day that from 1970 on.
    fileprivate func period(_ day: Day) -> Int64 {
        let (year, month, _) = day.components
        return switch self {
        case .year: Int64(year)
        case .month: Int64(year * 12 + month - 1)
        default: Int64(day.daysSince1970)
        }
    }

    /// A period, whose number is `number`, with its text and its first day.
    fileprivate func value(_ number: OrderedValue, _ day: Day) -> GroupValue {
        let (year, month, _) = day.components
        // As days are written: 2027-05-01.
        let text = "\(day)"
        return switch self {
        case .year: GroupValue(number, String(text.prefix(4)), firstDay: Day(year: year, month: 1, day: 1))
        case .month: GroupValue(number, String(text.prefix(7)), firstDay: Day(year: year, month: month, day: 1))
        default: GroupValue(number, text, firstDay: day)
        }
    }
}
