import Events
import Foundation

/// An address: one value, so that two edits never mix the street of one place with the city of another.
public struct Address: Hashable, Sendable {
    public var street: String
    public var city: String
    public var state: String
    public var country: String
    public var postalCode: String
    public var coordinates: Coordinates?
    /// The whole address in local form.
    public var formatted: String
    /// Fields of the value that this version does not know, unchanged.
    package var unknownFields: [UInt8] = []

    /// An address of which any part may be left out.
    public init(
        street: String = "", city: String = "", state: String = "", country: String = "", postalCode: String = "",
        coordinates: Coordinates? = nil, formatted: String = ""
    ) {
        self.street = street
        self.city = city
        self.state = state
        self.country = country
        self.postalCode = postalCode
        self.coordinates = coordinates
        self.formatted = formatted
    }

    /// Whether it is empty: then the field that holds it counts as cleared.
    public var isEmpty: Bool { encodedValue == nil }
}

extension Address: PartedValue {
    static var form: FieldForm { .address }

    init(encoded bytes: UnsafeRawBufferPointer, strictly: Bool) throws(WireError) {
        // Part by part, and assembled at the end: the finished value would be copied.
        var (street, city, state, country, postalCode, formatted) = ("", "", "", "", "", "")
        var coordinates: Coordinates?
        var unknownFields: [UInt8] = []
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: street = try reader.text(field, strictly: strictly)
            case 2: city = try reader.text(field, strictly: strictly)
            case 3: state = try reader.text(field, strictly: strictly)
            case 4: country = try reader.text(field, strictly: strictly)
            case 5: postalCode = try reader.text(field, strictly: strictly)
            case 6: coordinates = try Coordinates(encoded: try reader.bytes(field))
            case 7: formatted = try reader.text(field, strictly: strictly)
            default: unknownFields += try reader.skip(field)
            }
        }
        self.street = street
        self.city = city
        self.state = state
        self.country = country
        self.postalCode = postalCode
        self.coordinates = coordinates
        self.formatted = formatted
        self.unknownFields = unknownFields
    }

    var encodedValue: [UInt8]? {
        var writer = WireWriter(reservingCapacity: 128)
        for (number, text) in [(1, street), (2, city), (3, state), (4, country), (5, postalCode)] where !text.isEmpty {
            writer.string(UInt32(number), text)
        }
        if let coordinates { writer.message(6) { coordinates.write(to: &$0) } }
        if !formatted.isEmpty { writer.string(7, formatted) }
        writer.raw(unknownFields)
        return writer.count == 0 ? nil : writer.finish()
    }

    /// The formatted text, otherwise the parts in one line.
    var text: String {
        if !formatted.isEmpty { return formatted.split(whereSeparator: \.isNewline).joined(separator: ", ") }
        let place = coordinates.map { "\($0.latitude), \($0.longitude)" } ?? ""
        return [street, postalCode, city, state, country, place].filter { !$0.isEmpty }.joined(separator: ", ")
    }

    var json: JSONValue {
        var members: [String: JSONValue] = [
            "street": .string(street), "city": .string(city), "state": .string(state), "country": .string(country),
            "postalCode": .string(postalCode), "formatted": .string(formatted),
        ]
        members["latitude"] = coordinates.map { .number($0.latitude) }
        members["longitude"] = coordinates.map { .number($0.longitude) }
        return .object(members)
    }

    static var lastPart: UInt32 { 7 }

    static func mayHaveUnknownParts(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.hasFields(beyond: lastPart) { field, value in field == 6 && value.hasFields(beyond: 2) }
    }

    mutating func keepUnknownParts(of other: Address) {
        if unknownFields.isEmpty { unknownFields = other.unknownFields }
        if let old = other.coordinates, coordinates?.unknownFields.isEmpty == true {
            coordinates?.unknownFields = old.unknownFields
        }
    }
}
