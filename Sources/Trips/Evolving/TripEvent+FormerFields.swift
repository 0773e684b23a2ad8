import Events

extension TripEvent {
    /// Whether it writes fields of apps, which may replace others.
    package var mayWriteFormerFields: Bool { entity.kind == .own || writes.contains { $0.path.isOwn } }

    /// The event with the writes to replaced fields that its writes imply: see `Upcaster.init(_:upgrade:downgrade:)`.
    ///
    /// A replaced field that it writes itself keeps that value.
    package var writingFormerFields: TripEvent {
        guard mayWriteFormerFields, let schema = entity.schema else { return self }
        var written = self
        for write in writes where write.path.key.isEmpty { written.writeFormer(write.field, write.value, schema) }
        return written
    }

    private mutating func writeFormer(_ field: UInt64, _ value: [UInt8]?, _ schema: EntitySchema) {
        guard let former = schema.field(field)?.former, let downgrade = former.downgrade else { return }
        for (source, old) in zip(former.sources, downgrade(value)) {
            let path = FieldPath(field: source.number)
            guard !writes.contains(where: { $0.path == path }) else { continue }
            let old = old.flatMap { $0.isEmpty ? nil : $0 }
            // A new entity has nothing to clear.
            guard verb != .created || old != nil else { continue }
            writes.append(Write(path, value: old))
            writeFormer(source.number, old, schema)
        }
    }
}

extension TripEvent {
    /// For a creation from another entity's values: a field that replaces others gets the value that it shows there. All writes of one
    /// commit have one timestamp, which would make an older value count again.
    mutating func writeShown<Entity: TripEntity>(of original: Entity) {
        for field in OwnFieldRegistry.shared.evolved(ConcreteKind(Entity.self)) {
            guard original.own.register(field.number) != nil, let former = field.former else { continue }
            let shown = former.shown(field.number, original.own.register)?.value
            writes.removeAll { $0.path == FieldPath(field: field.number) }
            guard shown != nil || former.numbers.contains(where: { original.own[$0] != nil }) else { continue }
            writes.append(Write(field: field.number, value: shown))
        }
    }
}

extension EntityReference {
    /// The fields of its kind that replace others, as far as this process knows them.
    package var evolvedFields: [EvolvedField] {
        let own = OwnFieldRegistry.shared.evolved(ConcreteKind(self))
        let fields = kind == .own ? (schema?.evolved ?? []) + own : own
        return fields.compactMap { field in field.former.map { EvolvedField(number: field.number, former: $0) } }
    }

    /// One of them; nil if the field is none.
    package func evolvedField(_ number: UInt64) -> EvolvedField? {
        schema?.field(number)?.former.map { EvolvedField(number: number, former: $0) }
    }
}

/// A field that replaces others.
package struct EvolvedField: Sendable {
    package let number: UInt64
    let former: FormerFields

    /// The numbers of the fields that are read for it.
    package var formerNumbers: [UInt64] { former.numbers }

    /// What it shows, and the field to which that was written, where `register` returns the order and the value of the newest write to a
    /// field; nil if there was none.
    package func shown<Order: Comparable>(
        _ register: (UInt64) -> (order: Order, value: [UInt8]?)?
    ) -> (origin: UInt64, value: [UInt8]?)? {
        former.shown(number) { field in register(field).map { FormerFields.Reading(order: $0.order, value: $0.value) } }
            .map { ($0.origin, $0.value) }
    }
}
