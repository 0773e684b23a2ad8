import ArgumentParser
import Synchronization
import TripStore

/// An option of the command line for a field, or for a part of one.
struct FieldOption {
    /// What is written into the field: all of it, or a part.
    enum Part: Hashable {
        case whole, zone, currency
        case street, city, state, country, postalCode, latitude, longitude, formatted
    }

    /// Without the two hyphens.
    let name: String
    let help: String
    let form: FieldForm
    let part: Part
    let theme: FieldTheme
    /// Whether people give it often.
    let isCommon: Bool

    var isFlag: Bool { form == .flag }

    /// As it is typed.
    var typed: String { "--" + name }

    /// What the argument parser makes the option from.
    func wrapper(isHidden: Bool) -> Any {
        let help = ArgumentHelp(help, valueName: valueName, visibility: isHidden ? .hidden : .default)
        if isFlag { return Flag<Bool?>(name: .customLong(name), inversion: .prefixedNo, help: help) }
        let isNumber = form == .money && part == .whole || part == .latitude || part == .longitude
        return Option<String?>(
            name: .customLong(name), parsing: isNumber ? .unconditional : .next, help: help, completion: completion)
    }

    /// What stands for the value in the help; nil for the option's name.
    private var valueName: String? {
        switch (form, part) {
        case (_, .zone): "zone"
        case (_, .currency): "currency"
        case (.moment, _): "time"
        case (.day, _): "day"
        case (.money, _): "amount"
        case (.reference, _): "name"
        case (_, .whole): nil
        default: "text"
        }
    }

    private var completion: CompletionKind? {
        if case .choice(let words) = form { return .list(words.map(\.kebab)) }
        return nil
    }
}

/// The options of sets of kinds: a generic type has no stored properties of its own, and the parser asks for them a hundred times for
/// each command line.
private let optionsOfKinds = Mutex<[ObjectIdentifier: [FieldOption]]>([:])

extension FieldOption {
    /// The options for the fields of some kinds, each once, in the order of the kinds and of their fields.
    static func all(for kinds: (some CommandKinds).Type) -> [FieldOption] {
        optionsOfKinds.withLock { known in
            if let options = known[ObjectIdentifier(kinds)] { return options }
            var names: Set<String> = []
            var options = kinds.kinds.flatMap { all(for: $0.fieldOutlines) }.flatMap(\.options)
                .filter { names.insert($0.name).inserted }
            // An entry has no trip, and the names of lists are those of copies too.
            if kinds.kinds.contains(where: { $0 == ChecklistEntry.self }), names.insert("trip").inserted {
                options.append(
                    FieldOption(
                        name: "trip", help: TripScope.help, form: .text, part: .whole, theme: .what, isCommon: true))
            }
            known[ObjectIdentifier(kinds)] = options
            return options
        }
    }

    /// The names of the options on the first page of the help for some kinds: those that people give in the most kinds.
    static func first(for kinds: (some CommandKinds).Type) -> Set<String> {
        let common = all(for: kinds).filter(\.isCommon).enumerated().map { place, option in
            let uses = kinds.kinds.count { kind in
                all(for: kind.fieldOutlines).contains { $0.options.contains { $0.name == option.name && $0.isCommon } }
            }
            return (option.name, uses, place)
        }
        return Set(common.sorted { ($1.1, $0.2) < ($0.1, $1.2) }.prefix(most).map(\.0))
    }

    /// So many of a large command are on the first page of its help.
    static let most = 10

    /// The options for each field of a kind; none for one that people do not write.
    static func all(for fields: [FieldOutline]) -> [(field: FieldOutline, options: [FieldOption])] {
        let money = fields.first { $0.form == .money && $0.help != nil }?.number
        return fields.map { ($0, all(for: $0, isFirstMoney: $0.number == money)) }
    }

    /// The currency of a kind's first amount has the short name.
    private static func all(for field: FieldOutline, isFirstMoney: Bool) -> [FieldOption] {
        guard let purpose = field.help else { return [] }
        let (name, help) = (field.name.kebab, purpose.text)
        func option(_ name: String, _ help: String, _ part: Part = .whole) -> FieldOption {
            FieldOption(
                name: name, help: help, form: field.isAdded ? .text : field.form, part: part, theme: field.theme,
                isCommon: purpose.isCommon && (part == .whole || part == .currency))
        }
        // Written by their descriptions, in one text.
        if field.isAdded { return [option(name, help)] }
        switch field.form {
        case .text, .integer, .number, .instant, .day, .uuid, .data, .entity: return [option(name, help)]
        case .flag: return [option(name.hasPrefix("is-") ? String(name.dropFirst(3)) : name, help)]
        case .choice(let words): return [option(name, "\(help) One of \(words.map(\.kebab).joined(separator: ", ")).")]
        case .reference(let kind):
            let last = kind == .trip ? ", its name, or 'last'." : ", or its name."
            return [option(name, "\(help.dropLast()): its id, the first digits of that\(last)")]
        case .moment:
            return [
                option(
                    name,
                    "\(help) Local time in its zone, as 2027-05-01T10:00, or with an offset; or as JSON prints it."),
                option("\(name)-time-zone", "The zone of --\(name), as Europe/Lisbon.", .zone),
            ]
        case .money:
            let currency = isFirstMoney ? "currency" : "\(name)-currency"
            return [
                option(name, "\(help) As 12.34, with --\(currency); or as JSON prints it."),
                option(currency, "The currency of --\(name), as EUR.", .currency),
            ]
        case .address:
            // "departure-" of the address where one departs.
            let place = String(name.dropLast("address".count))
            let whose = place.isEmpty ? "" : ", of the place of \(place.dropLast())"
            return [
                option(place + "street", "Street and number\(whose).", .street),
                option(place + "city", "City\(whose).", .city),
                option(place + "state", "State or province\(whose).", .state),
                option(place + "country", "Country\(whose).", .country),
                option(place + "postal-code", "Postal code\(whose).", .postalCode),
                option(place + "latitude", "Degrees north, -90 to 90; with --\(place)longitude.", .latitude),
                option(place + "longitude", "Degrees east, -180 to 180; with --\(place)latitude.", .longitude),
                option(place + "formatted-address", "The whole address in one text\(whose).", .formatted),
            ]
        }
    }
}

extension String {
    /// A name in camel case as an option is written: `startDate` is `start-date`, `logoURL` is `logo-url`.
    var kebab: String {
        var text = ""
        var isAfterCapital = true
        for character in self {
            if character.isUppercase && !isAfterCapital { text += "-" }
            isAfterCapital = character.isUppercase
            text += character.lowercased()
        }
        return text
    }
}
