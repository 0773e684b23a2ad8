import TestSupport
import Testing

@testable import TripStoreCommands

@Suite("Tables for spreadsheets")
struct CSVTableTests {
    private static func record(_ cells: CSVTable.Cell...) -> String {
        var table = CSVTable(columns: [])
        table.add(cells)
        return table.records()[1]
    }

    @Test(
        "A text is quoted where it has a separator, a quote or a line break, and no formula",
        arguments: [
            ("", ""), ("Tram 28", "Tram 28"), ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""),
            ("two\nlines", "\"two\nlines\""), ("two\r\nlines", "\"two\r\nlines\""), ("=1+1", "'=1+1"), ("+1", "'+1"),
            ("-1", "'-1"),
            ("@SUM(A1)", "'@SUM(A1)"), ("\tx", "'\tx"), ("\rx", "\"'\rx\""), ("=\"a\",b", "\"'=\"\"a\"\",b\""),
            ("1-2", "1-2"), ("\u{1B}[2J", "\\u{1b}[2J"), ("東京", "東京"),
        ])
    func texts(text: String, record: String) {
        #expect(Array(Self.record(.text(text)).unicodeScalars) == Array(record.unicodeScalars))
    }

    @Test("Numbers stay numbers, and what is missing is empty")
    func cells() {
        #expect(Self.record(.number("-5.10"), .empty, .optional(nil), .integer(7), .text("x")) == "-5.10,,,7,x")
    }

    private static let isThere = Program.succeeds("python3", "-c", "import csv")

    @Test("Python's reader finds what was written", .enabled(if: Self.isThere), arguments: Seeds.some(5))
    func python(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var table = CSVTable(columns: ["a", "b"])
        var expected: [String] = ["a|b"]
        let letters = Array("ab,\"\n '=é")
        for _ in 0..<50 {
            let texts = (0..<2).map { _ in
                "x"
                    + String(
                        (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                            letters.randomElement(using: &generator) ?? "a"
                        })
            }
            table.add(texts.map { .text($0) })
            expected.append(texts.joined(separator: "|"))
        }
        let script = """
            import csv, io, sys
            text = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", newline="")
            sys.stdout.write("\\0".join("|".join(row) for row in csv.reader(text, strict=True)))
            """
        let input = table.records().map { $0 + "\r\n" }.joined()
        let output = try #require(try Program.run("python3", ["-c", script], input: Array(input.utf8)))
        #expect(output.code == 0, "\(output.complaint)")
        #expect(output.text.split(separator: "\0").map(String.init) == expected)
    }
}
