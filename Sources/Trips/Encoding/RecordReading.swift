public import Events
import Foundation

extension TripEntity {
    public init(id: ID, record: borrowing RecordView) throws(WireError) {
        self.init(id: id)
        try read(record)
    }

    /// Called from initialisers of concrete types too, so that it is compiled once for each of them: generic code takes
    /// a third longer to read a trip.
    @inline(__always)
    mutating func read(_ record: borrowing RecordView) throws(WireError) {
        let schema = Self.schema.erased
        var registers = record.registers
        while let register = try registers.next() {
            if register.key.isEmpty {
                withUnsafeMutablePointer(to: &self) { schema.decode(register.field, register.value, into: $0) }
            } else {
                withUnsafeMutablePointer(to: &self) {
                    schema.decodeElement(register.field, register.key, register.value, into: $0)
                }
            }
        }
        setTimes(
            created: try record.creationTimestamp()?.date, updated: try record.newestTimestamp()?.date)
    }

    /// From a record in memory, whether it is deleted or not.
    public init(id: ID, record: EntityRecord) {
        self.init(id: id)
        for register in record.registers where register.path.element != .ownShare {
            decode(register.path, register.value)
        }
        setTimes(created: record.creation?.timestamp.date, updated: record.newest?.timestamp.date)
    }
}
