import Events
import Trips

/// An entity that a query has found, with what was read of it: not to be used beyond the read.
struct QueryMatch<Entity: TripEntity> {
    let values: CompiledQuery<Entity>.Values
    /// Nil as long as it need not be decoded.
    private let entity: Entity?
    private let record: UnsafeRawBufferPointer

    init(_ values: CompiledQuery<Entity>.Values, _ entity: Entity?, _ record: UnsafeRawBufferPointer) {
        self.values = values
        self.entity = entity
        self.record = record
    }

    var id: Identifier<Entity> { values.id }

    func decoded() throws -> Entity { try entity ?? Entity(id: id, record: RecordView(record)) }

    func group(_ keys: [GroupKey<Entity>], _ query: CompiledQuery<Entity>) -> GroupIdentity {
        entity.map { query.identity(keys, $0) } ?? query.identity(keys, values)
    }

    func measured(_ key: GroupKey<Entity>, _ query: CompiledQuery<Entity>) -> MeasuredValue? {
        if let entity { query.measured(key, entity) } else { query.measured(key, values) }
    }

    func groupValue(_ key: GroupKey<Entity>, _ query: CompiledQuery<Entity>) -> GroupValue {
        entity.map { query.groupValue(key, $0) } ?? query.groupValue(key, values)
    }

    func sortValues(_ query: CompiledQuery<Entity>) -> CompiledQuery<Entity>.SortValues {
        entity.map { query.sortValues($0) } ?? query.sortValues(values)
    }
}
