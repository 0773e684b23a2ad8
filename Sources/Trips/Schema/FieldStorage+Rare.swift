import Events

/// Of fields in `RareFields`: `fields` is the stored property that has them, `property` the one in them.
///
/// Sound as the others are. A value whose fields were never set is not looked into, and reads as the defaults.
extension FieldStorage {
    /// Of a property that is nil where the field is cleared.
    init<Entity, Values: RareValues, Value: FieldValue>(
        _ fields: any WritableKeyPath<Entity, RareFields<Values>> & Sendable,
        _ property: any WritableKeyPath<Values, Value?> & Sendable
    ) {
        self.init(
            RareAccess(fields), property, cleared: nil, decoded: { Value.decoded($0) },
            encoded: { $0?.encodedValue },
            isSame: { first, second in
                if let first, let second { return first.isSame(as: second) }
                // A value may be one that counts as cleared.
                return first?.encodedValue == nil && second?.encodedValue == nil
            },
            check: { value throws(ValidationError) in try value?.checkRules() })
    }

    /// Of a property that has its type's default where the field is cleared.
    init<Entity, Values: RareValues, Value: DefaultedFieldValue>(
        _ fields: any WritableKeyPath<Entity, RareFields<Values>> & Sendable,
        _ property: any WritableKeyPath<Values, Value> & Sendable
    ) {
        self.init(
            RareAccess(fields), property, cleared: .cleared, decoded: { Value.decoded($0) ?? .cleared },
            encoded: { $0.encodedValue }, isSame: { $0.isSame(as: $1) },
            check: { value throws(ValidationError) in try value.checkRules() })
    }

    private init<Entity, Values, Property: Sendable>(
        _ access: RareAccess<Entity, Values>, _ property: any WritableKeyPath<Values, Property> & Sendable,
        cleared: Property, decoded: @escaping @Sendable (UnsafeRawBufferPointer?) -> Property,
        encoded: @escaping @Sendable (Property) -> [UInt8]?,
        isSame: @escaping @Sendable (Property, Property) -> Bool,
        check: @escaping @Sendable (Property) throws(ValidationError) -> Void
    ) {
        self.init(
            decode: { entity, bytes in
                let fields = access.mutable(entity)
                // Most records have none, and clearing allocates nothing.
                if bytes == nil, fields.pointee.storage == nil { return }
                let value = decoded(bytes)
                fields.pointee.modify { $0[keyPath: property] = value }
            },
            encode: { entity in
                guard let storage = access.fields(entity).pointee.storage else { return nil }
                return encoded(storage.values[keyPath: property])
            },
            isSame: { first, second in
                let (first, second) = (access.fields(first), access.fields(second))
                if first.pointee.isIdentical(to: second.pointee) { return true }
                return isSame(
                    first.pointee.storage?.values[keyPath: property] ?? cleared,
                    second.pointee.storage?.values[keyPath: property] ?? cleared)
            },
            check: { entity throws(ValidationError) in
                guard let storage = access.fields(entity).pointee.storage else { return }
                try check(storage.values[keyPath: property])
            })
    }
}

/// Where an entity has its rare fields.
struct RareAccess<Entity, Values: RareValues>: Sendable {
    private let offset: Int

    init(_ fields: any WritableKeyPath<Entity, RareFields<Values>> & Sendable) {
        guard let offset = MemoryLayout<Entity>.offset(of: fields) else {
            preconditionFailure("The rare fields of \(Entity.self) are no stored property.")
        }
        self.offset = offset
    }

    func fields(_ entity: UnsafeRawPointer) -> UnsafePointer<RareFields<Values>> {
        (entity + offset).assumingMemoryBound(to: RareFields<Values>.self)
    }

    func mutable(_ entity: UnsafeMutableRawPointer) -> UnsafeMutablePointer<RareFields<Values>> {
        (entity + offset).assumingMemoryBound(to: RareFields<Values>.self)
    }
}
