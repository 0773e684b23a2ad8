import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStore

/// The tables of the document.
struct OutputDocument {
    struct Row {
        /// The table that has the row; another one if it is included.
        let table: String
        let member: String
        let type: String
    }

    /// The rows of each object, without those of other tables.
    private(set) var objects: [String: [Row]] = [:]
    /// What each command prints.
    private(set) var commands: [String: String] = [:]
    /// The type of each field's values.
    private(set) var fields: [String: String] = [:]
    /// The types that are no objects.
    private(set) var types: Set<String> = []
    /// The objects whose rows other tables include.
    var included: Set<String> { Set(parts.values.flatMap { $0.map(\.included) }) }
    /// Of each object, in their order: a row of its own, or the name of an object that it includes.
    private var parts: [String: [(row: Row?, included: String)]] = [:]

    init() throws {
        let path = SourceFile.path("Tools/TripStoreCommands/TripStoreCommands.docc/ToolOutput.md")
        var header: [String]?
        for line in try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n") {
            guard line.hasPrefix("|") else {
                header = nil
                continue
            }
            let cells = line.dropFirst().dropLast().components(separatedBy: "|").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard let names = header else {
                header = cells
                continue
            }
            if !cells[0].hasPrefix("---") { try add(cells, below: names) }
        }
    }

    private mutating func add(_ cells: [String], below header: [String]) throws {
        try #require(cells.count == header.count, "\(cells)")
        let names = cells[0].components(separatedBy: ", ").map { $0.replacing("`", with: "") }
        switch header {
        case ["command", "prints", "object"]: for name in names { commands[name] = cells[2] }
        case ["field", "type", "meaning"]: for name in names { fields[name] = cells[1] }
        case ["type", "JSON", "form"]: types.formUnion(names)
        case [header[0], "type", "meaning"]:
            let object = header[0]
            objects[object, default: []] += []
            guard !names[0].hasPrefix("all of ") else {
                parts[object, default: []].append((nil, String(names[0].dropFirst("all of ".count))))
                return
            }
            let row = Row(table: object, member: names[0], type: cells[1])
            objects[object, default: []].append(row)
            parts[object, default: []].append((row, ""))
        default: break
        }
    }

    /// The rows of an object, those of the tables that it includes in their place.
    func rows(of object: String) -> [Row] {
        (parts[object] ?? []).flatMap { part in part.row.map { [$0] } ?? rows(of: part.included) }
    }
}
