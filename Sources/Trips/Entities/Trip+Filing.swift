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
        // Each field takes less than its register does.
        var writer = WireWriter(reservingCapacity: record.registerSize + 32)
        for timestamp in [try record.creationTimestamp(), try record.newestTimestamp()] {
            writer.raw((timestamp ?? .zero).rawValue.bigEndianBytes)
        }
        var registers = record.registers
        while let register = try registers.next() {
            guard register.key.isEmpty, Field(rawValue: register.field) != nil, let value = register.value,
                !value.isEmpty
            else { continue }
            writer.rawVarint(UInt64(register.field))
            writer.rawVarint(UInt64(value.count))
            writer.raw(value)
        }
        return writer.finish()
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
