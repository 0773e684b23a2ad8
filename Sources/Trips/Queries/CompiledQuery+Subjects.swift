import Events

/// What a condition is asked of: a record that is not decoded, or an entity.
extension RecordQuery {
    struct RecordSubject: ConditionSubject {
        let query: RecordQuery
        let values: Values
        let related: (RelatedCondition) throws -> Bool

        func value(_ field: QueriedField) -> OrderedValue? { query.value(field, values) }
        func asciiText(_ field: QueriedField) -> UnsafeRawBufferPointer? { query.text(field, values) }

        func place(_ field: QueriedField) -> GlobePoint? {
            guard case .field(let number) = field else { return nil }
            return query.raw(number, values).flatMap { GlobePoint(address: $0.bytes) }
        }

        // Collections are asked of entities.
        func has(_ field: QueriedField, _ element: [UInt8]) -> Bool { false }
        func isRelated(_ condition: RelatedCondition) throws -> Bool { try related(condition) }
    }
}

extension CompiledQuery {
    struct EntitySubject: ConditionSubject {
        let query: CompiledQuery
        let entity: Entity
        let related: (RelatedCondition) throws -> Bool

        func value(_ field: QueriedField) -> OrderedValue? { query.value(field, entity) }
        func asciiText(_ field: QueriedField) -> UnsafeRawBufferPointer? { nil }

        func place(_ field: QueriedField) -> GlobePoint? {
            guard case .field(let number) = field else { return nil }
            return query.withRaw(number, entity) { $0.flatMap { GlobePoint(address: $0.bytes) } }
        }

        func has(_ field: QueriedField, _ element: [UInt8]) -> Bool {
            guard case .field(let number) = field else { return false }
            return entity.own.elements(of: number).contains(element)
        }

        func isRelated(_ condition: RelatedCondition) throws -> Bool { try related(condition) }
    }
}

extension OwnValues {
    /// The elements of a set or a list, or the keys of a map.
    fileprivate func elements(of number: UInt64) -> [[UInt8]] {
        values(of: number).compactMap { value in
            switch value.path.element?.kind {
            case .addition, .item: value.bytes
            case .entry: value.path.element?.name
            default: nil
            }
        }
    }
}
