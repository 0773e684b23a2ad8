import ArgumentParser
import Foundation
import TripStore

/// Fields that apps have added, by the names that the log has.
struct OwnFieldOptions: ParsableArguments {
    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            "Set a field that an app has added; may be given several times.",
            discussion: """
                The log must name the field. Text, numbers, days, ids and yes or no are as they are shown, an instant is ISO 8601, a \
                moment a local time and its zone, an amount digits and its currency, and data base 64.
                """, valueName: "name=value"))
    var assignments: [String] = []

    func validate() throws {
        for assignment in assignments where !assignment.dropFirst().contains("=") {
            throw ArgumentParser.ValidationError("'\(assignment)' sets no field. Give --set NAME=VALUE.")
        }
    }

    /// Sets the fields. Throws if the log does not name one of an entity of this kind, or if a value is not of its type.
    func apply<Entity: TripEntity>(to entity: inout Entity, in store: TripStore) throws {
        for assignment in assignments {
            guard let equals = assignment.dropFirst().firstIndex(of: "=") else { continue }
            let field = try Self.field(String(assignment[..<equals]), of: Entity.kind, in: store)
            let text = String(assignment[assignment.index(after: equals)...])
            guard let value = try OwnFieldInput(text).value(of: field.type) else {
                throw ArgumentParser.ValidationError(
                    "'\(text)' is no value of '\(field.name)'. Give \(OwnFieldInput.expectation(of: field.type)).")
            }
            entity.set(field, to: value)
        }
    }

    /// The field of a name that the log has.
    static func field(_ name: String, of kind: EntityKind, in store: TripStore) throws -> FieldDescription {
        let fields = try store.fieldDescriptions().filter { $0.kind == kind }
        let found = fields.filter { $0.name == name }
        if found.count == 1, let field = found.first { return field }
        if found.isEmpty {
            let names = Set(fields.map(\.name)).sorted().joined(separator: ", ")
            throw CommandError(
                "The log names no field '\(name)' of the kind \(kind.words)."
                    + (names.isEmpty ? " An app writes its names with 'describe'." : " It names \(names)."),
                code: "unknownField")
        }
        let namespaces = found.map(\.namespace).sorted().joined(separator: ", ")
        throw CommandError(
            "The fields of several apps are called '\(name)': \(namespaces). The tool cannot tell them apart.",
            code: "ambiguous")
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
        case .day: return Day(text)
        case .uuid: return UUID(uuidString: text)
        case .data: return Data(base64Encoded: text)
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
