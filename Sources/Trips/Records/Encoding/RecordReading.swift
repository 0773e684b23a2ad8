package import Events
package import Foundation

/// How the entities of a kind are read from their records.
///
/// Made where the type is concrete: generic code spends more time on finding and copying types than on reading. A page of 50 entities took 0.92
/// to 0.94 of SQLite's time by a generic initialiser, and 0.81 to 0.84 by `append`.
struct EntityReader<Entity: TripEntity>: Sendable {
    let entity: @Sendable (UUID, borrowing RecordView) throws(WireError) -> Entity
    /// Appends the entity in a record to a list. Returns whether it has values of apps' fields.
    let append: @Sendable (UUID, borrowing RecordView, inout [Entity]) throws(WireError) -> Bool

    @inline(__always)
    init(_ entity: @escaping @Sendable (UUID, borrowing RecordView) throws(WireError) -> Entity) {
        self.entity = entity
        append = { id, record, entities throws(WireError) in
            let entity = try entity(id, record)
            entities.append(entity)
            return !entity.own.isEmpty
        }
    }

    /// Reads an entity of an app's kind.
    static var generic: EntityReader {
        EntityReader { id, record throws(WireError) in
            var entity = Entity(id: Identifier(id))
            try entity.read(record)
            return entity
        }
    }
}

extension TripEntity {
    /// Reads an entity in place from the bytes of its record, whether it is deleted or not.
    ///
    /// A malformed value leaves its field's default. Throws `WireError` only if the record itself cannot be read.
    package init(id: ID, record: borrowing RecordView) throws(WireError) {
        self = try Self.schema.reader.entity(id.uuid, record)
    }

    /// Appends the entity in a record to a list. Returns whether it has values of apps' fields. Throws `WireError` as `init(id:record:)` does.
    package static func append(
        id: UUID, record: borrowing RecordView, to entities: inout [Self]
    ) throws(WireError) -> Bool {
        try schema.reader.append(id, record, &entities)
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
    package init(id: ID, record: EntityRecord) {
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
