package import Events
import Foundation

/// A value that is coded by its parts, and decoded only if a write would take it.
///
/// Parts that this version does not know, which other versions may have written, are coded as data: what is equal is coded the same, and nothing
/// else is.
protocol CodedByParts: Codable {
    associatedtype Parts: Codable

    var parts: Parts { get }

    /// Throws if a write would refuse the value, with what to do.
    init(parts: Parts) throws(ValidationError)
}

extension CodedByParts {
    /// Throws `DecodingError` with the words of `ValidationError` for a value that a write would refuse.
    public init(from decoder: any Decoder) throws {
        let parts = try Parts(from: decoder)
        do throws(ValidationError) { try self.init(parts: parts) } catch {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: error.message))
        }
    }

    public func encode(to encoder: any Encoder) throws { try parts.encode(to: encoder) }
}

/// As the text YYYY-MM-DD.
extension Day: CodedByParts {
    var parts: String { description }

    init(parts: String) throws(ValidationError) { try self.init(parsing: parts) }
}

/// As its code.
extension Currency: CodedByParts {
    var parts: String { code }

    init(parts: String) throws(ValidationError) {
        guard let currency = Currency(parts) else { throw .unknownCurrency(Currency(unchecked: parts)) }
        self = currency
    }
}

/// As `minorUnits`, a number, and `currency`, its code.
extension Money: CodedByParts {
    struct Parts: Codable {
        let minorUnits: Int64
        let currency: Currency
        let unknown: Data?
    }

    var parts: Parts { Parts(minorUnits: minorUnits, currency: currency, unknown: unknownFields.coded) }

    init(parts: Parts) throws(ValidationError) {
        self.init(minorUnits: parts.minorUnits, parts.currency)
        unknownFields = parts.unknown.fields
        try checkRules()
    }
}

/// As `milliseconds`, a number, and `zone`, its IANA name.
extension Moment: CodedByParts {
    struct Parts: Codable {
        let milliseconds: Int64
        let zone: String
        let unknown: Data?
    }

    var parts: Parts { Parts(milliseconds: milliseconds, zone: zone, unknown: unknownFields.coded) }

    init(parts: Parts) throws(ValidationError) {
        self.init(milliseconds: parts.milliseconds, zone: parts.zone)
        unknownFields = parts.unknown.fields
        try checkRules()
    }
}

/// As `latitude` and `longitude`, numbers.
extension Coordinates: CodedByParts {
    struct Parts: Codable {
        let latitude: Double
        let longitude: Double
        let unknown: Data?
    }

    var parts: Parts { Parts(latitude: latitude, longitude: longitude, unknown: unknownFields.coded) }

    init(parts: Parts) throws(ValidationError) {
        self.init(latitude: parts.latitude, longitude: parts.longitude)
        unknownFields = parts.unknown.fields
        try checkRules()
    }
}

/// As those of its parts that are not empty: `street`, `city`, `state`, `country`, `postalCode`, `coordinates` and `formatted`.
extension Address: CodedByParts {
    struct Parts: Codable {
        let street: String?
        let city: String?
        let state: String?
        let country: String?
        let postalCode: String?
        let coordinates: Coordinates?
        let formatted: String?
        let unknown: Data?
    }

    var parts: Parts {
        func part(_ text: String) -> String? { text.isEmpty ? nil : text }
        return Parts(
            street: part(street), city: part(city), state: part(state), country: part(country),
            postalCode: part(postalCode), coordinates: coordinates, formatted: part(formatted),
            unknown: unknownFields.coded)
    }

    init(parts: Parts) throws(ValidationError) {
        self.init(
            street: parts.street ?? "", city: parts.city ?? "", state: parts.state ?? "", country: parts.country ?? "",
            postalCode: parts.postalCode ?? "", coordinates: parts.coordinates, formatted: parts.formatted ?? "")
        unknownFields = parts.unknown.fields
        try checkRules()
    }
}

/// As `url`, and `title` if it is not empty.
extension Link: CodedByParts {
    struct Parts: Codable {
        let url: String
        let title: String?
        let unknown: Data?
    }

    var parts: Parts { Parts(url: url, title: title.isEmpty ? nil : title, unknown: unknownFields.coded) }

    init(parts: Parts) throws(ValidationError) {
        self.init(parts.url, title: parts.title ?? "")
        unknownFields = parts.unknown.fields
        try checkRules()
    }
}

/// As those of its parts that are not empty: `name`, `phone`, `email` and `role`.
extension Contact: CodedByParts {
    struct Parts: Codable {
        let name: String?
        let phone: String?
        let email: String?
        let role: String?
        let unknown: Data?
    }

    var parts: Parts {
        func part(_ text: String) -> String? { text.isEmpty ? nil : text }
        return Parts(
            name: part(name), phone: part(phone), email: part(email), role: part(role), unknown: unknownFields.coded)
    }

    init(parts: Parts) throws(ValidationError) {
        self.init(
            name: parts.name ?? "", phone: parts.phone ?? "", email: parts.email ?? "", role: parts.role ?? "")
        unknownFields = parts.unknown.fields
        try checkRules()
    }
}

/// As `kind`, its name, or the digits of its number if this version does not know it, and `id`, a UUID.
extension EntityReference: CodedByParts {
    struct Parts: Codable {
        let kind: String
        let id: UUID
    }

    var parts: Parts { Parts(kind: kind.name ?? "\(kind.rawValue)", id: id) }

    init(parts: Parts) throws(ValidationError) {
        let named = EntityKind(name: parts.kind) ?? [EntityKind.own, .schema].first { $0.name == parts.kind }
        guard let kind = named ?? UInt16(parts.kind).map({ EntityKind(rawValue: $0) }) else {
            let names = (EntityKind.known.compactMap(\.name) + ["own"]).joined(separator: ", ")
            throw ValidationError(
                .unknownKind,
                "\"\(parts.kind.prefix(100))\" is no kind of entity. Write one of \(names), or its number.")
        }
        self.init(kind: kind, id: parts.id)
    }
}

extension [UInt8] {
    fileprivate var coded: Data? { isEmpty ? nil : Data(self) }
}

extension Data? {
    fileprivate var fields: [UInt8] { map { [UInt8]($0) } ?? [] }
}
