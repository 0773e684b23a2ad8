import Events
import Foundation

/// Receives the values of a record's fields one by one.
protocol FieldDecoder {
    associatedtype Field: EntityField

    mutating func decode(_ field: Field, _ value: UnsafeRawBufferPointer?)
}

extension FieldDecoder {
    /// Decodes every known field in place and returns when the entity was created and last changed.
    ///
    /// Called from initialisers of concrete types, so that it is compiled once for each of them.
    @inline(__always)
    mutating func read(_ record: borrowing RecordView) throws(WireError) -> (created: Date?, updated: Date?) {
        var registers = record.registers
        while let register = try registers.next() {
            guard register.key.isEmpty, let field = Field(rawValue: register.field) else { continue }
            decode(field, register.value)
        }
        return (try record.creationTimestamp()?.date, try record.newestTimestamp()?.date)
    }

    mutating func read(_ record: EntityRecord) -> (created: Date?, updated: Date?) {
        for register in record.registers where register.path.key.isEmpty {
            guard let field = Field(rawValue: register.path.field) else { continue }
            decodeCopy(field, register.value)
        }
        return (record.creation?.timestamp.date, record.newest?.timestamp.date)
    }

    /// Sets a field from bytes in memory of their own.
    mutating func decodeCopy(_ field: Field, _ value: [UInt8]?) {
        guard let value else { return decode(field, UnsafeRawBufferPointer?.none) }
        value.withUnsafeBytes { decode(field, $0) }
    }
}

extension ItemFields: FieldDecoder {}
extension Trip: FieldDecoder {}
extension Organization: FieldDecoder {}
extension Item: FieldDecoder {}
