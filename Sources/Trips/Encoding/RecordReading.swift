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
            guard register.key.isEmpty else { continue }
            if register.isOwn {
                own.read(register.field, register.value, order: register.order)
            } else {
                withUnsafeMutablePointer(to: &self) { schema.decode(register.field, register.value, into: $0) }
            }
        }
        setTimes(
            created: try record.creationTimestamp()?.date, updated: try record.newestTimestamp()?.date)
    }

    private mutating func readOwn(_ record: EntityRecord) {
        let registers = record.registers.filter { $0.path.isOwn && $0.path.key.isEmpty }
        guard !registers.isEmpty else { return }
        let stamps = Set(registers.map(\.stamp)).sorted()
        for register in registers {
            let order = stamps.firstIndex(of: register.stamp) ?? 0
            guard let value = register.value else {
                own.read(register.path.field, nil, order: order)
                continue
            }
            value.withUnsafeBytes { own.read(register.path.field, $0, order: order) }
        }
    }

    /// From a record in memory, whether it is deleted or not.
    public init(id: ID, record: EntityRecord) {
        self.init(id: id)
        for register in record.registers where register.path.key.isEmpty && !register.path.isOwn {
            decode(register.path.field, register.value)
        }
        readOwn(record)
        setTimes(created: record.creation?.timestamp.date, updated: record.newest?.timestamp.date)
    }
}
