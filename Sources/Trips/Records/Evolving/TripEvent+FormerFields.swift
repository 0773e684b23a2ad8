package import Events

extension TripEvent {
    /// The events with the writes to replaced fields that their writes imply, as a store knows these.
    package static func writingFormerFields(_ events: [TripEvent], in known: KnownSchema?) -> [TripEvent] {
        known.declared.mayDowngrade ? events.map { $0.writingFormerFields(in: known) } : events
    }

    /// The event with the writes to replaced fields that its writes imply: see `Upcaster.init(_:upgrade:downgrade:)`.
    ///
    /// A replaced field that it writes itself keeps that value. A value that breaks the rule of its field implies nothing: the event will be
    /// refused. One that becomes an old value which breaks the rule of the old field clears that.
    private func writingFormerFields(in known: KnownSchema?) -> TripEvent {
        guard writes.contains(where: { !entity.kind.hasBuiltIn($0.field) }),
            let schema = known.declared.schema(of: entity)
        else { return self }
        var written = self
        for write in writes where write.path.key.isEmpty { written.writeFormer(write, schema, in: known) }
        return written
    }

    private mutating func writeFormer(_ write: Write, _ schema: EntitySchema, in known: KnownSchema?) {
        guard let former = schema.field(write.field)?.former, let downgrade = former.downgrade,
            isAllowed(write, in: known)
        else { return }
        let old = downgrade(write.value)
        for (index, source) in former.sources.enumerated() {
            let path = FieldPath(field: source.number)
            guard !writes.contains(where: { $0.path == path }) else { continue }
            var implied = Write(
                path, value: old[index].flatMap { $0.isEmpty ? nil : $0 }, saw: .implied(by: write.field))
            if !isAllowed(implied, in: known) { implied.value = nil }
            // A new entity has nothing to clear.
            guard verb != .created || implied.value != nil else { continue }
            writes.append(implied)
            writeFormer(implied, schema, in: known)
        }
    }

    /// Whether a write meets the rules of its field, as an edit.
    private func isAllowed(_ write: Write, in known: KnownSchema?) -> Bool {
        guard write.value != nil else { return true }
        let edit = TripEvent(.edited, entity, writes: [write])
        do throws(ValidationError) {
            try edit.validate(in: known) { _ in nil }
            return true
        } catch { return false }
    }

    /// The replaced fields that a write of a value writes too, and the values that it writes there.
    package static func former(
        of field: UInt64, value: [UInt8]?, in entity: EntityReference, _ known: KnownSchema?
    ) -> [(number: UInt64, value: [UInt8]?)] {
        let edit = TripEvent(.edited, entity, writes: [Write(field: field, value: value)])
        return edit.writingFormerFields(in: known).writes.dropFirst().map { ($0.field, $0.value) }
    }
}

extension TripEvent {
    /// For a creation from another entity's values: a field that replaces others gets the value that it shows there. All writes of one
    /// commit have one timestamp, which would make an older value count again.
    mutating func writeShown<Entity: TripEntity>(of original: Entity, in known: KnownSchema?) {
        for field in known.declared.schema(of: entity)?.evolvedOwn ?? [] {
            guard original.own.register(field.number) != nil, let former = field.former else { continue }
            let shown = former.shown(field.number, original.own.register)?.value
            writes.removeAll { $0.path == FieldPath(field: field.number) }
            guard shown != nil || former.numbers.contains(where: { original.own[$0] != nil }) else { continue }
            writes.append(Write(field: field.number, value: shown))
        }
    }
}
