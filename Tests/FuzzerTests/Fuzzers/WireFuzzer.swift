@testable import Events

/// The reader of the wire format, compared with one that reads byte by byte; and back through the writer.
final class WireFuzzer: Fuzzer {
    static let name = "wire"
    static let longestInput = 4096
    /// A field of two bytes is read as each type, and each refusal has its message.
    static let allocationFactor = 2048

    init(in folder: String) {}

    func feed(_ bytes: UnsafeRawBufferPointer) throws {
        var reader = WireReader(bytes)
        var plain = PlainReader(bytes: bytes)
        while true {
            let start = reader.offset
            let field: WireReader.Field?
            do { field = try reader.next() } catch {
                expect(plain.tag() == nil, "byte \(start) has a tag, and was refused: \(error)")
                return
            }
            guard let field else {
                expect(plain.position == bytes.count, "the end came at byte \(plain.position)")
                return
            }
            let tag = plain.tag()
            expect(tag?.number == field.number && tag?.type == field.type, "byte \(start) has the tag \(field)")
            expect(reader.offset == plain.position, "the tag ends at \(reader.offset), not \(plain.position)")
            readAlternatives(field, reader)
            let value = plain.value(field.type)
            do { try reader.skip(field) } catch {
                expect(value == nil, "byte \(reader.offset) has a value, and was refused: \(error)")
                return
            }
            expect(value != nil && reader.offset == plain.position, "the value ends at \(reader.offset)")
            if let value { writeAgain(field, value) }
        }
    }

    /// Reads as each type: the reader chooses a field's type, not the writer.
    private func readAlternatives(_ field: WireReader.Field, _ reader: WireReader) {
        func attempt<T>(_ read: (inout WireReader) throws(WireError) -> T) -> T? {
            var copy = reader
            return try? read(&copy)
        }
        let number = attempt { reader throws(WireError) in try reader.varint(field) }
        let narrow = attempt { reader throws(WireError) in try reader.uint32(field) }
        expect(narrow == number.flatMap { UInt32(exactly: $0) }, "\(number ?? 0) as 32 bits")
        let signed = attempt { reader throws(WireError) in try reader.signed(field) }
        expect((signed == nil) == (number == nil), "\(number ?? 0) as a number with a sign")
        _ = attempt { reader throws(WireError) in try reader.double(field) }
        _ = attempt { reader throws(WireError) in try reader.uuid(field) }
        _ = attempt { reader throws(WireError) in try reader.string(field) }
        let slice = attempt { reader throws(WireError) in try reader.bytes(field) }
        // Fast paths start at the tag, and read what the general one reads or nothing.
        var short = WireReader(reader.bytes, from: field.start)
        let tag = reader.bytes[field.start]
        if let found = short.shortBytes(tag) ?? short.mediumBytes(tag) {
            if field.type == .delimited, tag < 0x80 {
                expect(slice.map { $0.equals(found) } ?? false, "the fast path reads other bytes")
            }
        }
    }

    private func writeAgain(_ field: WireReader.Field, _ value: PlainReader.Value) {
        var writer = WireWriter()
        switch value {
        case .number(let number): writer.varint(field.number, number)
        case .fixed(let number): writer.fixed64(field.number, number)
        case .bytes(let range): writer.bytes(field.number, [UInt8](range))
        // Nothing here writes those.
        case .short: return
        }
        writer.finish().withUnsafeBytes { bytes in
            var plain = PlainReader(bytes: bytes)
            let tag = plain.tag()
            expect(tag?.number == field.number && tag?.type == field.type, "\(field) was written as another")
            let again = plain.value(field.type)
            expect(
                again == value && plain.position == bytes.count, "\(value) was written as \(String(describing: again))")
        }
    }
}

/// The wire format, byte by byte, as its specification has it.
private struct PlainReader {
    enum Value: Equatable {
        case number(UInt64)
        case fixed(UInt64)
        case short(UInt64)
        case bytes(ArraySlice<UInt8>)
    }

    let bytes: UnsafeRawBufferPointer
    var position = 0

    mutating func varint() -> UInt64? {
        var value: UInt64 = 0
        for index in 0..<10 {
            guard position < bytes.count else { return nil }
            let byte = bytes[position]
            position += 1
            if index == 9 && byte > 1 { return nil }
            value |= UInt64(byte & 0x7F) << UInt64(7 * index)
            if byte < 0x80 { return value }
        }
        return nil
    }

    mutating func tag() -> (number: UInt32, type: WireType)? {
        guard let tag = varint(), let number = UInt32(exactly: tag >> 3), 1..<1 << 29 ~= number,
            let type = WireType(rawValue: UInt8(tag & 7))
        else { return nil }
        return (number, type)
    }

    mutating func value(_ type: WireType) -> Value? {
        switch type {
        case .varint: return varint().map { .number($0) }
        case .fixed64: return take(8).map { .fixed(Self.number($0)) }
        case .fixed32: return take(4).map { .short(Self.number($0)) }
        case .delimited:
            guard let count = varint(), count <= UInt64(bytes.count - position) else { return nil }
            return take(Int(count)).map { .bytes($0) }
        }
    }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= bytes.count - position else { return nil }
        defer { position += count }
        return [UInt8](bytes[position..<position + count])[...]
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
