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
    fileprivate(set) var isCommon: Bool
    /// Other names of it, as `departure` for the start of a journey.
    fileprivate(set) var aliases: [String] = []

    /// All of its names.
    var names: [String] { [name] + aliases }

    var isFlag: Bool { form == .flag }

    /// As it is typed.
    var typed: String { "--" + name }

    /// What the argument parser makes the option from.
    func wrapper(isHidden: Bool) -> Any {
        let help = ArgumentHelp(help, valueName: valueName, visibility: isHidden ? .hidden : .default)
        if isFlag { return Flag<Bool?>(name: .customLong(name), inversion: .prefixedNo, help: help) }
        let isNumber = form == .money && part == .whole || part == .latitude || part == .longitude
        return Option<String?>(
            name: NameSpecification(names.map { .customLong($0) }), parsing: isNumber ? .unconditional : .next,
            help: help, completion: completion)
    }

    /// The name of the value in the help; nil for the option's.
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
private let optionsOfKinds = Mutex<[ObjectIdentifier: (all: [FieldOption], first: Set<String>)]>([:])

extension FieldOption {
    /// The options for the fields of some kinds, each once, in the order of the kinds and of their fields.
    static func all(for kinds: (some CommandKinds).Type) -> [FieldOption] { known(for: kinds).all }

    /// The names of those on the short page of their help: the ones that people give often in the most kinds.
    static func first(for kinds: (some CommandKinds).Type) -> Set<String> { known(for: kinds).first }

    /// The most options for fields on a short page.
    static let most = 10

    private static func known(for kinds: (some CommandKinds).Type) -> (all: [FieldOption], first: Set<String>) {
        optionsOfKinds.withLock { known in
            if let options = known[ObjectIdentifier(kinds)] { return options }
            var options = kinds.kinds.flatMap { all(for: $0.fieldOutlines) }.flatMap(\.options)
            // An entry has no trip, and the names of lists are those of copies too.
            if kinds.kinds.contains(where: { $0 == ChecklistEntry.self }) {
                options.append(
                    FieldOption(
                        name: "trip", help: TripScope.help, form: .text, part: .whole, theme: .what, isCommon: true))
            }
            if kinds.kinds.contains(where: { $0 == Lodging.self }) { options.append(nights) }
            let uses = Dictionary(options.filter(\.isCommon).map { ($0.name, 1) }, uniquingKeysWith: +)
            options = distinct(options)
            // Sorted as they are where kinds are as many.
            let common = options.enumerated().map { (name: $1.name, uses: uses[$1.name] ?? 0, place: $0) }
                .filter { $0.uses > 0 }.sorted { ($1.uses, $0.place) < ($0.uses, $1.place) }
            let first = Set(common.prefix(most).map(\.name))
            known[ObjectIdentifier(kinds)] = (options, first)
            return (options, first)
        }
    }

    /// Each name once; another name that one kind has for an option holds for all.
    private static func distinct(_ options: [FieldOption]) -> [FieldOption] {
        var (distinct, places) = ([FieldOption](), [String: Int]())
        for option in options {
            if let place = places[option.name] {
                let known = distinct[place].aliases
                distinct[place].aliases += option.aliases.filter { !known.contains($0) }
            } else {
                places[option.name] = distinct.count
                distinct.append(option)
            }
        }
        return distinct
    }

    /// The length of a stay, which stands for its end.
    static let nights = FieldOption(
        name: "nights", help: "The nights of a stay, in place of --end.", form: .text, part: .whole, theme: .when,
        isCommon: false)

    /// The options for each field of a kind; none for one that people do not write.
    static func all(for fields: [FieldOutline]) -> [(field: FieldOutline, options: [FieldOption])] {
        let money = fields.first { $0.form == .money && $0.help != nil }?.number
        // People say of a journey when it departs, and of all else from when on it is.
        let isJourney = fields.contains { $0.name == "mode" }
        let aliases = [
            "start": [isJourney ? "departure" : "from"], "end": isJourney ? ["arrival"] : ["until", "to"],
            "customLocationName": ["place"],
        ]
        // Its two places say more of a journey.
        let ofJourney = ["departureName": true, "arrivalName": true, "customLocationName": false, "paid": false]
        return fields.map { field in
            var options = all(for: field, isFirstMoney: field.number == money)
            if [.moment, .text].contains(field.form), !options.isEmpty, let aliases = aliases[field.name] {
                options[0].aliases = aliases
            }
            if isJourney, !options.isEmpty, let isCommon = ofJourney[field.name] { options[0].isCommon = isCommon }
            return (field, options)
        }
    }

    /// The currency of a kind's first amount has the short name.
    private static func all(for field: FieldOutline, isFirstMoney: Bool) -> [FieldOption] {
        guard let purpose = field.help else { return [] }
        let (name, help) = (field.name.kebab, purpose.text)
        func option(_ name: String, _ help: String, _ part: Part = .whole) -> FieldOption {
            FieldOption(
                name: name, help: help, form: field.isAdded ? .text : field.form, part: part, theme: field.theme,
                isCommon: purpose.isCommon && part == .whole)
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
                    "\(help) Local time, as 'fri 20:05' or 2027-05-01T10:00, or with an offset; or as JSON prints it."),
                option(
                    "\(name)-time-zone",
                    "The zone of --\(name), as Europe/Lisbon, where trip and place do not tell it.",
                    .zone),
            ]
        case .money:
            let currency = isFirstMoney ? "currency" : "\(name)-currency"
            return [
                option(name, "\(help) As '12.34 EUR', or 12.34 with --\(currency); or as JSON prints it."),
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
