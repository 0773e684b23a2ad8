import TripStore

/// The values of fields, in one shape wherever they are printed.
extension JSON {
    /// An amount, or a sum: of so many units of which 10 to the power of the exponent are one of the currency.
    static func money(_ currency: Currency, _ minorUnits: Int128) -> JSON {
        .object([
            ("currency", .string(currency.code)), ("minor", .number(minorUnits)),
            ("exponent", currency.minorDigits.map { .integer($0) } ?? .null),
        ])
    }

    static func moment(_ milliseconds: Int64, time: String, zone: String) -> JSON {
        let offset = time.dropFirst(11).drop { !"Z+-".contains($0) }
        return .object([
            ("milliseconds", .integer(milliseconds)), ("time", .string(time)), ("offset", .string(String(offset))),
            ("zone", .string(zone)),
        ])
    }

    static func address(_ text: (String) -> String, latitude: JSON, longitude: JSON) -> JSON {
        let parts = ["street", "city", "state", "country", "postalCode"].map { ($0, JSON.string(text($0))) }
        return .object(
            parts + [("latitude", latitude), ("longitude", longitude), ("formatted", .string(text("formatted")))])
    }
}

extension Money {
    var json: JSON { .money(currency, Int128(minorUnits)) }
}

extension CostSum {
    var json: JSON { .money(currency, minorUnits) }
}

extension Moment {
    var json: JSON { .moment(milliseconds, time: localISO8601, zone: zone) }
}

extension Address {
    var json: JSON {
        let texts = [
            "street": street, "city": city, "state": state, "country": country, "postalCode": postalCode,
            "formatted": formatted,
        ]
        return .address(
            { texts[$0] ?? "" }, latitude: coordinates.map { .double($0.latitude) } ?? .null,
            longitude: coordinates.map { .double($0.longitude) } ?? .null)
    }
}

extension JSONValue {
    /// The same in the tool's shapes; other objects with members in the order of their names.
    var ordered: JSON {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .integer(let value): .number(Int128(value))
        case .number(let value): .double(value)
        case .string(let value): .string(value)
        case .array(let elements): .array(elements.map(\.ordered))
        case .object(let members): Self.object(members)
        }
    }

    private static func object(_ members: [String: JSONValue]) -> JSON {
        switch (members["currency"], members["minor"], members["milliseconds"], members["time"], members["zone"]) {
        case (.string(let code)?, .integer(let minor)?, nil, nil, nil):
            return .money(Currency(unchecked: code), Int128(minor))
        case (nil, nil, .integer(let milliseconds)?, .string(let time)?, .string(let zone)?):
            return .moment(milliseconds, time: time, zone: zone)
        default: break
        }
        for names in [["url", "title"], ["name", "phone", "email", "role"]] where Set(names) == Set(members.keys) {
            return .object(names.map { ($0, members[$0]?.ordered ?? .null) })
        }
        guard ["street", "city", "state", "country", "postalCode", "formatted"].allSatisfy({ members[$0] != nil })
        else {
            return .object(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value.ordered) })
        }
        let text = { (name: String) in if case .string(let text)? = members[name] { text } else { "" } }
        return .address(
            text, latitude: members["latitude"]?.ordered ?? .null, longitude: members["longitude"]?.ordered ?? .null)
    }
}
