import Foundation
import TripStore

/// A JSON value whose members keep their order, so that output is the same each time and reads well.
enum JSON {
    case null
    case bool(Bool)
    case number(Int128)
    case double(Double)
    case string(String)
    case array([JSON])
    case object([(String, JSON)])

    static func integer(_ value: some BinaryInteger) -> JSON { .number(Int128(truncatingIfNeeded: value)) }

    static func optional(_ value: String?) -> JSON { value.map { .string($0) } ?? .null }

    /// The text on one line.
    var text: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .number(let value): text += String(value)
        case .double(let value): text += value.isFinite ? "\(value)" : "null"
        case .string(let value): Self.write(value, to: &text)
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += "," }
                element.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                Self.write(member.0, to: &text)
                text += ":"
                member.1.write(to: &text)
            }
            text += "}"
        }
    }

    private static func write(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{0}"..<"\u{20}", "\u{7F}": text += "\\u" + String(format: "%04x", scalar.value)
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

extension JSONValue {
    /// The same with members in the order of their names.
    var ordered: JSON {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .integer(let value): .number(Int128(value))
        case .number(let value): .double(value)
        case .string(let value): .string(value)
        case .object(let members):
            .object(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value.ordered) })
        }
    }
}
