import Events

/// How a value of an entity's type holds a field: functions on the memory of such a value.
///
/// Sound: each takes a pointer to an initialised value of the type for which the field was described, and
/// `EntitySchema` calls them with pointers to values of its own type alone.
///
/// A closure for each field is as quick as a switch over them: records are decoded through these.
struct FieldStorage: Sendable {
    /// Sets the field from the bytes of its value, or to its default. Total: an unreadable value leaves the default.
    let decode: @Sendable (UnsafeMutableRawPointer, UnsafeRawBufferPointer?) -> Void
    /// The bytes of the field's value; nil if it has its default.
    let encode: @Sendable (UnsafeRawPointer) -> [UInt8]?
    /// Whether two entities have the same bytes in the field.
    let isSame: @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Bool

    /// A property of a type: at its offset if it is stored, else by its key path, which copies the entity.
    init<Entity, Form: PropertyForm>(
        _ property: any WritableKeyPath<Entity, Form.Property> & Sendable, _ form: Form
    ) {
        if let offset = MemoryLayout<Entity>.offset(of: property) {
            self.init(StoredAccess(offset: offset), form)
        } else {
            self.init(PathAccess(path: property), form)
        }
    }

    /// A property of values that few entities have; `rare` is the stored property that has them.
    init<Entity, Values: RareValues, Form: PropertyForm>(
        _ rare: any WritableKeyPath<Entity, Rare<Values>> & Sendable,
        _ property: any WritableKeyPath<Values, Form.Property> & Sendable, _ form: Form
    ) {
        guard let offset = MemoryLayout<Entity>.offset(of: rare) else {
            preconditionFailure("The rare values of \(Entity.self) are no stored property.")
        }
        self.init(RareAccess(offset: offset, path: property, blank: Values.blank[keyPath: property]), form)
    }

    private init<Access: PropertyAccess, Form: PropertyForm>(
        _ access: Access, _ form: Form
    ) where Access.Property == Form.Property {
        decode = { entity, bytes in
            if bytes == nil, access.isBlank(entity) { return }
            access.write(form.decoded(bytes), to: entity)
        }
        encode = { form.encoded(access.read($0)) }
        isSame = { access.areShared($0, $1) || form.isSame(access.read($0), access.read($1)) }
    }

    private init() {
        decode = { _, _ in }
        encode = { _ in nil }
        isSame = { _, _ in true }
    }

    /// The storage of a field without a property: its values are among `OwnValues`, or nowhere.
    static let none = FieldStorage()
}

/// Where an entity has the property of a field.
private protocol PropertyAccess: Sendable {
    associatedtype Property: Sendable

    func read(_ entity: UnsafeRawPointer) -> Property
    func write(_ value: Property, to entity: UnsafeMutableRawPointer)
    /// Whether the property has its default for want of memory: clearing it allocates none.
    func isBlank(_ entity: UnsafeRawPointer) -> Bool
    /// Whether two entities have the property in the same memory.
    func areShared(_ first: UnsafeRawPointer, _ second: UnsafeRawPointer) -> Bool
}

extension PropertyAccess {
    @inline(__always)
    func isBlank(_ entity: UnsafeRawPointer) -> Bool { false }
    @inline(__always)
    func areShared(_ first: UnsafeRawPointer, _ second: UnsafeRawPointer) -> Bool { false }
}

/// The memory of a stored property lies at its offset, as `MemoryLayout.offset(of:)` promises.
private struct StoredAccess<Property: Sendable>: PropertyAccess {
    let offset: Int

    @inline(__always)
    func read(_ entity: UnsafeRawPointer) -> Property {
        (entity + offset).assumingMemoryBound(to: Property.self).pointee
    }

    @inline(__always)
    func write(_ value: Property, to entity: UnsafeMutableRawPointer) {
        (entity + offset).assumingMemoryBound(to: Property.self).pointee = value
    }
}

private struct PathAccess<Entity, Property: Sendable>: PropertyAccess {
    let path: any WritableKeyPath<Entity, Property> & Sendable

    func read(_ entity: UnsafeRawPointer) -> Property {
        entity.assumingMemoryBound(to: Entity.self).pointee[keyPath: path]
    }

    func write(_ value: Property, to entity: UnsafeMutableRawPointer) {
        entity.assumingMemoryBound(to: Entity.self).pointee[keyPath: path] = value
    }
}

/// Most entities have no such values: nothing is looked into then, and clearing allocates nothing.
private struct RareAccess<Values: RareValues, Property: Sendable>: PropertyAccess {
    let offset: Int
    let path: any WritableKeyPath<Values, Property> & Sendable
    let blank: Property

    private func values(_ entity: UnsafeRawPointer) -> UnsafePointer<Rare<Values>> {
        (entity + offset).assumingMemoryBound(to: Rare<Values>.self)
    }

    func read(_ entity: UnsafeRawPointer) -> Property {
        values(entity).pointee.storage?.values[keyPath: path] ?? blank
    }

    func write(_ value: Property, to entity: UnsafeMutableRawPointer) {
        (entity + offset).assumingMemoryBound(to: Rare<Values>.self).pointee.owned().values[keyPath: path] = value
    }

    func isBlank(_ entity: UnsafeRawPointer) -> Bool { values(entity).pointee.storage == nil }

    func areShared(_ first: UnsafeRawPointer, _ second: UnsafeRawPointer) -> Bool {
        values(first).pointee.isIdentical(to: values(second).pointee)
    }
}
