package import Events

extension TripEvent {
    /// Checks the event's values, and the rules of the resulting entity: `record` is what the store holds of it.
    ///
    /// A creation must meet every rule, other verbs those of their fields.
    package func validate(on record: EntityRecord?) throws(ValidationError) { try validate(on: record, in: nil) }

    /// Checks the event as a store knows its kind.
    package func validate(on record: EntityRecord?, in known: KnownSchema?) throws(ValidationError) {
        if let record { return try validate(in: known) { record.register(at: FieldPath(field: $0))?.value } }
        if try checkValues(in: known) == nil { try validateRules(in: known) { _ in nil } }
    }

    /// Checks an event as a store knows its kind, where `held` returns the value that a field has before it; nil if that is cleared.
    ///
    /// In this order, so that the same event always has the same error:
    /// 1. the verb and the kind, then the keys of elements, then each write: that there is such a field, and that the bytes are a value of it;
    /// 2. the fields written, of a creation all, in the order of their numbers: the rules of the type, that of the field, that of an app, and
    ///    that no end is before its start: `EntitySchema.checkRules`. The walk over the writes proves most events to break none.
    package func validate(
        in known: KnownSchema?, on held: (_ field: UInt64) -> [UInt8]?
    ) throws(ValidationError) {
        if let proof = try checkValues(in: known), verb == .edited, isInOrder(proof, held) { return }
        try validateRules(in: known, on: held)
    }

    /// Checks what needs no record: of a creation all. `changes` are the event's writes, in the same order; their values are read, and not
    /// kept.
    ///
    /// Returns what the fast path proves of its rules; nil if nothing.
    package func validateAlone(
        _ changes: [PayloadWriter.Change], in known: KnownSchema?
    ) throws(ValidationError) -> FastProof? {
        let proof = try checkValues(in: known) {
            (changes[$0].key.isEmpty ? changes[$0].field : 0, changes[$0].value)
        }
        if proof == nil, verb == .created { try validateRules(in: known) { _ in nil } }
        return proof
    }

    /// Checks the event alone: a known verb and kind, known fields, and well-formed values.
    ///
    /// Throws `ValidationError` with `unknownVerb`, `unknownKind`, `unknownField` or `malformedValue`.
    package func validateValues() throws(ValidationError) { try validateValues(in: nil) }

    /// Checks the event alone as a store knows its kind.
    package func validateValues(in known: KnownSchema?) throws(ValidationError) { _ = try checkValues(in: known) }

    /// The second part of `validate(in:on:)`, if the values are checked.
    package func validateRules(
        in known: KnownSchema?, on held: (_ field: UInt64) -> [UInt8]?
    ) throws(ValidationError) {
        guard let schema = known.declared.schema(of: entity) else { return }
        var own = OwnValues()
        for write in writes where write.field >= schema.lowestOwn { own[write.path] = write.value }
        func isChanged(_ number: UInt64) -> Bool { verb == .created || writes.contains { $0.field == number } }
        try schema.checkRules(of: entity, where: isChanged, own) { number in
            if let write = writes.last(where: { $0.path == FieldPath(field: number) }) { return write.value }
            if let value = held(number) { return value }
            // Which of two was written later is not known here, and makes no difference to whether there is a value.
            return schema.field(number)?.former?.shown(number) { number in held(number).map { (0, $0) } }?.value
        }
    }

    // MARK: Values

    /// Checks the values, and returns what the fast path proves of the rules; nil if nothing.
    func checkValues(in known: KnownSchema?) throws(ValidationError) -> FastProof? {
        // The values' memory stays in place as long as the event lives: their bytes may be pointed to outside the
        // closures that lend them.
        defer { withExtendedLifetime(self) {} }
        return try checkValues(in: known) {
            (writes[$0].path.key.isEmpty ? writes[$0].field : 0, writes[$0].value?.withUnsafeBytes { $0 })
        }
    }

