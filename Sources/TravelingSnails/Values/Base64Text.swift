import Events
import Foundation

/// Decodes a string of base64 (RFC 4648, section 4) as it is read. Line breaks and spaces in it are passed over.
struct Base64Text {
    struct Fault: Error { let reason: String }

    /// Characters at once.
    private static let pieceSize = 64 * 1024

    /// Up to three characters that wait for a fourth.
    private var rest: [UInt8] = []
    private(set) var isAtEnd = false
    /// Padding ends the bytes.
    private var isPadded = false

    /// The next bytes; nil after the last. `reader` has entered the string.
    mutating func next(_ reader: inout JSONReader) throws -> [UInt8]? {
        while !isAtEnd {
            var characters: [UInt8] = []
            isAtEnd = try !reader.readPiece(into: &characters, atMost: Self.pieceSize)
            characters.removeAll { $0 == 0x20 || (0x09...0x0D).contains($0) }
            characters = rest + characters
            let whole = characters.count - characters.count % 4
            rest = Array(characters[whole...])
            if whole > 0 { return try decoded(characters[..<whole]) }
        }
        guard rest.isEmpty else {
            let left = "\(rest.count.counted("character")) \(rest.count.agreeing("is", "are")) left over"
            throw Fault(reason: "\(left) at its end")
        }
        return nil
    }

    private mutating func decoded(_ characters: ArraySlice<UInt8>) throws -> [UInt8] {
        guard !isPadded else { throw Fault(reason: "it goes on after its padding") }
        guard let bytes = Data(base64Encoded: Data(characters)) else {
            throw Fault(reason: "\(Self.culprit(in: characters))")
        }
        isPadded = characters.last == UInt8(ascii: "=")
        return [UInt8](bytes)
    }

    /// What makes it no base64.
    private static func culprit(in characters: ArraySlice<UInt8>) -> String {
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=".utf8)
        guard let bad = characters.first(where: { !alphabet.contains($0) }) else {
            return "its padding is not at its end"
        }
        let shown = (0x21...0x7E).contains(bad) ? "'\(Character(Unicode.Scalar(bad)))'" : "byte \(bad)"
        return "\(shown) is none of its characters"
    }
}
