import Events

/// A row of which a condition is asked: a record with the values that were read of it.
struct RecordSubject {
    let query: RecordQuery
    let values: RecordQuery.Values
    /// Whether one of the entities that belong to the row, or that it names, meets a condition.
    let isRelated: (RelatedCondition) throws -> Bool

    func value(_ field: QueriedField) -> OrderedValue? { query.value(field, values) }

    /// The bytes of a text, if they are ASCII: what is searched in without making text of them.
    func asciiText(_ field: QueriedField) -> UnsafeRawBufferPointer? {
        guard case .field(let number) = field, let index = query.index(of: number),
            query.readings[index].type is String.Type, query.readings[index].isReadable == nil,
            let bytes = values.found[index], bytes.isASCII
        else { return nil }
        return bytes
    }

    /// The place of an address.
    func place(_ field: QueriedField) -> GlobePoint? {
        query.bytes(field, values).flatMap { GlobePoint(address: $0) }
    }

    /// Whether a collection has an element, or a map a key.
    func has(_ field: QueriedField, _ element: [UInt8]) -> Bool {
        guard case .field(let number) = field else { return false }
        return values.further?.has(element, in: number) ?? false
    }
}
