import Events
import Foundation

/// The type of a field as a question in words sees it: which operators it has, and how its values are written.
enum AskedType {
    case text, flag, integer, number, day, instant, moment, money, address, uuid, data
    case choice(any OpenEnumeration.Type)
    /// The id of an entity of a kind.
    case id(EntityKind)
    /// An entity of any kind.
    case reference

    init(_ type: any FieldValue.Type) {
        switch type.form {
        // Several types are written as text, and are none.
        case .text:
            self =
                type == String.self
                ? .text : type == EntityReference.self ? .reference : .data
        case .uuid: self = .uuid
        case .flag: self = .flag
        case .integer: self = .integer
        case .number: self = .number
        case .day: self = .day
        case .instant: self = .instant
        case .moment: self = .moment
        case .money: self = .money
        case .address: self = .address
        case .choice: self = (type as? any OpenEnumeration.Type).map { .choice($0) } ?? .data
        case .reference(let kind): self = .id(kind)
        }
    }

    /// With its article.
    var words: String {
        switch self {
        case .text: "text"
        case .flag: "a flag"
        case .integer: "a whole number"
        case .number: "a number"
        case .day: "a day"
        case .instant: "an instant"
        case .moment: "a moment"
        case .money: "an amount of money"
        case .address: "an address"
        case .uuid: "a UUID"
        case .data: "data"
        case .choice: "a choice"
        case .id(let kind):
            kind == .own ? "the id of an entity" : "the id of a kind '\(kind.name ?? "\(kind.rawValue)")'"
        case .reference: "an entity"
        }
    }

    /// How a value is written.
    var advice: String {
        switch self {
        case .text: "Write it in quotes, as \"Lisbon\"."
        case .flag: "Write true or false."
        case .integer: "Write digits, as 5."
        case .number: "Write it as 2.5."
        case .day: "Write it as 2027-05-01."
        case .instant: "Write it as 2027-05-01T10:00Z, or a day, which is all of it."
        case .moment: "Write it as 2027-05-01T10:00 Europe/Lisbon, or a day, which is all of it; in UTC without a zone."
        case .money: "Write an amount and its currency, as 12.50 EUR."
        case .address: "Ask whether it is none, or whether it is within 5 km of 38.7, -9.1."
        case .uuid, .id: "Write all of its digits, as 01A1FC91-080E-795C-9F28-740DC9B33B0D."
        case .data: "Write its bytes in base 64, in quotes."
        case .choice(let type): "Write one of \(Self.names(of: type).joined(separator: ", "))."
        case .reference: "Write its kind and its id, as trip 01A1FC91-080E-795C-9F28-740DC9B33B0D."
        }
    }

    /// Whether its values have an order in which people ask.
    var isOrdered: Bool {
        switch self {
        case .text, .integer, .number, .day, .instant, .moment, .money: true
        case .flag, .address, .uuid, .data, .choice, .id, .reference: false
        }
    }

    var isText: Bool { if case .text = self { true } else { false } }
    var isAddress: Bool { if case .address = self { true } else { false } }
    /// Whether its values are entities of any kind.
    var isReference: Bool { if case .reference = self { true } else { false } }

    /// Whether single values can be asked for: those of an address have no form in a line.
    var isWritable: Bool { !isAddress }

    static func names<Choice: OpenEnumeration>(of type: Choice.Type) -> [String] { type.known.map(\.name) }
}
