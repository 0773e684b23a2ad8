import ArgumentParser
import Foundation
import TripStore

/// Fields that apps have added, by the names that the log has.
struct OwnFieldOptions: ParsableArguments {
    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            """
            Set a field that an app has added, or an entry of a map; may be given several times. The log must name the field. Text, numbers, \
            days, ids and yes or no are as they are shown, an instant is ISO 8601, a moment a local time and its zone, an amount digits and its \
            currency, data base 64, and another entity its id, the first digits of that, or its name.
            """, valueName: "name=value|name[key]=value"))
    var assignments: [String] = []

    @Option(
        name: .customLong("insert"),
        help: ArgumentHelp(
            """
            Add to 'links' or 'contacts', or to a set, to the end of a list or to a counter that an app has added; may be given several times. A \
            link is its address, or as JSON prints it, with a title; a contact is its name, or as JSON prints it, with a telephone number, an \
            address of e-mail and a role.
            """, valueName: "name=value"))
    var insertions: [String] = []

    @Option(
        name: .customLong("remove"),
        help: ArgumentHelp(
            "Remove from 'links' or 'contacts', a set or a list, or the entry of a key from a map; may be given several times.",
            valueName: "name=value"))
    var removals: [String] = []

    /// Whether any was given.
    var areGiven: Bool { !(assignments.isEmpty && insertions.isEmpty && removals.isEmpty) }

    func validate() throws {
        for (option, texts) in [("set", assignments), ("insert", insertions), ("remove", removals)] {
            for text in texts where OwnFieldArgument(text) == nil {
                throw ArgumentParser.ValidationError("'\(text)' names no field. Give --\(option) NAME=VALUE.")
            }
        }
    }

    /// Sets the fields. Throws if the log does not name one of an entity of this kind, or if a value is not of its type.
    /// Names are looked up in `trip` first, or in that of the entity.
    func apply<Entity: TripEntity>(to entity: inout Entity, in store: TripStore, of trip: Trip.ID? = nil) throws {
        let trip = trip ?? Self.trip(of: entity)
        for text in assignments {
            guard var argument = OwnFieldArgument(text) else { continue }
            // A name may have brackets as well.
            if let entry = OwnFieldArgument(entry: text),
                try !store.knownFieldDescriptions().contains(where: {
                    $0.isOfField(of: entity.reference) && $0.name == argument.name
                })
            {
                argument = entry
            }
            let field = try Self.field(argument.name, of: entity.reference, in: store)
            if Self.isNoSplit(argument.value, field) {
                entity.clear(field.number)
                continue
            }
            let value = try Self.value(
                argument.value, of: field.shape == .counter ? .integer : field.type, for: field, in: store, trip)
            switch (field.shape, argument.key) {
            case (.value, nil), (.counter, nil): entity.set(field, to: value)
            case (.map, let key?):
                entity.set(field, try Self.value(key, of: field.keyType, for: field, in: store, trip), to: value)
            case (.map, nil): throw Self.unfit(field, "--set '\(field.name)[KEY]=VALUE'")
            case (.value, _?), (.counter, _?): throw Self.unfit(field, "--set \(field.name)=VALUE")
            default: throw Self.unfit(field, "--insert \(field.name)=VALUE or --remove \(field.name)=VALUE")
            }
        }
        for argument in insertions.compactMap({ OwnFieldArgument($0) }) {
            let field = try Self.field(argument.name, of: entity.reference, in: store)
            guard [.set, .list, .counter].contains(field.shape) else {
                throw Self.unfit(field, "--set \(field.name)\(field.shape == .map ? "[KEY]" : "")=VALUE")
            }
            let type = field.shape == .counter ? .integer : field.type
            entity.add(try Self.value(argument.value, of: type, for: field, in: store, trip), to: field)
        }
        for argument in removals.compactMap({ OwnFieldArgument($0) }) {
            let field = try Self.field(argument.name, of: entity.reference, in: store)
            guard [.set, .list, .map].contains(field.shape) else { throw Self.unfit(field, "--clear \(field.name)") }
            let type = field.shape == .map ? field.keyType : field.type
            guard entity.remove(try Self.value(argument.value, of: type, for: field, in: store, trip), from: field)
            else {
                throw CommandError(
                    "'\(field.name)' has no '\(argument.value)' that could be removed.", code: "notThere")
            }
        }
    }

    /// Sets a field of the store's own to what an option says: a set to the elements that commas separate, and so the entries of a map.
    static func set<Entity: TripEntity>(
        _ name: String, to text: String, of entity: inout Entity, in store: TripStore
    ) throws {
        let field = try field(name, of: entity.reference, in: store)
        let (parts, trip) = (
            text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }, trip(of: entity)
        )
        switch field.shape {
        case .set:
            entity.set(field, toElements: try parts.map { try value($0, of: field.type, for: field, in: store, trip) })
        case .map:
            for part in parts {
                guard let entry = OwnFieldArgument(part) else {
                    throw ArgumentParser.ValidationError(
                        "'\(part)' is no entry of '\(name)'. Give --\(name) NAME=VALUE, several with commas between them."
                    )
                }
                entity.set(
                    field, try value(entry.name, of: field.keyType, for: field, in: store, trip),
                    to: try value(entry.value, of: field.type, for: field, in: store, trip))
            }
        case _ where isNoSplit(text, field): entity.clear(field.number)
        default: entity.set(field, to: try value(text, of: field.type, for: field, in: store, trip))
        }
    }

    /// Whether a text is the word for no split, as JSON prints it.
    private static func isNoSplit(_ text: String, _ field: FieldDescription) -> Bool {
        field.isOfStore && field.name == "split" && text == "equally"
    }

    /// The trip in which names that an entity has are looked up first.
    private static func trip(of entity: some TripEntity) -> Trip.ID? {
        TripItem(entity)?.trip ?? Trip.ID(entity.reference)
    }

    /// The value that a text stands for in a field of an entity.
    static func value(
        _ text: String, of type: OwnFieldType, for field: FieldDescription, on entity: some TripEntity,
        in store: TripStore
    ) throws -> any OwnFieldValue {
        try value(text, of: type, for: field, in: store, trip(of: entity))
    }

    private static func value(
        _ text: String, of type: OwnFieldType, for field: FieldDescription, in store: TripStore, _ trip: Trip.ID?
    ) throws -> any OwnFieldValue {
        if type == .reference, let named = EntityArgument(argument: text) {
            // The store's own fields name travellers alone.
            let kind = field.isOfStore ? Traveller.schema.ownKind : nil
            return try store.entity(
                named, of: kind == nil ? EntityArgument.anyKind : [.own], own: kind,
                in: trip, orElsewhere: true)
        }
        if let value = try OwnFieldInput(text).value(of: type) { return value }
        throw ArgumentParser.ValidationError(
            "'\(text)' is no value of '\(field.name)'. Give \(OwnFieldInput.expectation(of: type)).")
    }

    private static func unfit(_ field: FieldDescription, _ advice: String) -> any Error {
        let what = field.shape == .value ? "has one value" : "is a \(field.shape)"
        return ArgumentParser.ValidationError("'\(field.name)' \(what). Give \(advice).")
    }

    /// The field of a name that the log has.
    static func field(_ name: String, of entity: EntityReference, in store: TripStore) throws -> FieldDescription {
        let fields = try store.knownFieldDescriptions().filter { $0.isOfField(of: entity) }
        var found = fields.filter { $0.name == name }
        // The store's own has the name before those of apps, as in conditions.
        if let builtIn = found.first(where: \.isOfStore) { found = [builtIn] }
        if found.count == 1, let field = found.first { return field }
        if found.isEmpty {
            let names = Set(fields.map(\.name)).sorted().joined(separator: ", ")
            throw CommandError(
                "The log names no field '\(name)' of the kind \(entity.kindWords)."
                    + (names.isEmpty ? " An app's store writes them before its first value." : " It names \(names)."),
                code: "unknownField")
        }
        let namespaces = found.map(\.namespace).sorted().joined(separator: ", ")
        throw CommandError(
            "The fields of several apps are called '\(name)': \(namespaces). The tool cannot tell them apart.",
            code: "ambiguous")
    }
}

