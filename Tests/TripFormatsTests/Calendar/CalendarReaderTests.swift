import Testing

@testable import TripFormats

@Suite("Reading calendars")
struct CalendarReaderTests {
    @Test("Lines are unfolded, parameters are taken apart, and texts unescaped")
    func contentLines() throws {
        let calendar = try #require(
            CalendarReader().components(
                of: CalendarSample.event(
                    "DESCRIPTION;ALTREP=\"cid:a;b,c\";X-A=1,\"2:3\";X-B=^'q^'^n^^:One\\, two\\; th\n ree\\nfour \\\\ five"
                )
            ).calendars.first)
        let property = try #require(calendar.components.first?.property("DESCRIPTION"))
        #expect(property.text == "One, two; three\nfour \\ five")
        #expect(property.parameters.map(\.values) == [["cid:a;b,c"], ["1", "2:3"], ["\"q\"\n^"]])
        #expect(property.line == 6)
    }

    @Test("A line may be folded inside of a character; what is no UTF-8 once it is unfolded is refused with its place")
    func foldedCharacter() throws {
        let bytes = CalendarSample.event("DESCRIPTION:Caf\u{E9}s and more")
        let split = try #require(bytes.firstIndex(of: 0xC3)) + 1
        let folded = bytes[..<split] + Array("\r\n ".utf8) + bytes[split...]
        let calendar = try #require(CalendarReader().components(of: Array(folded)).calendars.first)
        #expect(calendar.components.first?.property("DESCRIPTION")?.text == "Caf\u{E9}s and more")
        // The second byte of the character is missing, in the second line of the fold.
        var broken = bytes
        broken.remove(at: split)
        broken.insert(contentsOf: "\r\n ".utf8, at: split - 2)
        #expect {
            try CalendarReader().components(of: broken)
        } throws: { error in
            let error = error as? TextFormatError
            return error?.code == .wrongEncoding && error?.place?.description == "line 7, column 3"
        }
    }

    @Test("Lists are cut at commas that no backslash escapes")
    func lists() throws {
        let calendar = try #require(
            CalendarReader().components(of: CalendarSample.event("CATEGORIES:a\\,b,c\\\\,d")).calendars.first)
        #expect(calendar.components.first?.property("CATEGORIES")?.texts == ["a,b", "c\\", "d"])
    }

    @Test(
        "What is no calendar is refused with a line and a column",
        arguments: [
            ("", TextFormatError.Code.empty, nil), (" \r\n\t", .empty, nil),
            ("{\"trips\": []}", .wrongFormat, "line 1, column 1"),
            ("BEGIN:VCARD\r\nEND:VCARD\r\n", .wrongFormat, "line 1, column 1"),
            ("SUMMARY:x\r\n", .wrongFormat, "line 1, column 1"),
            ("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:x\r\n", .truncated, "line 4, column 1"),
            ("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nEND:VCALENDAR\r\n", .malformed, "line 3, column 1"),
            ("BEGIN:VCALENDAR\nEND:VCALENDAR\nEND:VCALENDAR\n", .wrongFormat, "line 3, column 1"),
        ])
    func refused(text: String, code: TextFormatError.Code, place: String?) {
        #expect {
            try CalendarReader().components(of: Array(text.utf8))
        } throws: { error in
            let error = error as? TextFormatError
            return error?.code == code && error?.place?.description == place
        }
    }

    @Test(
        "Other encodings than UTF-8 are refused where the first byte is wrong",
        arguments: [
            ([0xFF, 0xFE, 0x42, 0x00], TextPlace(line: 1)), ([0x00, 0x42, 0x00, 0x45], TextPlace(line: 1)),
            (Array("BEGIN:VCALENDAR\r\nSUMMARY:Caf".utf8) + [0xE9, 0x0D, 0x0A], TextPlace(line: 2, column: 12)),
            (Array("A\nB".utf8) + [0xC0, 0x80], TextPlace(line: 2, column: 2)),
            (Array("A\nB".utf8) + [0xED, 0xA0, 0x80], TextPlace(line: 2, column: 2)),
            (Array("A\n".utf8) + [0xE2, 0x82], TextPlace(line: 2)),
            (Array("ABCDE\u{0}".utf8), TextPlace(line: 1, column: 6)),
        ] as [([UInt8], TextPlace)])
    func encodings(bytes: [UInt8], place: TextPlace) {
        #expect {
            try CalendarReader().components(of: bytes)
        } throws: { error in
            let error = error as? TextFormatError
            return error?.code == .wrongEncoding && error?.place == place
        }
    }

    @Test("Files, lines, depth and components have bounds")
    func bounds() throws {
        var limits = CalendarLimits()
        limits.largestFile = 10_000
        limits.longestLine = 1_000
        limits.mostComponents = 20
        limits.mostProperties = 50
        let reader = CalendarReader(limits: limits)
        let hostile = [
            CalendarSample.event("X:" + String(repeating: "x", count: 1_001)),
            CalendarSample.event("X:" + String(repeating: "x\n ", count: 1_001)),
            Array(String(repeating: "BEGIN:VCALENDAR\n", count: 9).utf8),
            CalendarSample.calendar(String(repeating: "BEGIN:VEVENT\nEND:VEVENT\n", count: 20)),
            Array(repeating: 0x41, count: 10_001), CalendarSample.event(String(repeating: "X:x\n", count: 50) + "X:x"),
        ]
        for bytes in hostile {
            #expect { try reader.components(of: bytes) } throws: { ($0 as? TextFormatError)?.code == .tooLarge }
        }
        #expect(try reader.components(of: CalendarSample.event("X:x")).calendars.count == 1)
    }

    @Test("Lines that are none are left out, and counted")
    func lax() throws {
        let (calendars, warnings) = try CalendarReader().components(
            of: CalendarSample.event("no colon\nnor here\n=x:1\nLOCATION;A=\"open:x"))
        #expect(calendars.first?.components.first?.properties.count == 2)
        #expect(
            warnings.texts == [
                "line 6: a line is no property, for a colon is missing (2 times)",
                "line 8: a line is no property, for it begins with no name",
                "line 9: a line is no property, for a quote is not closed",
            ])
    }

    @Test("A byte order mark, lone line feeds and lone carriage returns are read")
    func lineEnds() throws {
        for end in ["\n", "\r", "\r\n"] {
            let text = "\u{FEFF}BEGIN:VCALENDAR\(end)X-A:1\(end) 2\(end)END:VCALENDAR"
            let calendar = try #require(CalendarReader().components(of: Array(text.utf8)).calendars.first)
            #expect(calendar.property("X-A")?.value == "12")
        }
    }
}
