package import Events
import Foundation

/// A trip as views store it beside their keys: what its value consists of and no more, so that content unknown to this
/// version does not change the rows. Fields of apps are part of the value, whether their app is here or not.
///
/// Creation and newest write (timestamps of 8 bytes, zero if there is none), then the registers of the fields that are set, and of apps'
/// cleared ones, as a record has them, but for the index of the write: only apps' fields of one value have it.
extension Trip {
    /// Throws `WireError` if the record cannot be read.
    package static func filed(_ record: borrowing RecordView) throws(WireError) -> [UInt8] {
        var writer = WireWriter(reservingCapacity: record.registerSize + 32)
        for time in [try record.creationTimestamp(), try record.newestTimestamp()] {
            writer.raw((time ?? .zero).rawValue.bigEndianBytes)
        }
        let schema = schema.erased
        var registers = record.registers
        while let register = try registers.next() {
            let isOwnValue = register.isOwn && register.key.isEmpty
            guard register.isOwn || register.key.isEmpty && schema.rules(register.field) != nil,
                isOwnValue || register.value != nil
            else { continue }
            writer.rawVarint(register.field)
            writer.rawVarint(UInt64(register.key.count))
            writer.raw(register.key)
            writer.rawVarint(isOwnValue ? UInt64(register.order) : 0)
            writer.rawVarint(register.value.map { UInt64($0.count) + 1 } ?? 0)
            if let value = register.value { writer.raw(value) }
        }
        return writer.finish()
    }

    /// From the bytes that `filed` made. Throws `WireError` for others.
    package init(id: ID, filed bytes: UnsafeRawBufferPointer) throws(WireError) {
        self.init(id: id)
        guard bytes.count >= 16 else { throw WireError("a trip has 16 bytes or more, not \(bytes.count)") }
        try read(RecordView.Registers(bytes.part(from: 16)))
        setTimes(
            created: Self.date(bytes.bigEndian(UInt64.self)), updated: Self.date(bytes.bigEndian(UInt64.self, at: 8)))
    }

    private static func date(_ timestamp: UInt64) -> Date? {
        timestamp == 0 ? nil : Timestamp(rawValue: timestamp).date
    }
}
