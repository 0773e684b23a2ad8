public import Events
public import Foundation

extension TripEntity {
    public init(id: ID, record: borrowing RecordView) throws(WireError) {
        self.init(id: id)
        try read(record)
    }

    public static func append(
        id: UUID, record: borrowing RecordView, to entities: inout [Self]
    ) throws(WireError) -> Bool {
        let entity = try Self(id: ID(id), record: record)
        entities.append(entity)
        return !entity.own.isEmpty
    }

    /// Called from initialisers of concrete types too, so that it is compiled once for each of them: generic code takes
    /// a third longer to read an entity.
    @inline(__always)
    mutating func read(_ record: borrowing RecordView) throws(WireError) {
        try read(record.registers)
        if !Self.schema.erased.evolved.isEmpty { try readEvolved(record) }
        setTimes(
            created: try record.creationTimestamp()?.date, updated: try record.newestTimestamp()?.date)
    }

    @inline(__always)
    mutating func read(_ registers: RecordView.Registers) throws(WireError) {
        let schema = Self.schema.erased
        var registers = registers
        while let register = try registers.next() {
            if register.key.isEmpty {
                withUnsafeMutablePointer(to: &self) {
                    schema.decode(register.field, register.value, order: register.order, into: $0)
                }
            } else {
                withUnsafeMutablePointer(to: &self) {
                    schema.decodeElement(register.field, register.key, register.value, into: $0)
                }
            }
        }
    }

    /// Sets the fields that replace others to the values that they show.
    private mutating func readEvolved(_ record: borrowing RecordView) throws(WireError) {
        let schema = Self.schema.erased
        var found: [UInt64: FormerFields.Reading<Int>] = [:]
        var registers = record.registers
        while let register = try registers.next() {
            guard register.key.isEmpty, schema.evolvedNumbers.contains(register.field) else { continue }
            found[register.field] = (register.order, register.value.map { [UInt8]($0) })
        }
        showEvolved { found[$0] }
    }

    private mutating func showEvolved<Order>(_ register: (UInt64) -> FormerFields.Reading<Order>?) {
        for field in Self.schema.erased.evolved {
            // What was written to the field itself is read already.
            guard let shown = field.former?.shown(field.number, register), shown.origin != field.number else {
                continue
            }
            decode(field.number, shown.value)
        }
    }

    /// From a record in memory, whether it is deleted or not.
    public init(id: ID, record: EntityRecord) {
        self.init(id: id)
        let schema = Self.schema.erased
        let orders = record.ordersOfOwnValues
        for register in record.registers where register.path.element != .ownShare {
            if let order = orders[register.stamp], register.path.isOwn {
                own.read(register.path, register.value, order: order)
            } else {
                decode(register.path, register.value)
            }
        }
        if !schema.evolved.isEmpty {
            showEvolved { number in record.register(at: FieldPath(field: number)).map { ($0.stamp, $0.value) } }
        }
        setTimes(created: record.creation?.timestamp.date, updated: record.newest?.timestamp.date)
    }
}

extension EntityRecord {
    /// The indexes, in the order of the merge, of the writes of apps' own fields of one value.
    fileprivate var ordersOfOwnValues: [Stamp: Int] {
        let stamps = Set(registers.lazy.filter { $0.path.isOwn && $0.path.key.isEmpty }.map(\.stamp))
        return Dictionary(uniqueKeysWithValues: stamps.sorted().enumerated().map { ($1, $0) })
    }
}
