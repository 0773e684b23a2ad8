package import Events
import Foundation

/// A trip as views keep it beside their keys: what its value is made of and no more, so that nothing which this version
/// does not know makes other rows.
///
/// Creation and newest write (timestamps of 8 bytes, zero if there is none), then the fields that are set, in the order of
/// their numbers: number and length (varints) and the bytes that the record has.
extension Trip {
    /// Throws `WireError` if the record cannot be read.
    package static func filed(_ record: RecordView) throws(WireError) -> [UInt8] {
        let timestamps = (try record.creationTimestamp() ?? .zero, try record.newestTimestamp() ?? .zero)
        var registers = record.registers
        var failure: WireError?
        // Each field takes less than its register does.
        let bytes = [UInt8](unsafeUninitializedCapacity: record.registerSize + 32) { bytes, count in
            var filed = FiledBytes(UnsafeMutableRawBufferPointer(bytes))
            filed.append(timestamps.0.rawValue)
            filed.append(timestamps.1.rawValue)
            do throws(WireError) {
                while let register = try registers.next() {
                    guard register.key.isEmpty, Field(rawValue: register.field) != nil, let value = register.value,
                        !value.isEmpty
                    else { continue }
                    filed.append(varint: UInt64(register.field))
                    filed.append(varint: UInt64(value.count))
                    filed.append(value)
                }
            } catch { failure = error }
            count = filed.count
        }
        if let failure { throw failure }
        return bytes
    }

    /// From the bytes that `filed` made. Throws `WireError` if they are others.
    package init(id: ID, filed bytes: UnsafeRawBufferPointer) throws(WireError) {
        self.id = id
        guard bytes.count >= 16 else { throw WireError("a trip has 16 bytes or more, not \(bytes.count)") }
        createdAt = Self.date(bytes.bigEndian(UInt64.self))
        updatedAt = Self.date(bytes.bigEndian(UInt64.self, at: 8))
        var reader = WireReader(bytes.part(from: 16))
        while !reader.isAtEnd {
            let number = try reader.rawVarint()
            let value = try reader.counted(try reader.rawVarint())
            if let field = UInt32(exactly: number).flatMap({ Field(rawValue: $0) }) { decode(field, value) }
        }
    }

    private static func date(_ timestamp: UInt64) -> Date? {
        timestamp == 0 ? nil : Timestamp(rawValue: timestamp).date
    }
}

/// What is written of a trip, into memory that has room for it.
private struct FiledBytes {
    // Held against the bounds at every write. Used while the memory is there.
    private let bytes: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init(_ bytes: UnsafeMutableRawBufferPointer) { self.bytes = bytes }

    /// Most significant byte first.
    mutating func append(_ number: UInt64) {
        withUnsafeBytes(of: number.bigEndian) { append($0) }
    }

    mutating func append(varint number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            append(byte: UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(byte: UInt8(truncatingIfNeeded: rest))
    }

    private mutating func append(byte: UInt8) {
        precondition(count < bytes.count, "There is no room for more than \(count) bytes.")
        bytes[count] = byte
        count += 1
    }

    mutating func append(_ part: UnsafeRawBufferPointer) {
        precondition(part.count <= bytes.count - count, "There is no room for \(part.count) bytes more.")
        UnsafeMutableRawBufferPointer(rebasing: bytes[count..<count + part.count]).copyMemory(from: part)
        count += part.count
    }
}
