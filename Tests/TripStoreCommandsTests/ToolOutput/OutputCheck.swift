import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStore

/// Checks lines, and notes which members they have.
struct OutputCheck {
    let document: OutputDocument
    private(set) var faults: [String] = []
    /// As `table.member`.
    private(set) var printed: Set<String> = []

    /// The form of each type that is a text.
    static let forms = [
        "text": "(?s:.*)", "id": "[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}", "replica": replica,
        "hash": hash, "commit id": commit, "frontier": "(\(commit)(,\(commit))*)?",
        "time": #"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"#,
        "local time": #"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?(Z|[+-]\d\d:\d\d)"#, "day": #"\d{4}-\d\d-\d\d"#,
        "kind":
            #"trip|activity|lodging|transportation|organization|traveller|budget|rate|checklist|entry|attachment|schema|own\..+|\d+"#,
        "verb": #"created|edited|deleted|restored|verb \d+"#,
    ]
    private static let replica = "[0-9a-f]{32}"
    private static let hash = "[0-9a-f]{64}"
    private static let commit = "\(replica):[0-9]+:\(hash)"

    init(_ document: OutputDocument) { self.document = document }

    mutating func line(_ line: PrintedLine) {
        let objects = document.commands[line.command]?.components(separatedBy: " or ") ?? []
        if !objects.contains(line.object) { faults.append("\(line.command) prints a \(line.object)") }
        do { value(try PrintedValue(line.text), line.object, line.command, field: nil) } catch {
            faults.append("\(line.command): \(error)")
        }
    }

    /// - Parameter field: the name of the field whose value it is, if that is known.
    private mutating func value(_ value: PrintedValue, _ type: String, _ path: String, field: String?) {
        var choices = type.components(separatedBy: " or ")
        if type == "value" {
            let known = field.flatMap { document.fields[$0] }.map { [$0] }
            // In the sides of a conflict the field is not beside the value, and a deletion is true.
            let any = document.fields.values + ["boolean", "integer", "number"]
            choices = (known ?? any) + ["unread value", "null"]
        }
        var first: [String] = []
        for choice in choices {
            var attempt = self
            attempt.one(value, choice, path)
            if attempt.faults.count == faults.count {
                self = attempt
                return
            }
            if first.isEmpty { first = attempt.faults }
        }
        faults = first
    }

    private mutating func one(_ value: PrintedValue, _ type: String, _ path: String) {
        switch value {
        case .null where type == "null": break
        case .boolean where type == "boolean": break
        case .number(let digits) where type == "integer" && Self.matches(digits, "-?[0-9]+"): break
        case .number where type == "number": break
        case .text(let text) where Self.forms[type].map({ Self.matches(text, $0) }) == true: break
        case .list(let entries) where type.hasPrefix("list of "):
            let type = String(type.dropFirst("list of ".count))
            for entry in entries { self.value(entry, type, path, field: nil) }
        case .object(let members) where type == "integer by replica":
            for (name, value) in members {
                if !Self.matches(name, Self.replica) { faults.append("\(path): \(name) is no replica") }
                self.value(value, "integer", path, field: nil)
            }
        case .object(let members) where type.hasSuffix(" by field"):
            let type = String(type.dropLast(" by field".count))
            for (name, value) in members { self.value(value, type, "\(path).\(name)", field: nil) }
        case .object(let members) where document.objects[type] != nil: object(members, type, path)
        default: faults.append("\(path) is no \(type)")
        }
    }

    private mutating func object(_ members: [(name: String, value: PrintedValue)], _ type: String, _ path: String) {
        let rows = document.rows(of: type)
        let names = members.map(\.name)
        let expected = rows.map(\.member)
        if names != expected { faults.append("\(path) has \(names) in the place of \(expected)") }
        let field = members.lazy.compactMap { name, value -> String? in
            if name == "field", case .text(let text) = value { text } else { nil }
        }.first
        for (name, value) in members {
            guard let row = rows.first(where: { $0.member == name }) else { continue }
            printed.insert("\(row.table).\(name)")
            self.value(value, row.type, "\(path).\(name)", field: field)
        }
    }

    private static func matches(_ text: String, _ form: String) -> Bool {
        text.range(of: "\\A(?:\(form))\\z", options: .regularExpression) != nil
    }
}
