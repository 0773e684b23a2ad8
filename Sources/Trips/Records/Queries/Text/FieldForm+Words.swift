import Events

/// The form of a field in a condition in words: which operators it has, and how its values are written.
extension FieldForm {
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
        case .reference(let kind):
            EntitySchema.of(kind).map { "the id of a kind '\($0.name)'" } ?? "the id of an entity"
        case .entity: "an entity"
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
        case .uuid, .reference: "Write all of its digits, as 01A1FC91-080E-795C-9F28-740DC9B33B0D."
        case .data: "Write its bytes in base 64, in quotes."
        case .choice(let names): "Write one of \(names.joined(separator: ", "))."
        case .entity:
            "Write its kind and its id, as \(EntityKind.known[0].name ?? "") 01A1FC91-080E-795C-9F28-740DC9B33B0D."
        }
    }

    /// Whether its values have an order in which people ask.
    var isOrdered: Bool {
        switch self {
        case .text, .integer, .number, .day, .instant, .moment, .money: true
        default: false
        }
    }

    /// Whether its values have an exact sum.
    var isSummed: Bool { self == .money || self == .integer }
}
