import Events
import Foundation

/// A value in a question; of an instant that is written as a day all of the day.
struct AskedValue {
    let first, last: any FieldValue
    var isRange = false

    init(_ value: any FieldValue) { (first, last) = (value, value) }

    init(from first: any FieldValue, to last: any FieldValue) {
        (self.first, self.last, isRange) = (first, last, true)
    }
}

extension ConditionParser {
    /// Takes a value of the field's type. Throws `unfitValue` at its first token that does not fit.
    mutating func value(for field: AskedField) throws(QueryTextError) -> AskedValue {
        let start = token
        switch field.form {
        case .text:
            guard start.kind == .quoted else { throw unfit(start, field) }
            return AskedValue(take().text)
        case .data:
            guard start.kind == .quoted, let bytes = Data(base64Encoded: start.text) else { throw unfit(start, field) }
            take()
            return AskedValue(bytes)
        case .address: throw unfit(start, field)
        case .choice:
            guard start.isName, let value = field.choice(start.text) else { throw unfit(start, field) }
            take()
            return AskedValue(value)
        case .instant, .moment: return try time(for: field)
        case .money: return try money(for: field)
        case .entity:
            guard start.kind == .word, let kind = EntityKind(askedName: start.text) else { throw unfit(start, field) }
            take()
            return AskedValue(try reference(to: kind, for: field))
        case .reference(let kind): return AskedValue(try reference(to: kind, for: field))
        case .flag, .integer, .number, .day, .uuid:
            guard start.kind == .word, let value = field.form.word(start.text) else { throw unfit(start, field) }
            take()
            return AskedValue(value)
        }
    }

    /// An entity, by its id or a name that is known.
    private mutating func reference(
        to kind: EntityKind, for field: AskedField
    ) throws(QueryTextError) -> EntityReference {
        let named = token
        guard named.isName else { throw unfit(named, field) }
        var id = named.kind == .word ? UUID(uuidString: named.text) : nil
        do { id = try id ?? naming(named.text, kind, field.target) } catch {
            throw self.error(.unfitValue, "\(error)", at: named)
        }
        guard let found = id else { throw unfit(named, field) }
        take()
        return EntityReference(kind: kind, id: found)
    }

    /// The next token does not fit the field.
    func unfit(_ token: QueryToken, _ field: AskedField) -> QueryTextError {
        guard token.kind != .end else {
            return error(.syntax, "A value for '\(field.name)' is missing. \(field.form.advice)", at: token)
        }
        return error(
            .unfitValue, "\(token.subject) does not fit '\(field.name)', \(field.words). \(field.form.advice)",
            at: token)
    }

    /// An amount and its currency.
    private mutating func money(for field: AskedField) throws(QueryTextError) -> AskedValue {
        let amount = token
        guard amount.kind == .word, amount.text.utf8.first?.isDecimalDigit ?? false || amount.text.hasPrefix("-") else {
            throw unfit(amount, field)
        }
        take()
        guard token.kind == .word, !Self.isReserved(token) else {
            throw error(
                .unfitValue, "The amount needs its currency. Write it behind, as \(amount.text.prefix(60)) EUR.",
                at: token)
        }
        guard let currency = Currency(token.text) else {
            throw error(
                .unfitValue, "\(token.subject) is no currency of ISO 4217. Use a code of three letters, such as EUR.",
                at: token)
        }
        do throws(ValidationError) {
            let money = try Money(parsing: amount.text, currency)
            take()
            return AskedValue(money)
        } catch {
            throw self.error(.unfitValue, error.message, at: amount)
        }
    }

    /// A time or a day, and a zone; without one in UTC.
    private mutating func time(for field: AskedField) throws(QueryTextError) -> AskedValue {
        let start = token
        guard start.kind == .word else { throw unfit(start, field) }
        take()
        var zone = "UTC"
        if token.kind == .word, !Self.isReserved(token) {
            guard TimeZoneCache.zone(token.text) != nil else {
                throw error(
                    .unfitValue,
                    "\(token.subject) is no time zone known here. Use an IANA name, such as Europe/Lisbon.",
                    at: token)
            }
            zone = take().text
        }
        func value(_ text: String) throws(ValidationError) -> Moment { try Moment(parsing: text, in: zone) }
        func typed(_ moment: Moment) -> any FieldValue { if field.form == .moment { moment } else { moment.date } }
        do throws(ValidationError) {
            guard let day = Day(start.text) else { return AskedValue(typed(try value(start.text))) }
            let first = try value("\(day)T00:00")
            // A day ends where the next one begins, also where clocks change at midnight.
            var last = try value(day < .last ? "\(day.advanced(by: 1))T00:00" : "\(day)T23:59:59.999")
            if day < .last { last.milliseconds -= 1 }
            return AskedValue(from: typed(first), to: typed(last))
        } catch { throw unfit(start, field) }
    }

    /// Words that may follow a value, so that they are neither a zone nor a currency.
    private static func isReserved(_ token: QueryToken) -> Bool {
        ["and", "or", "to"].contains(token.text.lowercased())
    }
}

extension FieldForm {
    /// The value of a type whose values are one word; nil if it is none.
    fileprivate func word(_ text: String) -> (any FieldValue)? {
        switch self {
        case .flag: ["true": true, "yes": true, "false": false, "no": false][text.lowercased()]
        case .integer: Int(text)
        case .number: Double(text).flatMap { $0.isFinite ? $0 : nil }
        case .day: Day(text)
        case .uuid: UUID(uuidString: text)
        default: nil
        }
    }
}

extension AskedField {
    /// The value of a name, if the field is a choice; nil if there is none.
    func choice(_ name: String) -> (any FieldValue)? { (type as? any OpenEnumeration.Type)?.value(name) }
}

extension OpenEnumeration {
    /// The value of a name, in capitals or not and with hyphens or not, or of a number.
    fileprivate static func value(_ name: String) -> (any FieldValue)? {
        let plain = name.replacing("-", with: "").lowercased()
        let known = Self.known.first { $0.name.lowercased() == plain }?.value
        return (known ?? Self(name)) as? any FieldValue
    }
}

extension EntityKind {
    /// The kind of a name; "own" for those of apps.
    fileprivate init?(askedName name: String) {
        if name == "own" { self = .own } else { self.init(name: name) }
    }
}
