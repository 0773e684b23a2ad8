import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStore

/// A line, the command that printed it, and the object that it is to be.
struct PrintedLine {
    let command: String
    let object: String
    let text: String
}

/// A printed value: members in their order, and numbers as their digits.
indirect enum PrintedValue {
    case null
    case boolean
    case number(String)
    case text(String)
    case list([PrintedValue])
    case object([(name: String, value: PrintedValue)])

    private struct Malformed: Error {}

    /// Throws if the line is no JSON, or has white space outside of strings.
    init(_ line: String) throws {
        let token = /"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^{}\[\]:,"\s]+/.matchingSemantics(.unicodeScalar)
        let tokens = line.matches(of: token).map(\.output)
        try #require(tokens.joined() == line && !line.contains("\n"))
        _ = try JSONSerialization.jsonObject(with: Data(line.utf8))
        var rest = tokens[...]
        self = try PrintedValue(&rest)
    }

    private init(_ tokens: inout ArraySlice<Substring>) throws {
        guard let token = tokens.popFirst() else { throw Malformed() }
        switch token {
        case "null": self = .null
        case "true", "false": self = .boolean
        case "[":
            var entries: [PrintedValue] = []
            while tokens.first != "]" {
                if !entries.isEmpty { tokens.removeFirst() }
                entries.append(try PrintedValue(&tokens))
            }
            tokens.removeFirst()
            self = .list(entries)
        case "{":
            var members: [(name: String, value: PrintedValue)] = []
            while tokens.first != "}" {
                if !members.isEmpty { tokens.removeFirst() }
                guard let name = tokens.popFirst(), tokens.popFirst() == ":" else { throw Malformed() }
                members.append((try Self.string(name), try PrintedValue(&tokens)))
            }
            tokens.removeFirst()
            self = .object(members)
        default: self = token.hasPrefix("\"") ? .text(try Self.string(token)) : .number(String(token))
        }
    }

    private static func string(_ token: Substring) throws -> String {
        try JSONDecoder().decode(String.self, from: Data(token.utf8))
    }
}
