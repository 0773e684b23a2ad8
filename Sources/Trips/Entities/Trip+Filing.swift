package import Events
import Foundation

/// A trip as views store it beside their keys: what its value consists of and no more, so that content unknown to this
/// version does not change the rows. Fields of apps are part of the value, whether their app is here or not.
///
/// Creation and newest write (timestamps of 8 bytes, zero if there is none), then the fields that are set, by number:
/// number and length (varints) and the bytes of the record.
extension Trip {
    /// Throws `WireError` if the record cannot be read.
    package static func filed(_ record: borrowing RecordView) throws(WireError) -> [UInt8] {
        let timestamps = (try record.creationTimestamp() ?? .zero, try record.newestTimestamp() ?? .zero)
        var registers = record.registers
        var failure: WireError?
        // Each field takes less than its register does.
        let bytes = [UInt8](unsafeUninitializedCapacity: record.registerSize + 32) { room, count in
            let bytes = UnsafeMutableRawBufferPointer(room)
            bytes.write(timestamps.0.rawValue, &count)
            bytes.write(timestamps.1.rawValue, &count)
            do throws(WireError) {
                while let register = try registers.next() {
                    let isKnown = register.isOwn || schema.erased.rules(register.field) != nil
                    guard register.key.isEmpty, isKnown, let value = register.value,
                        !value.isEmpty
                    else { continue }
                    bytes.write(varint: register.field, &count)
                    bytes.write(varint: UInt64(value.count), &count)
                    bytes.write(value, &count)
                }
            } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }

    /// From the bytes that `filed` made. Throws `WireError` for others.
    package init(id: ID, filed bytes: UnsafeRawBufferPointer) throws(WireError) {
        self.init(id: id)
        guard bytes.count >= 16 else { throw WireError("a trip has 16 bytes or more, not \(bytes.count)") }
        setTimes(
            created: Self.date(bytes.bigEndian(UInt64.self)), updated: Self.date(bytes.bigEndian(UInt64.self, at: 8)))
        var reader = WireReader(bytes.part(from: 16))
        while !reader.isAtEnd {
            let number = try reader.rawVarint()
            let value = try reader.counted(try reader.rawVarint())
            withUnsafeMutablePointer(to: &self) { Self.schema.erased.decode(number, value, into: $0) }
        }
    }

    private static func date(_ timestamp: UInt64) -> Date? {
        timestamp == 0 ? nil : Timestamp(rawValue: timestamp).date
    }
}
