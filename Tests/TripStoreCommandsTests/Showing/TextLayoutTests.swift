import Testing

@testable import TripStoreCommands

@Suite("Text in columns")
struct TextLayoutTests {
    @Test(
        "Ideographs, hangul and emoji take two columns, marks none",
        arguments: [
            ("", 0), ("abc", 3), ("café", 4), ("cafe\u{301}", 4), ("東京", 4), ("서울", 4), ("\u{1112}\u{1161}\u{11AB}", 2),
            ("😀", 2), ("👨‍👩‍👧", 2), ("🇯🇵", 2), ("❤️", 2), ("שלום", 4), ("ｱ", 1), ("Ａ", 2), ("…–→", 3), ("a\u{200B}b", 2),
        ])
    func columns(text: String, columns: Int) { #expect(text.columns == columns, "\(text)") }

    @Test("What is cut ends in an ellipsis and is no wider than the room, and a character is never halved")
    func cutting() {
        let layout = TextLayout()
        #expect(layout.cut("Lisbon", to: 6) == "Lisbon")
        #expect(layout.cut("Lisbon", to: 5) == "Lisb…")
        #expect(layout.cut("東京タワー", to: 6) == "東京…")
        #expect(layout.cut("👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", to: 5) == "👨‍👩‍👧👨‍👩‍👧…")
        #expect(TextLayout(isASCII: true).cut("Lisbon", to: 5) == "Li...")
        #expect(TextLayout(isASCII: true).cut("\\u{6771}\\u{4eac}", to: 12) == "\\u{6771}...", "an escape stays whole")
        for width in 1...12 { #expect(layout.cut("aé東👨‍👩‍👧b京c", to: width).columns <= width) }
    }

    @Test("Text is broken between words, and words that are too long are broken too; nothing is lost")
    func wrapping() {
        let layout = TextLayout()
        #expect(layout.wrapped("one two three", to: 7) == ["one two", "three"])
        #expect(layout.wrapped("one two three", to: nil) == ["one two three"])
        #expect(layout.wrapped("abcdefgh ij", to: 3) == ["abc", "def", "gh", "ij"])
        #expect(layout.wrapped("東京タワー", to: 4) == ["東京", "タワ", "ー"])
        let text = "a bb  ccc dddd eeeee ffffff ggggggg"
        for width in 2...40 {
            let lines = layout.wrapped(text, to: width)
            #expect(lines.allSatisfy { $0.columns <= width })
            #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
        }
    }

    @Test("A list of values is cut between two of them, so that no amount looks like another one")
    func lists() {
        let layout = TextLayout()
        let costs = "1234.50 EUR, 99.00 USD, 5000 JPY"
        #expect(layout.cutList(costs, to: 40) == costs)
        #expect(layout.cutList(costs, to: 30) == "1234.50 EUR, 99.00 USD, …")
        #expect(layout.cutList(costs, to: 20) == "1234.50 EUR, …")
        #expect(layout.leastWidth(ofList: costs) == 14 && layout.leastWidth(ofList: "9 EUR") == 5)
        #expect(TextLayout(isASCII: true).cutList(costs, to: 20) == "1234.50 EUR, ...")
        #expect(layout.cutList(costs, to: 8) == "1234.50…")
    }

    @Test("A column of names is cut last, and other columns are left out before that")
    func names() {
        let rows = [["1", "A name of twenty-four", "1234.50 EUR, 99.00 USD", "far away"]]
        func line(_ columns: Int) -> String {
            let console = Console(out: { _ in }, error: { _ in }, layout: TextLayout(columns: columns))
            return Console.$current.withValue(console) {
                TextTable(cutting: [1, 2, 3], dropping: [3], naming: 1, listing: [2]).lines(rows).joined()
            }
        }
        #expect(line(80) == "1  A name of twenty-four  1234.50 EUR, 99.00 USD  far away")
        #expect(line(50) == "1  A name of twenty-fo…  1234.50 EUR, …   far away")
        #expect(line(40) == "1  A name of twenty-fo…  1234.50 EUR, …")
        #expect(line(30) == "1  A name of …  1234.50 EUR, …")
    }

    @Test("In ASCII letters lose their marks, and what has no counterpart is written as its number")
    func ascii() {
        #expect("Café Nikkō – 12 €… →".inASCII == "Cafe Nikko - 12 EUR... ->")
        #expect("東 ß ø".inASCII == "\\u{6771} ss o")
        #expect("plain".inASCII == "plain")
    }

    @Test(
        "COLUMNS counts more than the terminal, and the first of LC_ALL, LC_CTYPE and LANG that is set says the characters"
    )
    func environment() {
        func layout(_ environment: [String: String], _ terminal: Int? = nil) -> TextLayout {
            TextLayout(environment: environment, terminalColumns: terminal)
        }
        #expect(layout(["COLUMNS": "60"], 100).columns == 60)
        #expect(layout(["COLUMNS": "0"], 100).columns == 100 && layout(["COLUMNS": "wide"]).columns == nil)
        #expect(layout(["COLUMNS": "3"]).columns == TextLayout.leastColumns)
        #expect(layout([:]).isASCII && layout(["LANG": "C"]).isASCII && layout(["LANG": "POSIX"]).isASCII)
        #expect(!layout(["LANG": "pt_PT.UTF-8"]).isASCII && !layout(["LC_CTYPE": "C.utf8", "LANG": "C"]).isASCII)
        #expect(
            layout(["LC_ALL": "C", "LANG": "pt_PT.UTF-8"]).isASCII
                && !layout(["LC_ALL": "", "LANG": "en_US.UTF-8"]).isASCII)
    }

    @Test("A table is cut and loses columns only as far as the terminal asks for it")
    func tables() {
        let rows = [["1", "A long name that goes on", "some notes"], ["22", "Short", ""]]
        func lines(_ columns: Int?) -> [String] {
            let console = Console(out: { _ in }, error: { _ in }, layout: TextLayout(columns: columns))
            return Console.$current.withValue(console) { TextTable.lines(rows, cutting: [1], dropping: [2]) }
        }
        #expect(lines(nil) == ["1   A long name that goes on  some notes", "22  Short"])
        #expect(lines(40) == lines(nil))
        #expect(lines(30) == ["1   A long name t…  some notes", "22  Short"])
        #expect(lines(20) == ["1   A long name tha…", "22  Short"])
    }
}
