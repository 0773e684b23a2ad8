import Events
import Foundation
import Testing

/// The blocks of hexadecimal in a document's worked example, by the name in their first line.
public struct WorkedExample: Sendable {
    public let blocks: [String: [UInt8]]

    /// Throws if the document cannot be read, or its blocks are malformed.
    public init(in document: String) throws {
        let text = try String(contentsOfFile: document, encoding: .utf8)
        let example = try #require(text.components(separatedBy: "## A worked example").last)
        var blocks: [String: [UInt8]] = [:]
        // Every second part lies between two fences.
        for (index, part) in example.components(separatedBy: "```").enumerated() where index % 2 == 1 {
            let lines = part.split(separator: "\n")
            let name = String(try #require(lines.first))
            let digits = lines.dropFirst().map { line in line.prefix { $0 != "#" }.filter { $0 != " " } }
            let bytes = try #require([UInt8](hexadecimal: digits.joined()), "the block \(name)")
            try #require(blocks.updateValue(bytes, forKey: name) == nil, "two blocks are named \(name)")
        }
        self.blocks = blocks
    }

    public func block(_ name: String) throws -> [UInt8] { try #require(blocks[name], "no block \(name)") }

    /// The rows of a table, key to value in hexadecimal.
    public func rows(of table: String) -> [String: String] {
        var rows: [String: String] = [:]
        for (name, bytes) in blocks {
            let words = name.split(separator: " ")
            guard words.first.map(String.init) == table else { continue }
            let key = words.dropFirst().joined()
            rows[table == "meta" ? Array(key.utf8).hexadecimal : key] = bytes.hexadecimal
        }
        return rows
    }
}
