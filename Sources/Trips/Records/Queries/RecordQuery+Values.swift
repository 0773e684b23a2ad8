package import Events
package import Foundation

/// Reading a record, and asking it.
extension RecordQuery {
    /// The fields of a record as they lie in it: not to be used beyond its read.
    package struct Values {
        package fileprivate(set) var id = UUID.blank
        /// In the order of the fields that are read.
        fileprivate(set) var found: [UnsafeRawBufferPointer?] = []
        fileprivate(set) var created: Timestamp?
        fileprivate(set) var updated: Timestamp?
        /// Nil unless the query reads such values.
        fileprivate(set) var further: FurtherValues?

        package init() {}
    }

    /// A row's values by which rows are sorted, and its id, which decides between equal ones.
    package struct SortValues: Hashable, Sendable {
        let values: [SortValue]
        package let id: UUID
    }

    /// Reads the fields of a record in place of those of another.
    package func read(
        _ id: UUID, _ record: borrowing RecordView, into values: inout Values
    ) throws(WireError) {
        values.id = id
        if values.found.count != readings.count { values.found = Array(repeating: nil, count: readings.count) }
        if readsTimes {
            values.created = try record.creationTimestamp()
            values.updated = try record.newestTimestamp()
        }
        let registers = record.registers
        var failure: WireError?
        values.found.withUnsafeMutableBufferPointer { found in
            for index in found.indices { found[index] = nil }
            do throws(WireError) { try slice.read(registers, into: found) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Whether a record meets what the condition says of fields that `read` finds.
    package func mayMatch(_ values: Values) throws -> Bool {
        guard let onRecord else { return true }
        return try onRecord.holds(for: RecordSubject(query: self, values: values) { _ in false })
    }

    /// Whether it reads fields of which `read` does not find the values.
    package var readsFurther: Bool { further != nil }

    /// Reads the further values of a record that may match. `isDeleted` says whether an entity, or what it belongs to, is deleted.
    package func readFurther(
        _ record: borrowing RecordView, into values: inout Values, _ isDeleted: (EntityReference) throws -> Bool
    ) throws {
        guard let further else { return }
        if !isKnownUniquelyReferenced(&values.further) { values.further = FurtherValues() }
        try values.further?.read(further, record, isDeleted)
        for field in further.evolved {
            guard let index = index(of: field.number), let found = values.further,
                let shown = found.shown(field), shown.origin != field.number
            else { continue }
            values.found[index] = shown.value.map { found.keep($0) }
        }
        for number in further.nullified {
            guard let index = index(of: number), readings[index].value(values.found[index]) != nil,
                let target = values.found[index].flatMap({ EntityReference(fieldValue: $0) }), try isDeleted(target)
            else { continue }
            values.found[index] = nil
        }
    }

    /// Whether a record that may match meets the rest of the condition. `isRelated` says whether a condition on other entities is met.
    package func matches(_ values: Values, _ isRelated: (RelatedCondition) throws -> Bool) throws -> Bool {
        guard let onRest else { return true }
        return try withoutActuallyEscaping(isRelated) { isRelated in
            try onRest.holds(for: RecordSubject(query: self, values: values, isRelated: isRelated))
        }
    }

    /// The parent, by the record of an entity of a kind whose parents are of one kind.
    package func parent(_ values: Values) -> EntityReference? {
        guard let parentIndex, case .one(let kind) = schema.parents, let bytes = values.found[parentIndex] else {
            return nil
        }
        return EntityReference.idBytes(in: bytes, of: kind).map { EntityReference(kind: kind, id: $0.uuid()) }
    }

    /// The entity that a field names; nil if it names none.
    package func reference(inField number: UInt64, _ values: Values) -> EntityReference? {
        bytes(.field(number), values).flatMap { EntityReference(fieldValue: $0) }
    }

    /// The values by which a row is sorted.
    package func sortValues(_ values: Values) -> SortValues {
        SortValues(values: sortKeys.map { $0.value(value($0.field, values)) }, id: values.id)
    }

    /// Whether a row comes before another.
    package func isBefore(_ a: SortValues, _ b: SortValues) -> Bool {
        for (index, key) in sortKeys.enumerated() {
            let order = key.compare(a.values[index], b.values[index])
            if order != 0 { return order < 0 }
        }
        return a.id < b.id
    }

    // MARK: One field

    func index(of number: UInt64) -> Int? { slice.index(of: number) }

    /// The bytes of a field; nil if it is cleared, and for ids and times.
    func bytes(_ field: QueriedField, _ values: Values) -> UnsafeRawBufferPointer? {
        guard case .field(let number) = field else { return nil }
        return index(of: number).flatMap { values.found[$0] }
    }

    func value(_ field: QueriedField, _ values: Values) -> OrderedValue? {
        switch field {
        case .field(let number): index(of: number).flatMap { readings[$0].value(values.found[$0]) }
        case .id: .bytes(EntityReference(kind: kind.kind, id: values.id).fieldValue)
        case .created: values.created?.date.ordered
        case .updated: values.updated?.date.ordered
        case .creation: values.created.map { .integer(Int64(clamping: $0.rawValue)) }
        case .either(let first, let other): value(.field(first), values) ?? value(.field(other), values)
        case .unknown: nil
        }
    }

    /// How a field is read; nil for ids and times.
    func reading(_ field: QueriedField) -> Reading? {
        guard case .field(let number) = field else { return nil }
        return index(of: number).map { readings[$0] }
    }
}
