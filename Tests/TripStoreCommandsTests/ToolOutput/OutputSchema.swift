import Foundation
import Testing

@testable import TripStoreCommands

/// The JSON Schema of what is printed, made of the document's tables, and a check of values against it.
struct OutputSchema {
    /// By the names of types and objects.
    private var definitions: [(name: String, schema: JSON)] = []

    init(_ document: OutputDocument) throws {
        for type in document.types.sorted() where type != "value" {
            definitions.append((type, Self.plain(type)))
        }
        // Whatever a field holds.
        definitions.append(("value", .object([])))
        for object in document.objects.keys.sorted() {
            let rows = document.rows(of: object)
            let schema: [(String, JSON)] = [
                ("type", .string("object")),
                ("properties", .object(rows.map { ($0.member, Self.schema(of: $0.type)) })),
                ("required", .array(rows.map { .string($0.member) })),
            ]
            definitions.append((object, .object(schema)))
        }
    }

    private static func plain(_ type: String) -> JSON {
        if ["boolean", "integer", "number"].contains(type) { return .object([("type", .string(type))]) }
        let form = OutputCheck.forms[type] ?? ""
        let pattern: [(String, JSON)] = type == "text" ? [] : [("pattern", .string("^(?:\(form))$"))]
        return .object([("type", .string("string"))] + pattern)
    }

    private static func schema(of type: String) -> JSON {
        let choices = type.components(separatedBy: " or ")
        guard choices.count == 1 else { return .object([("anyOf", .array(choices.map(schema)))]) }
        if type == "null" { return .object([("type", .string("null"))]) }
        if type.hasPrefix("list of ") {
            let items = schema(of: String(type.dropFirst("list of ".count)))
            return .object([("type", .string("array")), ("items", items)])
        }
        if type == "integer by replica" {
            return .object([
                ("type", .string("object")), ("propertyNames", reference("replica")),
                ("additionalProperties", reference("integer")),
            ])
        }
        if type.hasSuffix(" by field") {
            let values = schema(of: String(type.dropLast(" by field".count)))
            return .object([("type", .string("object")), ("additionalProperties", values)])
        }
        return reference(type)
    }

    private static func reference(_ name: String) -> JSON {
        .object([("$ref", .string("#/$defs/" + name.replacing(" ", with: "%20")))])
    }

    /// The schema, a line for each definition.
    var text: String {
        let lines = definitions.map { "\(JSON.string($0.name).text):\($0.schema.text)" }
        return """
            {"$schema":"https://json-schema.org/draft/2020-12/schema",
            "title":"What tripstore prints with --json",
            "$defs":{
            \(lines.joined(separator: ",\n"))
            }}

            """
    }

    // MARK: Checking

    /// The faults of a value, each with its path; empty if it matches the definition.
    func faults(of value: PrintedValue, as name: String) -> [String] {
        guard let schema = definitions.first(where: { $0.name == name })?.schema else {
            return ["no schema of \(name)"]
        }
        return faults(value, schema, name)
    }

    private func faults(_ value: PrintedValue, _ schema: JSON, _ place: String) -> [String] {
        guard case .object(let rules) = schema else { return ["\(place): no schema"] }
        return rules.flatMap { rule, operand in faults(value, rule, operand, place) }
    }

    private func faults(_ value: PrintedValue, _ rule: String, _ operand: JSON, _ place: String) -> [String] {
        switch (rule, operand, value) {
        case ("$ref", .string(let target), _):
            return faults(of: value, as: target.replacing("#/$defs/", with: "").replacing("%20", with: " "))
                .map { "\(place): \($0)" }
        case ("anyOf", .array(let choices), _):
            let all = choices.map { faults(value, $0, place) }
            return all.contains([]) ? [] : all.first ?? []
        case ("type", .string(let type), _): return value.has(type) ? [] : ["\(place) is no \(type)"]
        case ("pattern", .string(let pattern), .text(let text)):
            return text.range(of: pattern, options: .regularExpression) == nil ? ["\(place): \(text)"] : []
        case ("required", .array(let names), .object(let members)):
            let found = Set(members.map { JSON.string($0.name).text })
            return names.map(\.text).filter { !found.contains($0) }.map { "\(place) lacks \($0)" }
        case ("properties", .object(let schemas), .object(let members)):
            return members.flatMap { name, member in
                guard let schema = schemas.first(where: { $0.0 == name })?.1 else { return ["\(place) has \(name)"] }
                return faults(member, schema, "\(place).\(name)")
            }
        case ("additionalProperties", _, .object(let members)):
            return members.flatMap { faults($0.value, operand, "\(place).\($0.name)") }
        case ("propertyNames", _, .object(let members)):
            return members.flatMap { faults(.text($0.name), operand, place) }
        case ("items", _, .list(let entries)): return entries.flatMap { faults($0, operand, place) }
        default: return []
        }
    }
}

extension PrintedValue {
    /// Whether it is of a type of JSON Schema.
    fileprivate func has(_ type: String) -> Bool {
        switch self {
        case .null: type == "null"
        case .boolean: type == "boolean"
        case .number(let digits): type == "number" || (type == "integer" && !digits.contains { ".eE".contains($0) })
        case .text: type == "string"
        case .list: type == "array"
        case .object: type == "object"
        }
    }
}
