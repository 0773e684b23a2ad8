package import Events
import Foundation

/// A trip as views store it beside their keys: what its value consists of and no more, so that content unknown to this
/// version does not change the rows. Fields of apps are part of the value, whether their app is here or not.
///
/// Creation and newest write (timestamps of 8 bytes, zero if there is none), then the fields that are set, by number:
/// twice the number, 1 more for an element of a collection (varint); the key of an element, and the value as the record has it, each
/// behind its length (varint). Of an app's field of one value, a cleared one included, the index of its write among those of the record
/// (varint) is before the length.
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
                    let isElement = !register.key.isEmpty
                    if register.isOwn, !isElement {
                        bytes.write(varint: register.field << 1, &count)
                        bytes.write(varint: UInt64(register.order), &count)
                        bytes.write(varint: UInt64(register.value?.count ?? 0), &count)
                        if let value = register.value { bytes.write(value, &count) }
                        continue
                    }
                    let isKnown = register.isOwn || !isElement && schema.erased.rules(register.field) != nil
                    // Of elements those without bytes are there as well.
                    guard isKnown, let value = register.value, isElement || !value.isEmpty else { continue }
                    bytes.write(varint: register.field << 1 | (isElement ? 1 : 0), &count)
                    if isElement {
                        bytes.write(varint: UInt64(register.key.count), &count)
                        bytes.write(register.key, &count)
                    }
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
        let schema = Self.schema.erased
        var reader = WireReader(bytes.part(from: 16))
        while !reader.isAtEnd {
            let number = try reader.rawVarint()
            if number & 1 == 0 {
                let order = number >> 1 > FieldPath.highestBuiltIn ? try reader.rawVarint() : 0
                let value = try reader.counted(try reader.rawVarint())
                withUnsafeMutablePointer(to: &self) {
                    schema.decode(number >> 1, value, order: Int(clamping: order), into: $0)
                }
            } else {
                let key = try reader.counted(try reader.rawVarint())
                let value = try reader.counted(try reader.rawVarint())
                withUnsafeMutablePointer(to: &self) {
                    schema.decodeElement(number >> 1, key, value, into: $0)
                }
            }
        }
    }

    private static func date(_ timestamp: UInt64) -> Date? {
        timestamp == 0 ? nil : Timestamp(rawValue: timestamp).date
    }
}
