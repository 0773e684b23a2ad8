import Foundation
import Testing

@testable import TravelingSnails

@Suite struct StrictnessTests {
    /// The sample with an unknown member in its first trip.
    private func bytes(_ value: [UInt8]) -> [UInt8] {
        Array(#"{"exportInfo": {}, "trips": [{"extra": "#.utf8) + value + Array(#", "id": "\#(Sample.tripID)"}]}"#.utf8)
    }

    @Test(arguments: [
        "0", "-0", "1.5", "-1.25e-7", "1E+30", "true", "false", "null", #""""#, #""\"\\\/\b\f\n\r\t""#, "[]", "{}",
        #"[1, [2, {"a": {}}], {"a": 1, "b": [null]}]"#, #""\uD83D\uDE00 \u00e9""#, "\"\u{7f}é東😀\"", "[ ]", "{ }",
    ])
    func everyFormOfJSONIsSkipped(value: String) throws {
        #expect(try Reading(bytes(Array(value.utf8))).trips.count == 1)
    }

    @Test(arguments: [
        "01", "-", "-a", "+1", "1.", ".5", "1.e5", "1e", "1e+", "1.5.5", "0x10", "NaN", "Infinity", "tru", "trUe",
        "nul",
        "nil", "'a'", "[1,]", "[,1]", "[1 2]", "[1", "1]", #"{"a":1,}"#, #"{,"a":1}"#, #"{"a" 1}"#, #"{"a":}"#,
        #"{a:1}"#,
        #"{1:1}"#, #"{"a":1 "b":2}"#, #"{"a":1]"#, "[1}", "// x\n1", "/**/1", #""\x""#, #""\u12G4""#, #""\u12""#,
        #""\ud800""#, #""\udc00""#, #""\ud800x""#, #""\ud800\n""#, #""\ud800\ud800""#, "\"a\nb\"", "\"a\u{0}b\"",
        "\"a\u{1f}\"", "\u{a0}1", "",
    ])
    func whatIsNotJSONIsMalformed(value: String) throws {
        for chunk in [1, 4096] {
            let error = try errorReading(bytes(Array(value.utf8)), limits: ReaderLimits(chunk: chunk))
            #expect(error.code == .malformed)
            #expect(error.place?.path.hasPrefix("trips[0]") == true)
        }
    }

    @Test(
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3, 0x28], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
            [0xED, 0xA0, 0x80], [0xE6, 0x9D, 0x22], [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80],
            [0xF5, 0x80, 0x80, 0x80],
            [0xFF], [0xF0, 0x9F, 0x98, 0x28],
        ] as [[UInt8]])
    func whatIsNotUTF8IsMalformed(text: [UInt8]) throws {
        // Behind a text of every length up to a word, so that no lane of the fast path is blind.
        for before in 0...9 {
            let quoted = [0x22] + [UInt8](repeating: 0x61, count: before) + text + Array("aaaaaaaaaa\"".utf8)
            #expect(try errorReading(bytes(quoted)).code == .malformed)
        }
    }

    @Test(arguments: 0...17) func aControlCharacterIsFoundAtAnyPlaceOfAText(before: Int) throws {
        for control in [0x00, 0x09, 0x0A, 0x1F] as [UInt8] {
            let text = [0x22] + [UInt8](repeating: 0x20, count: before) + [control] + Array("        \"".utf8)
            let error = try errorReading(bytes(text))
            #expect(error.code == .malformed)
            #expect(error.place?.offset == Int64(#"{"exportInfo": {}, "trips": [{"extra": ""#.utf8.count + before))
        }
    }

    @Test(arguments: ["x", "}", "{}", ",", "\0"]) func nothingMayFollowTheRoot(rest: String) throws {
        let text = Sample.whole.written()
        let error = try errorReading((text + "\n" + rest).utf8)
        #expect(error.code == .malformed)
        #expect(error.place?.offset == Int64(text.utf8.count + 1) && error.place?.path == "")
    }

    @Test func anErrorNamesThePlaceInAllItsForms() throws {
        let text = "{\n \"exportInfo\" : {},\n \"trips\" : [ {}, {\"a\" : {\"odd key\" : [0, 1, x]}} ]\n}"
        let error = try errorReading(text.utf8)
        #expect(error.place == Place(path: "trips[1].a.odd key[2]", line: 3, column: 45, offset: 66))
        #expect(error.message.contains("trips[1].a.odd key[2] (line 3), column 45, byte 66"))
    }

    @Test func aPathHoldsNoKeyOfAnObjectThatHasEnded() throws {
        let error = try errorReading(bytes(Array(#"{"odd": {"inner": {"deep": 1}} "more": 2}"#.utf8)))
        #expect(error.place?.path == "trips[0].extra.odd")
        #expect(error.code == .malformed)
    }

    @Test func aTextThatIsTooLongIsRefusedAndASkippedOneIsNot() throws {
        let limits = ReaderLimits(chunk: 16, longestToken: 50)
        func named(_ key: String, _ count: Int) -> [UInt8] {
            let name = String(repeating: "n", count: count)
            return Array(#"{"exportInfo": {}, "trips": [{"\#(key)": "\#(name)", "id": "\#(Sample.tripID)"}]}"#.utf8)
        }
        #expect(try Reading(named("name", 50), limits: limits).trips.first?.name.count == 50)
        for count in [51, 66, 67, 500] {
            #expect(try errorReading(named("name", count), limits: limits).code == .tooLarge, "\(count) bytes")
        }
        #expect(try Reading(named("fileData", 5000), limits: limits).trips.count == 1)
        // The error does not depend on how much is buffered: neither its place, nor faults beyond the limit, which a
        // reader of small parts does not see.
        var broken = named("name", 500)
        broken[200] = 7
        for file in [named("name", 500), broken, Array(named("name", 500)[..<300])] {
            let errors = try [16, 4096].map { chunk in
                try errorReading(file, limits: ReaderLimits(chunk: chunk, longestToken: 50))
            }
            #expect(errors[0].code == .tooLarge && errors[0].message == errors[1].message)
        }
    }

    private static func ids(_ count: Int) -> [String] { (0..<count).map { _ in UUID().uuidString } }

    private static func badAddresses(_ count: Int) -> String {
        ids(count).map { #"{"id": "\#($0)", "name": "a", "address": {"latitude": "x"}}"# }.joined(separator: ", ")
    }

    @Test(arguments: [
        (#""trips": [1, 2, {}, 4]"#, "trips[3]"), (#""trips": [1, 2, 3, {}]"#, "trips[3]"),
        (#""trips": [], "organizations": [1, 2, {}, 4]"#, "organizations[3]"),
        (#""trips": [], "addresses": [1, 2, 3, {"id": 1}]"#, "addresses[3]"),
        (
            #""trips": [{"transportation": [1, "a", 2], "embeddedTransportation": [1]}]"#,
            "trips[0].embeddedTransportation[0]"
        ),
        (#""trips": [{"id": "\#(Sample.tripID)", "lodging": \#(StrictnessTests.ids(4))}]"#, "trips[0].lodging[3]"),
        (
            #""trips": [], "organizations": [\#(StrictnessTests.badAddresses(4))]"#, "organizations[3].address"
        ),
        (#""trips": [], "attachments": [1, 2, 3, 4]"#, "attachments[3]"),
        (#""trips": [{"embeddedLodging": [1, {}, 3, {}]}]"#, "trips[0].embeddedLodging[3]"),
    ])
    func moreBadRecordsThanAllowedAreAnErrorAtTheFirstOfThem(_ records: String, _ place: String) throws {
        let file = Array(#"{"exportInfo": {}, \#(records)}"#.utf8)
        let error = try errorReading(file, limits: ReaderLimits(chunk: 16, mostProblems: 3))
        #expect(error.code == .tooLarge && error.message.contains("More than 3 records or listed ids"), "\(error)")
        #expect(error.place?.path.hasPrefix(place) == true, "\(error)")
    }

    @Test func asManyBadAttachmentsAreAnErrorOfTheirPass() throws {
        let file = try TemporaryFile(
            Array(#"{"exportInfo": {}, "trips": [], "attachments": [{}, {}, 3, {}]}"#.utf8))
        for most in [3, 4] {
            var problems: [ExportProblem] = []
            func read() throws {
                try ExportFile(path: file.path, limits: ReaderLimits(chunk: 16, mostProblems: most)).forEachAttachment(
                    store: { next in while try next() != nil {} }, problem: { problems.append($0) }, body: { _, _ in })
            }
            if most == 4 { try read() } else { #expect(throws: ExportError.self) { try read() } }
            #expect(problems.count == most)
        }
    }

    @Test func nestingIsAllowedToTheLimitAndNoDeeper() throws {
        // The root, the list of trips and the trip are three levels.
        func nested(_ depth: Int) -> [UInt8] {
            bytes(Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8))
        }
        #expect(try Reading(nested(509)).trips.count == 1)
        let error = try errorReading(nested(510))
        #expect(error.code == .tooLarge && error.message.contains("512"))
        #expect(try errorReading(nested(200_000)).code == .tooLarge)
    }
}
