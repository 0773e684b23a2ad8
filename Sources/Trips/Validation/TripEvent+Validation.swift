public import Events

extension TripEvent {
    /// Checks the event alone: a known verb and kind, known fields, and well-formed values.
    ///
    /// Throws `ValidationError` with `unknownVerb`, `unknownKind`, `unknownField` or `malformedValue`.
    public func validateValues() throws(ValidationError) {
        guard [.created, .edited, .deleted, .restored].contains(verb) else {
            throw ValidationError(
                .unknownVerb, "Verb \(verb.rawValue) is not known. Use created, edited, deleted or restored.",
                entity: entity)
        }
        guard let schema = entity.schema else {
            // Of an app that is not here.
            if OwnKind(of: entity) != nil { return try validateWithoutSchema() }
            if entity.kind == .own {
                throw ValidationError(
                    .unknownKind, "The id \(entity.id) names no kind of an app. Make ids of an app's kind with new().",
                    entity: entity)
            }
            let names = EntitySchema.all.map { "\($0.kind.rawValue) (\($0.name))" }.joined(separator: ", ")
            throw ValidationError(
                .unknownKind, "Kind \(entity.kind.rawValue) is not known. Use one of \(names).", entity: entity)
        }
        try validateKeys()
        for write in writes {
            guard let field = schema.field(write.field) else {
                // Of an app that is not here.
                if FieldPath(field: write.field).isOwn, write.field <= FieldPath.highestField { continue }
                throw ValidationError(
                    .unknownField, "\(schema.name) has no field \(write.field). Leave it out, or update this program.",
                    entity: entity, field: "field \(write.field)")
            }
            try check(write, field)
        }
    }

    /// Of an app that is not here: what every reader asks of it.
    private func validateWithoutSchema() throws(ValidationError) {
        try validateKeys()
        for write in writes {
            guard 1...FieldPath.highestField ~= write.field else {
                throw ValidationError(
                    .unknownField, "\(write.field) is no number of a field. Use 1 to \(FieldPath.highestField).",
                    entity: entity, field: "field \(write.field)")
            }
            guard write.path == .parent, let value = write.value, EntityReference(fieldValue: value) == nil else {
                continue
            }
            throw ValidationError(
                .malformedValue,
                "\(value.count) bytes are no reference to a parent. Encode it as trips.proto specifies.",
                entity: entity,
                field: "parent")
        }
    }

    private func validateKeys() throws(ValidationError) {
        for write in writes where write.path.key.count > Payload.longestKey {
            throw ValidationError(
                .tooLong,
                "A key has \(write.path.key.count) bytes, more than \(Payload.longestKey). Give a shorter one.",
                entity: entity, field: entity.schema?.field(write.field)?.name ?? "field \(write.field)")
        }
    }

    private func check(_ write: Write, _ field: EntitySchema.Field) throws(ValidationError) {
        // Whatever is there may go.
        guard let value = write.value else { return }
        guard let type = field.valueType(at: write.path) else {
            throw ValidationError(
                .malformedValue, "\(field.words) has no \(write.path.keyWords). Write it as its declaration says.",
                entity: entity, field: field.name)
        }
        do throws(WireError) {
            try type.check(value)
        } catch {
            throw ValidationError(
                .malformedValue,
                "\(value.count) bytes are no value of this field: \(error). Encode it as trips.proto specifies.",
                entity: entity, field: field.name)
        }
    }

    /// Checks the event's values, and the rules of the resulting entity: `record` is what the store holds of it.
    ///
    /// A creation must meet every rule, other verbs those of their fields.
    public func validate(on record: EntityRecord?) throws(ValidationError) {
        guard let record else {
            if isValidOnFastPath({ _ in nil }) { return }
            try validateValues()
            return try validateRules { _ in nil }
        }
        try validateValues()
        try validateRules { record.register(at: FieldPath(field: $0))?.value }
    }

    /// As `validate(on:)`, if the values were checked; `held` returns the value that a field has before the event.
    package func validateRules(on held: (_ field: UInt64) -> [UInt8]?) throws(ValidationError) {
        try entity.schema?.validate(self, held)
    }

    /// The part of `validate(on:)` that needs no record: all of it, for a creation. `changes` are the event's writes,
    /// in the same order; their values are read, and not kept.
    ///
    /// Returns whether the fast path was enough. Then an edit remains to be checked only if it writes one of start and
    /// end: see `HalfOfSpan`.
    package func validateAlone(_ changes: [PayloadWriter.Change]) throws(ValidationError) -> Bool {
        let isValidOnFastPath = entity.schema?.isValidOnFastPath(verb, changes.count) { index in
            // 0 is no field's: elements take the full check.
            (changes[index].key.isEmpty ? changes[index].field : 0, changes[index].value)
        }
        if isValidOnFastPath == true { return true }
        try validateValues()
        if verb == .created { try validateRules { _ in nil } }
        return false
    }

    /// Whether the fast path proves the event valid: a creation if nothing is held of its entity; an edit where `held`
    /// returns the value that a field has.
    package func isValidOnFastPath(_ held: (_ field: UInt64) -> [UInt8]?) -> Bool {
        // The values' memory stays in place as long as the event lives: their bytes may be pointed to outside the
        // closures that lend them.
        let isValidAlone = withExtendedLifetime(self) {
            entity.schema?.isValidOnFastPath(verb, writes.count) { index in
                (writes[index].path.key.isEmpty ? writes[index].field : 0, writes[index].value?.withUnsafeBytes { $0 })
            }
        }
        guard isValidAlone == true else { return false }
        guard verb == .edited, let half = HalfOfSpan(self),
            let value = writes.first(where: { $0.field == half.written })?.value,
            let held = held(half.other)
        else { return true }
        return value.withUnsafeBytes { value in held.withUnsafeBytes { half.isInOrderOnFastPath(value, with: $0) } }
    }
}

extension EntitySchema.Field {
    /// "The set 'labels'".
    fileprivate var words: String { "The \(collection.map { "\($0.shape)" } ?? "field") '\(name)'" }
}

extension FieldPath {
    fileprivate var keyWords: String {
        key.isEmpty ? "value of its own" : "element under the key \(key.prefix(20).hexadecimal)"
    }
}