    /// The walk over the writes. `write` returns each with its new value, nil if it clears the field; 0 is no field's: elements take the full
    /// check.
    @inline(__always)
    private func checkValues(
        in known: KnownSchema?, _ write: (Int) -> (field: UInt64, value: UnsafeRawBufferPointer?)
    ) throws(ValidationError) -> FastProof? {
        guard let schema = try checkedSchema(in: known) else {
            try validateWithoutSchema()
            return nil
        }
        var (isProven, areKeysChecked) = (verb == .created || verb == .edited, false)
        var (required, last) = (0, UInt64(0))
        // Starts and ends are among these writes.
        var (firstOfSpan, lastOfSpan) = (writes.count, -1)
        for index in writes.indices {
            let (number, value) = write(index)
            // Repeated or unordered fields take the full check.
            guard number > last, let rules = schema.rules(number), rules.fastCheck(value) else {
                // Keys come first: what is proved has none.
                if !areKeysChecked { try validateKeys(schema) }
                (isProven, areKeysChecked) = (false, true)
                try check(writes[index], schema)
                continue
            }
            last = number
            if rules.isRequired { required += 1 }
            if rules.isInSpan { (firstOfSpan, lastOfSpan) = (min(firstOfSpan, index), index) }
        }
        guard isProven, verb == .edited || required == schema.requiredCount else { return nil }
        if lastOfSpan < 0 { return FastProof(other: nil) }
        return schema.proof(ofSpansIn: firstOfSpan...lastOfSpan, isCreation: verb == .created, write)
    }

    /// The schema of the kind; nil for a kind of an app that the store does not know.
    private func checkedSchema(in known: KnownSchema?) throws(ValidationError) -> EntitySchema? {
        guard verb == .created || verb == .edited || verb == .deleted || verb == .restored else {
            throw ValidationError(
                .unknownVerb, "Verb \(verb.rawValue) is not known. Use created, edited, deleted or restored.",
                entity: entity)
        }
        if let schema = known.declared.schema(of: entity) { return schema }
        if OwnKind(of: entity) != nil { return nil }
        if entity.kind.isNamespaced {
            throw ValidationError(
                .unknownKind, "The id \(entity.id) names no kind of an app. Make ids of an app's kind with new().",
                entity: entity)
        }
        let names = EntitySchema.all.map { "\($0.kind.rawValue) (\($0.name))" }.joined(separator: ", ")
        throw ValidationError(
            .unknownKind, "Kind \(entity.kind.rawValue) is not known. Use one of \(names).", entity: entity)
    }

    /// Checks an event of an app that the store does not know: what every reader asks of it.
    private func validateWithoutSchema() throws(ValidationError) {
        try validateKeys(nil)
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
                "\(value.count.counted("byte")) cannot be a reference to a parent. Encode it as the specification of the log says.",
                entity: entity, field: "parent")
        }
    }

    private func validateKeys(_ schema: EntitySchema?) throws(ValidationError) {
        for write in writes where write.path.key.count > Payload.longestKey {
            throw ValidationError(
                .tooLong,
                "A key has \(write.path.key.count) bytes, more than \(Payload.longestKey). Give a shorter one.",
                entity: entity, field: schema?.field(write.field)?.name ?? "field \(write.field)", of: schema?.name)
        }
    }

    private func check(_ write: Write, _ schema: EntitySchema) throws(ValidationError) {
        guard let field = schema.field(write.field) else {
            // Of an app that the store does not know.
            if FieldPath(field: write.field).isOwn, write.field <= FieldPath.highestField { return }
            throw ValidationError(
                .unknownField, "\(schema.name) has no field \(write.field). Leave it out, or update this program.",
                entity: entity, field: "field \(write.field)", of: schema.name)
        }
        // Whatever is there may go.
        guard let value = write.value else { return }
        guard let type = field.valueType(at: write.path) else {
            throw ValidationError(
                .malformedValue, "\(field.words) has no \(write.path.keyWords). Write it as its declaration says.",
                entity: entity, field: field.name, of: schema.name)
        }
        do throws(WireError) {
            try type.check(value)
        } catch {
            throw ValidationError(
                .malformedValue,
                "\(value.count.counted("byte")) cannot be a value of this field: \(error). Encode it as the specification of the log says.",
                entity: entity, field: field.name, of: schema.name)
        }
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
