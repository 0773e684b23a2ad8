import Foundation
import TestSupport
import Testing
import TripStore

@testable import TripFormats

/// Tables that Python's module `csv` writes in its dialects, which is nothing of ours.
@Suite("Tables of Python", .enabled(if: Program.succeeds("python3", "-c", "import csv")))
struct ForeignTableTests {
    /// Reads rows of JSON, and writes them in a dialect and an encoding.
    private static let script = """
        import csv, io, json, sys
        given = json.load(sys.stdin)
        text = io.StringIO(newline="")
        kinds = {"all": csv.QUOTE_ALL, "minimal": csv.QUOTE_MINIMAL, "nonnumeric": csv.QUOTE_NONNUMERIC}
        writer = csv.writer(text, delimiter=given["delimiter"], lineterminator=given["end"], quoting=kinds[given["quotes"]])
        writer.writerows(given["rows"])
        sys.stdout.buffer.write(text.getvalue().encode(given["encoding"]))
        """

    private struct Given: Encodable {
        let rows: [[String]]
        let delimiter: String
        let end: String
        let quotes: String
        let encoding: String
    }

    /// Without what Windows-1252 has between 0x80 and 0xBF: behind a letter it might be UTF-8.
    private static let letters = Array("abÄß,;\t|\"'=+- \n.é")

    @Test(
        "Texts in any delimiter, line end, quoting and encoding come back as they were written",
        arguments: Seeds.some(6))
    func texts(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let rows = (0..<30).map { number in
            // White space around a text, and a text of nothing else, is not kept.
            [
                "n\(number)",
                "x"
                    + String(
                        (0..<Int.random(in: 0...8, using: &random)).compactMap { _ in
                            Self.letters.randomElement(using: &random)
                        }) + "x",
            ]
        }
        for delimiter in [",", ";", "\t", "|"] {
            let given = Given(
                rows: [["Name", "Note"]] + rows, delimiter: delimiter,
                end: ["\r\n", "\n"].randomElement(using: &random) ?? "\n",
                quotes: ["all", "minimal", "nonnumeric"].randomElement(using: &random) ?? "all",
                encoding: ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"].randomElement(using: &random)
                    ?? "utf-8")
            let output = try #require(
                try Program.run("python3", ["-c", Self.script], input: [UInt8](JSONEncoder().encode(given))))
            try #require(output.code == 0, "\(output.complaint)")
            let mapping = try TableMapping(
                json: Array(#"{"source":"x","columns":{"name":"name","notes":"NOTE"}}"#.utf8))
            let table = try TableItems(reading: output.bytes, mapping, zone: "UTC", currency: "EUR")
            #expect(table.faults.isEmpty, "\(seed) \(given.encoding) \(table.faults)")
            #expect(table.entries.map { [$0.item.name, $0.item.notes ?? ""] } == rows, "\(seed) \(given)")
        }
    }
}
