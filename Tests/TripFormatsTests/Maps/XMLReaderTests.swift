import Testing
import TravelingSnails

@testable import TripFormats

@Suite("Reading XML")
struct XMLReaderTests {
    private static func events(_ text: String) throws -> [String] {
        try MapSample.withFile(Array(text.utf8), named: "x.xml") { path in
            var xml = try XMLReader(InputFile(path: path))
            var events: [String] = []
            while true {
                switch try xml.next() {
                case .start(let name):
                    events.append(
                        (["<" + name] + xml.attributes.map { "\($0.name)=\($0.value)" }).joined(separator: " "))
                case .end(let name): events.append("/" + name)
                case .text: events.append(String(decoding: xml.text, as: UTF8.self))
                case .finish: return events
                }
            }
        }
    }

    @Test("Elements, attributes, texts, entities and CDATA come in order; comments and instructions do not")
    func order() throws {
        let text = """
            <?xml version="1.0"?><!-- <no/> --><!DOCTYPE a SYSTEM "none.dtd">
            <a x="1 &gt; 0" p:y='"'>b&#65;&#x42;<c/><![CDATA[<d>&amp;]]></a>
            """
        #expect(
            try Self.events(text) == ["<a x=1 > 0 y=\"", "bAB", "<c", "/c", "<d>&amp;", "/a"])
    }

    @Test(
        "What is no well-formed XML is refused with its place",
        arguments: [
            ("<a><b></a>", TextFormatError.Code.malformed, 1), ("<a>\n<b>", .truncated, 2),
            ("<a>&nbsp;</a>", .malformed, 1),
            ("<a x=1/>", .malformed, 1), ("text<a/>", .malformed, 1), ("<a/>text", .malformed, 1),
            ("<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>", .malformed, 1), ("<a b=\"c", .truncated, 1),
            ("<?xml version='1.0' encoding='UTF-16'?><a/>", .wrongEncoding, 1), ("<a>\n\n<!-- ", .truncated, 3),
        ])
    func faults(text: String, code: TextFormatError.Code, line: Int) throws {
        let error = #expect(throws: TextFormatError.self) { try Self.events(text) }
        #expect(error?.code == code && error?.place?.line == line, "\(String(describing: error))")
    }

    @Test("Elements are nested 256 deep at most, and no declared entity expands")
    func bounds() throws {
        let deep = String(repeating: "<a>", count: 257)
        let error = #expect(throws: TextFormatError.self) { try Self.events(deep) }
        #expect(error?.code == .tooLarge)
        let whole = String(repeating: "<a>", count: 256) + String(repeating: "</a>", count: 256)
        #expect(try Self.events(whole).count == 512)
    }

    @Test("A byte that is no UTF-8 is refused")
    func encoding() throws {
        let error = #expect(throws: TextFormatError.self) {
            try MapSample.contents(
                "", .gpx, bytes: Array("<gpx><wpt><name>".utf8) + [0xE9] + Array("</name></wpt></gpx>".utf8))
        }
        #expect(error?.code == .wrongEncoding)
    }
}
