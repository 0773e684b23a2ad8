/// Values of fields that few entities of a kind have.
protocol RareValues: Hashable, Sendable {
    /// Every field has its default.
    init()
}

/// Such values in memory of their own, of which an entity has a reference: entities without them stay small, and are read, copied and
/// compared as quickly as if the fields did not exist. Allocated once one of them is set, and shared by copies until one changes.
struct RareFields<Values: RareValues>: Sendable {
    /// Sound: only what no other value refers to is written, see `owned()`.
    final class Storage: @unchecked Sendable {
        fileprivate(set) var values: Values

        init(_ values: Values) { self.values = values }
    }

    /// Nil while no field was set.
    private(set) var storage: Storage?

    init() {}

    /// Sets a value; a default allocates nothing.
    mutating func set<Value: Equatable>(_ property: WritableKeyPath<Values, Value>, _ value: Value) {
        if storage == nil, value == Values()[keyPath: property] { return }
        owned().values[keyPath: property] = value
    }

    /// Changes the values in place; it allocates.
    mutating func modify(_ body: (inout Values) -> Void) { body(&owned().values) }

    /// Whether both refer to the same memory, or to none.
    func isIdentical(to other: RareFields) -> Bool { storage === other.storage }

    /// The storage, referred to by this value alone.
    private mutating func owned() -> Storage {
        if isKnownUniquelyReferenced(&storage), let storage { return storage }
        let copy = Storage(storage?.values ?? Values())
        storage = copy
        return copy
    }
}

extension RareFields: Hashable {
    static func == (a: RareFields, b: RareFields) -> Bool {
        if a.isIdentical(to: b) { return true }
        return (a.storage?.values ?? Values()) == (b.storage?.values ?? Values())
    }

    /// Values that all have their defaults are equal to none.
    func hash(into hasher: inout Hasher) {
        guard let values = storage?.values, values != Values() else { return }
        hasher.combine(values)
    }
}
