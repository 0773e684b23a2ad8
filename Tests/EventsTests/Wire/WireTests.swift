import Foundation
import TestSupport
import Testing

@testable import Events

@Suite("The wire format")
struct WireTests {
    @Test(
        "A number has the specified bytes",
        arguments: [
            (0, "00"), (1, "01"), (127, "7f"), (128, "8001"), (150, "9601"), (300, "ac02"), (16_384, "808001"),
            (UInt64.max, "ffffffffffffffffff01"),
        ])
    func numbers(value: UInt64, bytes: String) throws {
        var writer = WireWriter()
        writer.rawVarint(value)
        #expect(writer.bytes.hexadecimal == bytes)
        let read = try writer.bytes.withUnsafeBytes { bytes in
            var reader = WireReader(bytes)
            return try reader.rawVarint()
        }
        #expect(read == value)
    }

    /// The value of a number of 7 bits a byte, and its size; nil if it has no end, or over 64 bits.
    private static func number(_ bytes: [UInt8]) -> (value: UInt64, size: Int)? {
        var value: UInt64 = 0
        for (place, byte) in bytes.prefix(10).enumerated() {
            if place == 9 && byte > 1 { return nil }
            value |= UInt64(byte & 0x7F) << UInt64(place * 7)
            if byte < 0x80 { return (value, place + 1) }
        }
        return nil
    }

    @Test("A number is read whatever follows it, and in however many bytes it is written", arguments: Seeds.some(20))
    func numbersAmongOthers(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for size in 1...11 {
            for following in 0...9 {
                var bytes = (0..<size + following).map { _ in UInt8.random(in: 0...255, using: &generator) }
                for place in 0..<size - 1 { bytes[place] |= 0x80 }
                // With zeros at its end it takes more bytes than it needs.
                bytes[size - 1] = Bool.random(using: &generator) ? 0 : bytes[size - 1] & (size == 10 ? 1 : 0x7F)
                let expected = Self.number(bytes)
                bytes.withUnsafeBytes { bytes in
                    var reader = WireReader(bytes)
                    let read = try? reader.rawVarint()
                    #expect(read == expected?.value, "\(Array(bytes).hexadecimal)")
                    if let expected { #expect(reader.offset == expected.size) }
                }
            }
        }
    }

    @Test(
        "Bytes that begin with a tag and a length of one or two bytes are found, and nothing else",
        arguments: [0, 1, 126, 127, 128, 129, 255, 16_382, 16_383, 16_384, 20_000])
    func mediumBytes(size: Int) throws {
        let content = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        var writer = WireWriter()
        writer.bytes(4, content)
        let (whole, headSize) = (writer.bytes, writer.bytes.count - size)
        func read(_ bytes: [UInt8]) -> (found: [UInt8]?, offset: Int) {
            bytes.withUnsafeBytes { bytes in
                var reader = WireReader(bytes)
                let found = reader.mediumBytes(0x22).map { Array($0) }
                return (found, reader.offset)
            }
        }
        let isMedium = size < 16_384
        for following in [[], [0x22], [0xFF, 0xFF]] as [[UInt8]] {
            let read = read(whole + following)
            #expect(read.found == (isMedium ? content : nil))
            #expect(read.offset == (isMedium ? headSize + size : 0))
        }
        for count in 0..<min(whole.count, headSize + 3) where count < whole.count {
            #expect(read(Array(whole.prefix(count))).found == nil)
        }
        #expect(read([0x2A] + whole.dropFirst()).found == nil)
    }

    @Test(
        "A signed number has zigzag bytes and comes back",
        arguments: [
            (0, "0800"), (-1, "0801"), (1, "0802"), (-64, "087f"), (64, "088001"),
            (Int64.max, "08feffffffffffffffff01"), (Int64.min, "08ffffffffffffffffff01"),
        ])
    func signedNumbers(value: Int64, bytes: String) throws {
        var writer = WireWriter()
        writer.signed(1, value)
        #expect(writer.bytes.hexadecimal == bytes)
        #expect(try only(writer.bytes) { reader, field throws(WireError) in try reader.signed(field) } == value)
    }

    @Test("Each type of field has the bytes of protoc")
    func fields() throws {
        // echo 'a: 150 b: "testing" c: 1 d: -0.5 e { a: 7 }' | protoc --encode
        var writer = WireWriter()
        writer.varint(1, 150)
        writer.string(2, "testing")
        writer.fixed64(3, 1)
        writer.double(4, -0.5)
        writer.message(16) { $0.varint(1, 7) }
        #expect(
            writer.bytes.hexadecimal
                == "089601" + "120774657374696e67" + "190100000000000000" + "21000000000000e0bf" + "8201020807")
    }

