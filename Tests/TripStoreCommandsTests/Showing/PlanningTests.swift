import Foundation
import StoreSupport
import TestSupport
import Testing

/// A script that plans a journey; its whole output is compared with the files in `Tests/TripPlanning/expected`. With
/// TRIPSTORE_WRITE_EXPECTED in the environment the files are written instead.
@Suite("The planning of a real trip")
struct PlanningTests {
    @Test(
        "Planning it says what is in the file, and each terminal shows it as its file does: no line is wider than that")
    func everyTerminal() async throws {
        let tool = Tool()
        try FileManager.default.createDirectory(at: tool.folder.url, withIntermediateDirectories: true)
        let folder = SourceFile.path("Tests/TripPlanning")
        let planned = try tool.shell("LC_ALL=C.UTF-8 sh '\(folder)/plan.sh' 2>&1")
        #expect(planned.code == 0, "\(planned.text)")
        var names = Names()
        try check(names.stable(planned.text), "plan")
        for columns in [60, 80, 140] {
            for (locale, word) in [("C.UTF-8", "utf8"), ("C", "ascii")] {
                let shown = try tool.shell("COLUMNS=\(columns) LC_ALL=\(locale) sh '\(folder)/show.sh' 2>&1")
                #expect(shown.code == 0)
                try check(names.stable(shown.text), "show-\(columns)-\(word)")
                let lines = shown.text.split(separator: "\n").filter { !$0.hasPrefix("$ ") }
                #expect(lines.filter { width($0) > columns } == [])
                if word == "ascii" { #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }) }
            }
        }
        await tool.expectInvariants()
    }

    /// The width of each character on a terminal.
    private func width(_ line: Substring) -> Int {
        line.unicodeScalars.reduce(0) { sum, scalar in
            sum + (scalar.properties.generalCategory == .nonspacingMark ? 0 : 0x2E80...0xFFEF ~= scalar.value ? 2 : 1)
        }
    }

    private func check(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let path = SourceFile.path("Tests/TripPlanning/expected/\(name).txt")
        if ProcessInfo.processInfo.environment["TRIPSTORE_WRITE_EXPECTED"] != nil {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        }
        let expected = try String(contentsOfFile: path, encoding: .utf8)
        for (line, other) in zip(text.components(separatedBy: "\n"), expected.components(separatedBy: "\n")) {
            #expect(line == other, "\(name)", sourceLocation: sourceLocation)
        }
        #expect(text == expected, "\(name)", sourceLocation: sourceLocation)
    }
}

/// Replaces what differs from run to run, ids, hashes and the folder, by fixed text of the same length.
private struct Names {
    private var numbers: [Substring: Int] = [:]

    mutating func stable(_ text: String) -> String {
        var text = text.replacing(/position (\d+), [0-9a-f]{12}/) { "position \($0.output.1), ............" }
        text.replace(/replica [0-9a-f]{32}/, with: "replica ................................")
        text.replace(/Created a store at .*/, with: "Created a store at ...")
        text.replace(/journal [0-9A-F-]{36}/, with: "journal ....................................")
        return text.replacing(/[0-9A-F]{8}-[0-9A-F]{4}(-[0-9A-F-]+)?/) { match in
            let key = match.output.0.prefix(13)
            let number = numbers[key] ?? numbers.count + 1
            numbers[key] = number
            let name = "id\(number)"
            return name + String(repeating: ".", count: match.output.0.count - name.count)
        }
    }
}
