import Testing
import TripStore

@testable import TripFormats

@Suite("The encoding and the header of tables")
struct TableHeaderTests {
    private static let mapping = #"{"source":"x","columns":{"name":"Titel","notes":"Größe"}}"#

    private static func read(_ bytes: [UInt8], _ json: String = mapping) throws -> TableItems {
        try TableItems(reading: bytes, TableMapping(json: Array(json.utf8)), zone: "UTC", currency: "EUR")
    }

    private static func found(_ table: TableItems) -> [String] {
        table.entries.map { "\($0.line) \($0.item.name) \($0.item.notes ?? "")" }
    }

    private static func utf16(_ text: String, isLittle: Bool) -> [UInt8] {
        text.utf16.flatMap { isLittle ? [UInt8($0 & 0xFF), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }

    private static let text = "Titel;Größe\r\nFähre;5 €\r\n"
    /// The same in Windows-1252: ö, ß, ä and the sign of the euro are one byte each.
    private static let windows = text.unicodeScalars.map { $0 == "€" ? 0x80 : UInt8($0.value) }

    @Test(
        "UTF-8, UTF-16 of both orders and Windows-1252 are read, with a byte order mark or not",
        arguments: [
            Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8), utf16("\u{FEFF}" + text, isLittle: true),
            utf16("\u{FEFF}" + text, isLittle: false), utf16(text, isLittle: true), utf16(text, isLittle: false),
            windows,
        ])
    func encodings(bytes: [UInt8]) throws {
        let table = try Self.read(bytes)
        #expect(Self.found(table) == ["2 Fähre 5 €"])
        #expect(table.notes.count == (bytes == Self.windows ? 1 : 0))
    }

    @Test("A mapping names another encoding, and UTF-8 that is damaged is refused")
    func namedEncoding() throws {
        let json = #"{"source":"x","encoding":"windows-1250","columns":{"name":"n"}}"#
        // In Windows-1250 0xB3 is ł.
        #expect(try Self.read(Array("n\nz".utf8) + [0xB3], json).entries.first?.item.name == "zł")
        #expect {
            try Self.read(Array("Titel;Größe\nA".utf8) + [0xE4, 0x0A])
        } throws: { ($0 as? TextFormatError)?.code == .wrongEncoding }
        #expect {
            try TableMapping(json: Array(json.replacing("1250", with: "1").utf8))
        } throws: { ($0 as? TextFormatError)?.code == .invalidMapping }
    }

    @Test(
        "A header is found in capitals or not, with spaces around it, behind other lines, and by any delimiter",
        arguments: [
            ("TITEL;  größe \nA;b\n", ["2 A b"], 0), ("sep=;\nTitel;Größe\nA;b\n", ["3 A b"], 0),
            ("\"sep=|\"\nTitel|Größe\nA|b\n", ["3 A b"], 0),
            ("Titel\tGröße\nA\tb\n", ["2 A b"], 0), ("Titel;Größe;\nA;b\nC;d;\n", ["2 A b", "3 C d"], 0),
            ("Konto 77;von Ana\n\n;;\nTitel;Größe\nA;b\n", ["5 A b"], 1),
            ("Konto \"Giro\" 77;\n\"x\nTitel;Größe\nA;b\n", ["4 A b"], 1),
            ("\n\r\n\n\"x\": y\n\n\nKonto \"a\"\nTitel;Größe\nA;b\n", ["9 A b"], 1),
            ("Titel;Größe\n;\n;;;;\nA;b\n ; \n", ["4 A b"], 0), ("Titel;Größe;titel\nA;b;c\n", ["2 A b"], 1),
        ])
    func headers(text: String, rows: [String], notes: Int) throws {
        let table = try Self.read(Array(text.utf8))
        #expect(
            Self.found(table) == rows && table.notes.count == notes && table.faults.isEmpty,
            "\(table.faults) \(table.notes)")
    }

    @Test("Rows without any text are no header", arguments: ["\n\n\r\n", "  \n\"\"\n", "\"\"\n\r"])
    func noRows(text: String) {
        #expect { try Self.read(Array(text.utf8)) } throws: { ($0 as? TextFormatError)?.code == .empty }
    }

    @Test("The message about a column that is missing has the columns of the row that is most like the header")
    func missing() {
        #expect { try Self.read(Array("Konto;77\nTitel;Breite\nA;b\n".utf8)) } throws: { error in
            guard let error = error as? TextFormatError else { return false }
            return error.code == .invalidMapping && error.place?.line == 2 && error.message.contains("'Größe'")
                && error.message.contains("Titel, Breite")
        }
    }

    @Test(
        "Words of stages, payments and means of transport mean what the mapping says, else what is usual",
        arguments: [
            ("Confirmed", "", PlanningStage.booked), ("CANCELED", "", .cancelled), ("OK", "", .booked),
            ("booked", "", .booked),
            ("Bestätigt", "", .booked), ("annulé", "", .cancelled),
            ("bestätigt", #""Bestätigt":"booked""#, .booked), ("OK", #""ok":"done""#, .done), ("Foo", "", nil),
        ] as [(String, String, PlanningStage?)])
    func words(text: String, values: String, stage: PlanningStage?) throws {
        let json = "{\"source\":\"x\",\"columns\":{\"name\":\"n\",\"stage\":\"s\"},\"values\":{\"stage\":{\(values)}}}"
        let table = try Self.read(Array("n,s\nA,\(text)\n".utf8), json)
        #expect(table.entries.first?.item.stage == stage && table.faults.count == (stage == nil ? 1 : 0))
    }

    @Test(
        "Values of a mapping that the store does not have are refused with their place",
        arguments: [
            #"{"stage":{"x":"perhaps"}}"#, #"{"name":{"x":"y"}}"#, #"{"currency":{"kr":"XXQ"}}"#, #"{"stage":[]}"#,
            "[]",
            #"{"nose":{"x":"y"}}"#, #"{"paid":{"yes":5}}"#,
        ])
    func badValues(values: String) {
        let json = "{\"source\":\"x\",\"columns\":{\"name\":\"n\"},\n\"values\":\(values)}"
        #expect { try TableMapping(json: Array(json.utf8)) } throws: { error in
            let error = error as? TextFormatError
            return error?.code == .invalidMapping && error?.place?.line == 2
        }
    }

    @Test(
        "A word for a kind needs no mapping, and one for a means of transport says that too, unless the row has another",
        arguments: [
            ("Hotel", "", ForeignItem.Kind.lodging, nil), ("Flight", "", .transportation, .plane),
            ("Car rental", "", .transportation, .car), ("Zug", "boat", .transportation, .boat),
            ("Restaurant", "", .activity, nil), ("Thing", "", nil, nil), ("", "", .activity, nil),
            ("transportation", "", .transportation, .other),
        ] as [(String, String, ForeignItem.Kind?, TransportationMode?)])
    func kinds(text: String, mode: String, kind: ForeignItem.Kind?, expected: TransportationMode?) throws {
        let json = #"{"source":"x","columns":{"name":"n","kind":"k","mode":"m"}}"#
        let table = try Self.read(Array("n,k,m\nA,\(text),\(mode)\n".utf8), json)
        #expect(table.entries.first?.item.kind == kind && table.entries.first?.item.mode == expected)
        #expect(table.faults.count == (kind == nil ? 1 : 0))
    }
}
