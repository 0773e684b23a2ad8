import ArgumentParser
import Foundation
import TripStore

/// The kinds of entities that a command is about.
protocol CommandKinds {
    static var kinds: [any TripEntity.Type] { get }
}

/// One kind.
enum Only<Entity: TripEntity>: CommandKinds {
    static var kinds: [any TripEntity.Type] { [Entity.self] }
}

/// Every kind.
enum AnyKind: CommandKinds {
    static var kinds: [any TripEntity.Type] {
        [Trip.self, Activity.self, Lodging.self, Transportation.self, Organization.self] + StoreKinds.all
    }
}

/// The options for the fields of some kinds, made from their schemas: a field that a schema describes has its option.
///
/// The argument parser finds the properties of a type by reflection, and decodes each by its name. Here it finds an option for
/// each field instead: that of the mirror, decoded by the same name.
struct FieldOptions<Kinds: CommandKinds>: ParsableArguments, CustomReflectable {
    /// What was typed, by the names of the options.
    private(set) var texts: [String: String] = [:]
    private(set) var flags: [String: Bool] = [:]

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: OptionName.self)
        for option in Self.offered {
            let name = OptionName(stringValue: option.name)
            if option.isFlag {
                flags[option.name] = try container.decode(Flag<Bool?>.self, forKey: name).wrappedValue
            } else {
                texts[option.name] = try container.decode(Option<String?>.self, forKey: name).wrappedValue
            }
        }
        if let nights = texts["nights"], texts["end"] == nil { texts["end"] = "+\(nights)d" }
    }

    var customMirror: Mirror {
        let options = Self.offered
        let first = HelpPage.isShort && options.count > FieldOption.most ? FieldOption.first(for: Kinds.self) : nil
        // As the names of properties with a wrapper begin.
        return Mirror(
            self,
            children: options.map { option in
                (label: "_" + option.name, value: option.wrapper(isHidden: first?.contains(option.name) == false))
            })
    }

    /// Options offered to the parser: all, or while a command line is parsed only those that it names.
    private static var offered: [FieldOption] {
        guard let names = TypedOptions.names else { return options }
        return options.filter { !names.isDisjoint(with: $0.names) }
    }

    /// Each once, in the order of the kinds and of their fields.
    static var options: [FieldOption] { FieldOption.all(for: Kinds.self) }

    /// The options that were given.
    var given: [FieldOption] { Self.options.filter { texts[$0.name] != nil || flags[$0.name] != nil } }

    /// Whether no option was given.
    var areNone: Bool { texts.isEmpty && flags.isEmpty }

    /// Gives an option a value, as if it was typed.
    mutating func set(_ name: String, to text: String) { texts[name] = text }

    /// The trip of --trip, where names are looked up first; nil if it is not given.
    func scope(in store: TripStore) throws -> Trip.ID? {
        try texts["trip"].flatMap { EntityArgument(argument: $0) }.map { try store.trip($0) }
    }

    /// What can be told to be no value without looking at the store.
    func validate() throws {
        for option in Self.options {
            guard let text = texts[option.name] else { continue }
            if option.form == .day {
                do { _ = try WrittenWhen(parsing: text) } catch let error as ArgumentParser.ValidationError {
                    throw ArgumentParser.ValidationError("\(option.typed) \(error.message)")
                }
            }
            guard let expected = option.expectation(of: text) else { continue }
            throw ArgumentParser.ValidationError("'\(text)' is no value of \(option.typed). Give \(expected).")
        }
        if let nights = texts["nights"], Int(nights).map({ 1...9999 ~= $0 && texts["end"] == "+\($0)d" }) != true {
            throw ArgumentParser.ValidationError("--nights is a number from 1 on, and stands in place of --end.")
        }
    }
}

/// The names of options in the command line that is parsed.
///
/// The parser makes each option of a command a hundred times for one command line in a debug build, where it checks them, and a few times
/// otherwise. In a debug build an `edit` takes 0.22 s with all options, and 0.07 s with those that are typed.
enum TypedOptions {
    @TaskLocal static var names: Set<String>?

    static func names(in arguments: [String]) -> Set<String> {
        var names: Set<String> = []
        for argument in arguments where argument.hasPrefix("--") {
            let name = String(argument.dropFirst(2).prefix { $0 != "=" })
            names.insert(name)
            if name.hasPrefix("no-") { names.insert(String(name.dropFirst(3))) }
        }
        return names
    }
}

/// The name of an option as the key under which the argument parser keeps its value.
private struct OptionName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension FieldOption {
    /// What a value must be that a text is not; nil if it is one, or if only the store can tell.
    fileprivate func expectation(of text: String) -> String? {
        switch (form, part) {
        case (.choice(let words), _):
            words.contains { $0 == text || $0.kebab == text }
                ? nil : "one of \(words.map(\.kebab).joined(separator: ", "))"
        case (_, .latitude), (_, .longitude): Double(text) == nil ? "degrees, as 38.71" : nil
        case (.uuid, _): UUID(uuidString: text) == nil ? "an id" : nil
        case (.reference, _): text.isEmpty ? "an id, or a name" : nil
        default: nil
        }
    }
}