/// What sets or changes a field.
private struct OwnFieldArgument {
    let name: String
    var key: String?
    let value: String

    /// `NAME=VALUE`; nil for anything else.
    init?(_ text: String) {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else { return nil }
        name = String(text[..<equals])
        value = String(text[text.index(after: equals)...])
    }

    /// `NAME[KEY]=VALUE`; nil for anything else. The key ends with the first `]=`.
    init?(entry text: String) {
        guard let bracket = text.firstIndex(of: "["), bracket > text.startIndex,
            bracket < text.firstIndex(of: "=") ?? text.endIndex,
            let close = text.range(of: "]=", range: bracket..<text.endIndex)
        else { return nil }
        name = String(text[..<bracket])
        key = String(text[text.index(after: bracket)..<close.lowerBound])
        value = String(text[close.upperBound...])
    }
}

/// A value of an app's field as it was typed.
private struct OwnFieldInput {
    let text: String

    init(_ text: String) { self.text = text }

    /// Nil if it is none of that type.
    func value(of type: OwnFieldType) throws -> (any OwnFieldValue)? {
        switch type {
        case .text: return text
        case .flag: return ["yes": true, "true": true, "no": false, "false": false][text.lowercased()]
        case .integer: return Int(text)
        case .number: return Double(text).flatMap { $0.isFinite ? $0 : nil }
        case .day: return try? Day.written(text)
        case .uuid: return UUID(uuidString: text)
        case .data: return Data(base64Encoded: text)
        case .link: return try PrintedLink(json: text).map { Link($0.url, title: $0.title ?? "") } ?? Link(text)
        case .contact: return try PrintedContact(json: text)?.contact ?? Contact(name: text)
        case .instant: return try Moment(parsing: text, in: "UTC").date
        case .moment: return try lastWord.map { try LocalTime(parsing: $0.before, in: $0.last).moment }
        case .money: return try lastWord.map { try Money(parsing: $0.before, Currency(unchecked: $0.last)) }
        default: return nil
        }
    }

    /// The last word, and what is before it.
    private var lastWord: (before: String, last: String)? {
        guard let space = text.lastIndex(of: " ") else { return nil }
        return (String(text[..<space]), String(text[text.index(after: space)...]))
    }

    /// What would be one.
    static func expectation(of type: OwnFieldType) -> String {
        switch type {
        case .flag: "yes or no"
        case .integer: "a whole number"
        case .number: "a number"
        case .day: "a day, as 2027-05-01"
        case .uuid: "a UUID"
        case .data: "its bytes in base 64"
        case .moment: "a local time and its zone, as '2027-05-01T10:00 Europe/Lisbon'"
        case .money: "an amount and its currency, as '12.50 EUR'"
        default: "it in its app: values of the type \(type) cannot be typed here"
        }
    }
}
