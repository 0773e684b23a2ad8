import Foundation
import Testing
import TripStore

@testable import TripFormats

@Suite("Items of tables")
struct TableItemsTests {
    private static func rows(_ text: String, delimiter: String = ",") throws -> [[String]] {
        var reader = try DelimitedReader(Array(text.utf8), delimiter: delimiter.utf8.first ?? 0x2C)
        var rows: [[String]] = []
        while let row = try reader.next() { rows.append(row.map(\.text)) }
        return rows
    }

    @Test(
        "Cells are cut as RFC 4180 says",
        arguments: [
            ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"]]), ("a,\"b,\r\n\"\"c\"\"\"\n", [["a", "b,\r\n\"c\""]]),
            ("\u{FEFF}a,,\n\n,x", [["a", "", ""], ["", "x"]]), ("\"\"\r", [[""]].filter { $0 != [""] }),
            ("é;ü", [["é;ü"]]),
        ])
    func cells(text: String, rows: [[String]]) throws { #expect(try Self.rows(text) == rows) }

    @Test(
        "Broken quotes are refused with a line and a column",
        arguments: [
            ("a,b\nc,d\"e", TextFormatError.Code.malformed, "line 2, column 4"),
            ("a\n\"b\"c,d", .malformed, "line 2, column 4"),
            ("a,b\nc,\"d\n\n", .truncated, "line 2, column 3"),
        ])
    func brokenQuotes(text: String, code: TextFormatError.Code, place: String) {
        #expect { try Self.rows(text) } throws: { error in
            let error = error as? TextFormatError
            return error?.code == code && error?.place?.description == place
        }
    }

    @Test(
        "A row with fewer cells than the header is left out with its place, and the rows around it stay",
        arguments: [
            ("n,s,x\nA,2027-05-01,y\nB,2027-05", 1, "line 3, column 3", "cut off"),
            ("n,s,x\nA,2027-05-01\nB,2027-05-02,z\n", 1, "line 2, column 3", "delimiter"),
            ("n,s,x\nA,2027-05-01,", 1, nil, ""),
            ("n,s,x\nA,2027-05-01,y", 1, nil, ""),
        ])
    func cutOff(text: String, count: Int, place: String?, words: String) throws {
        let mapping = try TableMapping(json: Array(#"{"source":"x","columns":{"name":"n","start":"s"}}"#.utf8))
        let table = try TableItems(reading: Array(text.utf8), mapping, zone: "UTC", currency: "USD")
        #expect(table.entries.count == count && table.faults.count == (place == nil ? 0 : 1))
        #expect(table.faults.first?.place?.description == place)
        if let fault = table.faults.first { #expect(fault.message.contains(words), "\(fault)") }
    }

    @Test(
        "A row with a quote in the middle of a cell is left out, and the next ones stay; a quote that does not end refuses the table"
    )
    func quotes() throws {
        let mapping = try TableMapping(json: Array(#"{"source":"x","columns":{"name":"n","notes":"x"}}"#.utf8))
        func read(_ text: String) throws -> TableItems {
            try TableItems(reading: Array(text.utf8), mapping, zone: "UTC", currency: "USD")
        }
        let table = try read("n,x\nA \"a\",1\nB,2\n\"C\"c,3\n=\"007\",4\n")
        #expect(table.entries.map(\.item.name) == ["B", "007"] && table.entries.map(\.line) == [3, 5])
        #expect(table.faults.compactMap { $0.place?.description } == ["line 2, column 3", "line 4, column 4"])
        #expect { try read("n,x\nA,1\nB,\"2\n") } throws: { ($0 as? TextFormatError)?.code == .truncated }
    }

    @Test("Constants say the start and the end where no column does")
    func constantTimes() throws {
        let json = #"{"source":"x","columns":{"name":1},"constants":{"start":"2027-05-01","end":"2027-05-02T10:00"}}"#
        let table = try TableItems(
            reading: Array("n\nA\n".utf8), TableMapping(json: Array(json.utf8)), zone: "UTC", currency: "USD")
        let item = try #require(table.entries.first?.item)
        #expect(item.startDay == .some(Day(2027, 5, 1)) && item.end??.localISO8601 == "2027-05-02T10:00:00Z")
    }

    private static func sample() throws -> TableMapping {
        try TableMapping(json: CalendarSample.bytes("tables/bookings-mapping.json"))
    }

    @Test("A mapping says what is in which column")
    func sample() throws {
        let table = try TableItems(
            reading: CalendarSample.bytes("tables/bookings.csv"), Self.sample(), zone: "UTC", currency: "USD")
        let items = table.entries.map(\.item)
        #expect(table.entries.map(\.externalID) == ["4711", "4712", "4713"] && table.entries.map(\.line) == [2, 4, 5])
        #expect(items.map(\.kind) == [.lodging, .transportation, .activity])
        #expect(items[0].name == "Pension \"Alba\"" && items[0].notes == "Zwei Zeilen:\r\nmit Frühstück")
        #expect(
            items[0].startDay == Day(2027, 5, 1) && items[0].endDay == Day(2027, 5, 4) && items[0].start == .some(nil))
        #expect(items[0].cost == Money("1234.50", "EUR") && items[0].stage == .booked)
        #expect(
            items[1].start??.description == "2027-05-01T09:30:00+01:00 Europe/Lisbon" && items[1].address == .some(nil))
        #expect(items[2].address??.formatted == "Vila Nova; Kai" && items[2].reservation == "4713")
    }

    @Test(
        "A row with a cell that cannot be read is left out, and the cell is named by line and column",
        arguments: [
            ("4711;Boot;x;01.05.2027;;;;;", "line 2, column 6"), ("4711;Hotel;x;31.02.2027;;;;;", "line 2, column 14"),
            ("4711;Hotel;x;01.05.0000;;;;;", "line 2, column 14"),
            ("4711;Hotel;x;01.05.10000;;;;;", "line 2, column 14"),
            // A point before the fraction, where the mapping says a comma: it must not be taken for 150.
            ("4711;Hotel;x;;;1.50;EUR;;", "line 2, column 16"), ("4711;Hotel;x;;;1.50,00;EUR;;", "line 2, column 16"),
            ("4711;Hotel;x;;;1,2,3;EUR;;", "line 2, column 16"), ("4711;Hotel;x;;;1;XXQ;;", "line 2, column 18"),
            ("4711;Hotel;;;;;;;", "line 2, column 12"), (";Hotel;x;;;;;;", "line 2, column 1"),
            ("1;Hotel;x;;;;;;;more", "line 2, column 17"),
        ])
    func badCells(row: String, place: String) throws {
        let header = "Buchung;Art;Titel;Von;Bis;Preis;W;Ort;Notiz\n"
        let good = "\n4712;Tour;y;01.05.2027;;;;;\n"
        let table = try TableItems(
            reading: Array((header + row + good).utf8), Self.sample(), zone: "UTC", currency: "USD")
        #expect(table.faults.map { $0.place?.description } == [place] && table.faults.first?.code == .malformed)
        #expect(table.entries.map(\.externalID) == ["4712"])
    }

    @Test("The message about a cell has the name of its column and its value")
    func namedCells() throws {
        let text = "Buchung;Art;Titel;Von;Bis;Preis;W;Ort;Notiz\n1;Hotel;x;;;12,3,4;;;\n2;Tour;y;;;;;;\n"
        let table = try TableItems(reading: Array(text.utf8), Self.sample(), zone: "UTC", currency: "USD")
        let message = try #require(table.faults.first?.message)
        #expect(message.contains("'Preis'") && message.contains("\"12,3,4\""), "\(message)")
    }

    @Test(
        "A mapping that cannot be used says why",
        arguments: [
            "[]", "{", "{}", "{\"source\":\"x\",\"columns\":{}}", "{\"source\":\"x\",\"columns\":{\"name\":[]}}",
            "{\"source\":\"x\",\"columns\":{\"name\":\"A\",\"nose\":\"B\"}}",
            "{\"source\":\"x\",\"columns\":{\"name\":0}}",
            "{\"source\":\"x\",\"columns\":{\"name\":1},\"dateFormats\":[\"dd.MM\"]}",
            "{\"source\":\"x\",\"columns\":{\"name\":1},\"delimiter\":\"ab\"}",
            "{\"source\":\"x\",\"columns\":{\"name\":1},\"kinds\":{\"a\":\"b\"}}",
            "{\"source\":\"x\",\"columns\":{\"name\":1},\"more\":1}", "{\"source\":\"\",\"columns\":{\"name\":1}}",
        ])
    func badMappings(json: String) {
        #expect { try TableMapping(json: Array(json.utf8)) } throws: {
            ($0 as? TextFormatError)?.code == .invalidMapping
        }
    }

    @Test(
        "A mapping says with a line and a column where it is wrong",
        arguments: [
            ("{\"source\":\"x\",\n \"columns\":{\"name\":1,}}", "line 2, column 22"),
            ("{\"source\":\"x\",\n \"columns\":{\"name\":01}}", "line 2, column 20"),
            ("{\n\"source\":\"x\"", "line 2, column 13"), ("{\"source\":\"x", "line 1, column 11"),
            ("{\"source\":\"x\",\"source\":\"y\"}", "line 1, column 15"), ("", nil),
            ("{\"source\":\"x\",\n\"columns\":{\"name\":1,\n\"nose\":2}}", "line 3, column 8"),
            ("{\"source\":\"x\",\n\"columns\":{\"name\":[1,\n0]}}", "line 3, column 1"),
            ("{\"source\":\"\\ud800\"}", "line 1, column 18"),
            (String(repeating: "[", count: 100), "line 1, column 33"),
            ("{\"source\":\"x\"} {", "line 1, column 16"), ("{\"source\":\"a\tb\"}", "line 1, column 13"),
        ])
    func mappingPlaces(json: String, place: String?) {
        #expect { try TableMapping(json: Array(json.utf8)) } throws: {
            let error = $0 as? TextFormatError
            return error?.place?.description == place && error?.code == (place == nil ? .empty : .invalidMapping)
        }
    }

    @Test(
        "The number of a column that the table does not have is refused",
        arguments: [("true", "a,b\n1,2\n"), ("false", "1,2\n3,4,5\n")])
    func columnNumbers(header: String, table: String) throws {
        let mapping = try TableMapping(
            json: Array("{\"source\":\"x\",\"header\":\(header),\n\"columns\":{\"name\":1,\"notes\":3}}".utf8))
        #expect {
            try TableItems(reading: Array(table.utf8), mapping, zone: "UTC", currency: "USD")
        } throws: { error in
            let error = error as? TextFormatError
            return error?.code == .invalidMapping && error?.message.contains("2 columns") == true
                && error?.message.contains("line 2, column 29") == true
        }
    }

    @Test("A column that the table lacks is named")
    func missingColumn() throws {
        let mapping = try Self.sample()
        #expect {
            try TableItems(reading: Array("Buchung;Art\n1;Hotel".utf8), mapping, zone: "UTC", currency: "USD")
        } throws: { error in
            let error = error as? TextFormatError
            return error?.code == .invalidMapping && error?.message.contains("no column '") == true
        }
    }
}
