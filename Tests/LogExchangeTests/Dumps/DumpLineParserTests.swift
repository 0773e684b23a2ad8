import Foundation
import TestSupport
import Testing

@testable import LogExchange

@Suite("The lines of dumps")
struct DumpLineParserTests {
    private static func object(_ text: String) throws -> DumpObject { try DumpLineParser.object(Array(text.utf8)) }

    @Test("Every form of JSON is read, and integers are exact")
    func values() throws {
        let object = try Self.object(
            "\t{ \"a\" : [1, -9223372036854775808, 9223372036854775807, 0.5e-3, true, false, null],\"b\":{\"c\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00é\"}}\r"
        )
        #expect(
            try object.list("a")
                == [.integer(1), .integer(.min), .integer(.max), .number("0.5e-3"), .bool(true), .bool(false), .null])
        guard case .object(let inner)? = object["b"]?.value else { throw DumpError(.malformedDump, "no object") }
        #expect(try inner.text("c") == "\"\\/\u{8}\u{C}\n\r\té😀é")
        #expect(object["a"]?.column == 10)
    }

    @Test(
        "What is no JSON is refused with its column",
        arguments: [
            ("", 1), ("[]", 1), ("{", 2), ("{\"a\"}", 5), ("{\"a\":1,}", 8), ("{\"a\":1 \"b\":2}", 8),
            ("{\"a\":01}", 7),
            ("{\"a\":1.}", 8), ("{\"a\":-}", 7), ("{\"a\":1e}", 8), ("{\"a\":tru}", 9), ("{\"a\":NaN}", 6),
            ("{\"a\":'x'}", 6),
            ("{\"a\":\"x}", 9), ("{\"a\":\"\u{1}\"}", 7), ("{\"a\":\"\\x\"}", 8), ("{\"a\":\"\\ud800\"}", 7),
            ("{\"a\":\"\\u12g4\"}", 11), ("{\"a\":[1,]}", 9), ("{\"a\":1}{}", 8), ("{\"a\":1,\"b\":2,\"a\":3}", 14),
            ("{\"a\":{\"x\":1,\"\\u0078\":2}}", 13),
        ])
    func refused(text: String, column: Int) {
        for names in [[], ["a"]] as [PassedOver] {
            let error = #expect(throws: DumpError.self) {
                try DumpLineParser.object(Array(text.utf8), passingOver: names)
            }
            #expect(error?.column == column, "\(text): \(error.map { "\($0)" } ?? "")")
        }
    }

    @Test(
        "Texts that are not UTF-8 are refused",
        arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xC3]] as [[UInt8]])
    func encodings(bytes: [UInt8]) {
        let line = Array("{\"a\":\"".utf8) + bytes + Array("\"}".utf8)
        let error = #expect(throws: DumpError.self) { try DumpLineParser.object(line) }
        #expect(error?.code == .malformedDump && error?.column == 6)
    }

    @Test("Nesting is bounded, and so is the number of members")
    func bounds() {
        let deep = "{\"a\":" + String(repeating: "[", count: 31) + String(repeating: "]", count: 31) + "}"
        #expect(throws: Never.self) { try Self.object(deep) }
        let deeper = "{\"a\":" + String(repeating: "[", count: 100_000)
        let error = #expect(throws: DumpError.self) { try Self.object(deeper) }
        #expect(error?.code == .dumpTooLarge && error?.column == 37)
        let wide = "{" + (0...DumpLineParser.mostMembers).map { "\"\($0)\":0" }.joined(separator: ",") + "}"
        #expect(throws: DumpError.self) { try Self.object(wide) }
    }

    /// A line with a value more than fit.
    private static var tooLarge: String {
        "{\"a\":{\"b\":[" + String(repeating: "0,", count: DumpLineParser.mostValues) + "0]}}"
    }

    @Test("The values of a line are bounded")
    func valueBound() throws {
        let list = Self.tooLarge
        let error = #expect(throws: DumpError.self) { try Self.object(list) }
        // Two values hold the list and the member, and a value more than fit is in column 12.
        #expect(error?.code == .dumpTooLarge && error?.column == 12 + 2 * (DumpLineParser.mostValues - 3))
    }

    @Test("Values that are passed over do not count", .long)
    func passedOverValues() {
        for passedOver in [["a"], PassedOver([], inner: ["b"])] as [PassedOver] {
            #expect(throws: Never.self) {
                try DumpLineParser.object(Array(Self.tooLarge.utf8), passingOver: passedOver)
            }
        }
    }

    @Test("Base64 is read as Foundation reads it, with its padding and in one form alone")
    func base64() {
        for count in 0..<70 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
            let text = Data(bytes).base64EncodedString()
            #expect([UInt8](base64: text) == bytes)
            if text.hasSuffix("=") { #expect([UInt8](base64: String(text.dropLast())) == nil) }
        }
        for text in ["A", "AA", "AAA", "A===", "AB==", "AAB=", "AA=A", "=AAA", "AA\n=", "AAA-", "AAAé"] {
            #expect([UInt8](base64: text) == nil, "\(text)")
        }
    }
}
