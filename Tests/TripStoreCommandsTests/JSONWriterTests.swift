import Foundation
import Testing

@testable import TripStoreCommands

@Suite("Writing JSON")
struct JSONWriterTests {
    @Test("A text is copied as a whole between the characters that are escaped, and each of these once")
    func runs() {
        for text in [String(repeating: "a", count: 1 << 20), String(repeating: "東é👩‍👧", count: 1 << 10)] {
            var writer = JSONWriter(forMarkup: true)
            writer.write(.string(text))
            #expect(writer.runs == 1)
            #expect(writer.text == "\"\(text)\"")
        }
        var writer = JSONWriter(forMarkup: true)
        writer.write(.string(String(repeating: "a<", count: 1000)))
        #expect(writer.runs == 1000)
        #expect(writer.text.utf8.count == 2 + 7 * 1000)
    }

    @Test("Every character comes out of a parser as it went in, and no byte of markup is left")
    func everyScalar() throws {
        var text = ""
        for value in UInt32(0)...0x2FFF { Unicode.Scalar(value).map { text.unicodeScalars.append($0) } }
        text += "\u{D7FF}\u{E000}\u{FEFF}\u{FFFD}\u{10000}\u{1D173}\u{E0041}\u{10FFFF}"
        for forMarkup in [false, true] {
            let json = JSON.array([.string(text)]).text(forMarkup: forMarkup)
            #expect(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String] == [text])
            #expect(json.contains("<") == !forMarkup)
            #expect(!json.unicodeScalars.contains { $0.isInvisible && !$0.isJoiner && !$0.isPictureSelector })
        }
    }
}
