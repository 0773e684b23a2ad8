import Events

/// How a value of an entity's type holds a field: functions on the memory of such a value.
///
/// Sound: each takes a pointer to an initialised value of the type for which the field was described, and
/// `EntitySchema` calls them with pointers to values of its own type alone. The memory of a stored property lies at
/// its offset, as `MemoryLayout.offset(of:)` promises; other properties are reached by their key path.
///
/// A closure for each field is as quick as a switch over them: records are decoded through these.
struct FieldStorage: Sendable {
    /// Sets the field from the bytes of its value, or to its default. Total: an unreadable value leaves the default.
    let decode: @Sendable (UnsafeMutableRawPointer, UnsafeRawBufferPointer?) -> Void
    /// The bytes of the field's value; nil if it has its default.
    let encode: @Sendable (UnsafeRawPointer) -> [UInt8]?
    /// Whether two entities have the same bytes in the field.
    let isSame: @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Bool
    /// Checks the rules of the value alone.
    let check: @Sendable (UnsafeRawPointer) throws(ValidationError) -> Void

    /// Of a property that is nil where the field is cleared.
    init<Entity, Value: FieldValue>(
        _ property: any WritableKeyPath<Entity, Value?> & Sendable, _ rule: FieldRule?
    ) {
        let offset = MemoryLayout<Entity>.offset(of: property)
        if let offset {
            decode = { entity, bytes in
                (entity + offset).assumingMemoryBound(to: Value?.self).pointee = Value.decoded(bytes)
            }
        } else {
            decode = { entity, bytes in
                entity.assumingMemoryBound(to: Entity.self).pointee[keyPath: property] = Value.decoded(bytes)
            }
        }
        let value = Self.reader(property)
        encode = { value($0)?.encodedValue }
        isSame = { first, second in
            switch (value(first), value(second)) {
            case (nil, nil): true
            // A value may be one that counts as cleared.
            case (let value?, nil), (nil, let value?): value.encodedValue == nil
            case (let first?, let second?): first.isSame(as: second)
            }
        }
        check = { entity throws(ValidationError) in
            let value = value(entity)
            try value?.checkRules()
            try rule?.check(value)
        }
    }

    /// Of a property that has its type's default where the field is cleared.
    init<Entity, Value: DefaultedFieldValue>(
        _ property: any WritableKeyPath<Entity, Value> & Sendable, _ rule: FieldRule?
    ) {
        let offset = MemoryLayout<Entity>.offset(of: property)
        if let offset {
            decode = { entity, bytes in
                (entity + offset).assumingMemoryBound(to: Value.self).pointee = Value.decoded(bytes) ?? .cleared
            }
        } else {
            decode = { entity, bytes in
                entity.assumingMemoryBound(to: Entity.self).pointee[keyPath: property] =
                    Value.decoded(bytes) ?? .cleared
            }
        }
        let value = Self.reader(property)
        encode = { value($0).encodedValue }
        isSame = { value($0).isSame(as: value($1)) }
        check = { entity throws(ValidationError) in
            let value = value(entity)
            try value.checkRules()
            try rule?.check(value)
        }
    }

    /// Of an app's own field. Its elements, if it has any, are checked one by one, and are no part of its bytes.
    init<Entity: TripEntity, Value: OwnFieldValue>(
        own number: UInt64, _ name: String, in type: Entity.Type, _ collection: CollectionForm?,
        _ isValid: (@Sendable (Value) -> Bool)?
    ) {
        let coding = Value.coding
        let value: @Sendable (UnsafeRawPointer) -> [UInt8]? = {
            $0.assumingMemoryBound(to: Entity.self).pointee.own[number]
        }
        decode = { entity, bytes in
            entity.assumingMemoryBound(to: Entity.self).pointee.own[number] = bytes.map { [UInt8]($0) }
        }
        encode = value
        isSame = { value($0) == value($1) }
        check = { entity throws(ValidationError) in
            for held in entity.assumingMemoryBound(to: Entity.self).pointee.own.values(of: number) {
                // Shares of a counter and ranks are not values that an app gives.
                let isValue = collection.map { $0.isValue(held.path.key) } ?? held.path.key.isEmpty
                guard isValue else { continue }
                let known = coding.type.decodedElement(held.bytes)
                try known?.checkRules()
                guard let isValid, let value = coding.decoded(held.bytes), !isValid(value) else { continue }
                throw ValidationError.brokenRule(known?.text ?? "''", of: name)
            }
        }
    }

    init(
        decode: @escaping @Sendable (UnsafeMutableRawPointer, UnsafeRawBufferPointer?) -> Void,
        encode: @escaping @Sendable (UnsafeRawPointer) -> [UInt8]?,
        isSame: @escaping @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Bool,
        check: @escaping @Sendable (UnsafeRawPointer) throws(ValidationError) -> Void
    ) {
        self.decode = decode
        self.encode = encode
        self.isSame = isSame
        self.check = check
    }

    /// Reads a stored property at its offset, and others through their key path, which copies the entity.
    static func reader<Entity, Value>(
        _ property: any KeyPath<Entity, Value> & Sendable
    ) -> @Sendable (UnsafeRawPointer) -> Value {
        if let offset = MemoryLayout<Entity>.offset(of: property) {
            return { ($0 + offset).assumingMemoryBound(to: Value.self).pointee }
        }
        return { $0.assumingMemoryBound(to: Entity.self).pointee[keyPath: property] }
    }
}