    @Test(
        "A nested message keeps its bytes, however many its length needs", arguments: [0, 1, 127, 128, 16_383, 16_384])
    func nesting(count: Int) throws {
        let content = [UInt8](repeating: 0xAB, count: count)
        var nested = WireWriter()
        nested.message(2) { $0.raw(content) }
        var flat = WireWriter()
        flat.bytes(2, content)
        #expect(nested.bytes == flat.bytes)
        #expect(
            try only(nested.bytes) { reader, field throws(WireError) in [UInt8](try reader.bytes(field)) } == content)
    }

    @Test(
        "What is no message is refused",
        arguments: [
            ("a cut tag", "80"), ("a cut number", "08ff"), ("a number of over 64 bits", "08ffffffffffffffffff02"),
            ("a number of 11 bytes", "0880808080808080808080 01"), ("field 0", "0001"), ("a group", "0b"),
            ("more bytes than there are", "120574657374"), ("a length near 2^64", "12ffffffffffffffffff01"),
            ("a cut fixed64", "19010000"), ("a cut fixed32", "1d0100"),
        ])
    func malformed(what: String, bytes: String) throws {
        let bytes = try #require([UInt8](hexadecimal: bytes.replacing(" ", with: "")), "\(what)")
        #expect(throws: WireError.self) { try passOver(bytes) }
    }

    @Test("A field read as another type is refused and names both")
    func wrongType() throws {
        let error = #expect(throws: WireError.self) {
            try only([0x08, 0x01]) { reader, field throws(WireError) in try reader.string(field) }
        }
        #expect(error?.description == "field 1 at byte 0 has wire type varint, not delimited")
    }

    @Test("Text that is not UTF-8 is repaired")
    func repairedText() throws {
        let text = try only([0x0A, 0x03, 0x61, 0xFF, 0x62]) { reader, field throws(WireError) in
            try reader.string(field)
        }
        #expect(text == "a\u{FFFD}b")
    }

    @Test("A message cut anywhere is refused or ends between fields")
    func truncation() throws {
        var writer = WireWriter()
        writer.varint(1, 300)
        writer.string(2, "Lisboa")
        writer.fixed64(3, 9)
        writer.message(4) { $0.string(1, "nested") }
        let ends = try passOver(writer.bytes)
        #expect(ends == [0, 3, 11, 20, 30])
        for cut in 0..<writer.bytes.count {
            let part = Array(writer.bytes.prefix(cut))
            if ends.contains(cut) {
                #expect(try passOver(part).last == cut)
            } else {
                #expect(throws: WireError.self, "cut at \(cut)") { try passOver(part) }
            }
        }
    }

    @Test("Random bytes never lead a reader out of their bounds", arguments: Seeds.some(20))
    func noise(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let bytes = generator.bytes(upTo: 40)
            bytes.withUnsafeBytes { bytes in
                var reader = WireReader(bytes)
                var end = 0
                // It throws or comes to the end, and returns each byte once.
                while let field = try? reader.next() {
                    #expect(field.start == end)
                    guard let skipped = try? reader.skip(field) else { break }
                    end += skipped.count
                    #expect(end == reader.offset && end <= bytes.count)
                }
            }
        }
    }
}

/// Skips all fields; returns where they end.
@discardableResult
private func passOver(_ bytes: [UInt8]) throws -> [Int] {
    try bytes.withUnsafeBytes { bytes in
        var ends = [0]
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            try reader.skip(field)
            ends.append(reader.offset)
        }
        return ends
    }
}

/// Reads the one field of a message.
private func only<Value>(
    _ bytes: [UInt8], _ read: (inout WireReader, WireReader.Field) throws(WireError) -> Value
) throws -> Value {
    try bytes.withUnsafeBytes { bytes in
        var reader = WireReader(bytes)
        let field = try #require(try reader.next())
        let value = try read(&reader, field)
        #expect(reader.isAtEnd)
        return value
    }
}
