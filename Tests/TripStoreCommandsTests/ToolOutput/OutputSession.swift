import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStore

/// Runs commands with `--json`, and keeps what they print.
struct OutputSession {
    let tool: Tool
    private(set) var lines: [PrintedLine] = []

    /// Runs a command that prints such an object, or several, and returns the first.
    @discardableResult
    mutating func run(_ object: String, _ arguments: String..., code: Int32 = 0) async throws -> [String: Any] {
        let arguments = arguments + ["--json"]
        let outcome =
            ["clone", "config"].contains(arguments[0]) ? await Tool.run(arguments) : await tool.run(arguments)
        #expect(outcome.code == code, "\(arguments): \(outcome.error)")
        let isNested = ["add", "audit", "bundle", "feed"].contains(arguments[0])
        let command = arguments.prefix(isNested ? 2 : 1).joined(separator: " ")
        lines += outcome.out.map { PrintedLine(command: command, object: object, text: $0) }
        return try outcome.object()
    }

    /// Adds the output of another session.
    mutating func append(_ line: PrintedLine) { lines.append(line) }

    mutating func add(_ kind: String, _ arguments: String...) async throws -> String {
        let outcome = await tool.run(["add", kind] + arguments + ["--json"])
        lines += outcome.out.map { PrintedLine(command: "add \(kind)", object: "addition", text: $0) }
        return try #require(try outcome.object()["id"] as? String, "\(outcome.error)")
    }
}
