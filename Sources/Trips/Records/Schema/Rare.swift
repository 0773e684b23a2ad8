/// Values of fields that few entities of a kind have.
protocol RareValues: Hashable, Sendable {
    /// Every field has its default. One for the process, for it is read from every entity without values.
    static var blank: Self { get }
}

/// Such values in memory of their own, of which an entity has a reference: entities without them stay small, and are read, copied and
/// compared as quickly as if the fields did not exist. Allocated once one of them is set, and shared by copies until one changes.
@dynamicMemberLookup
struct Rare<Values: RareValues>: Sendable {
    /// Sound: only what no other value refers to is written, see `owned()`.
    final class Storage: @unchecked Sendable {
        var values: Values

        init(_ values: Values) { self.values = values }
    }

    /// Nil while no field was set.
    private(set) var storage: Storage?

    init() {}

    /// A value. Setting a default where there is none allocates nothing.
    subscript<Value: Equatable>(dynamicMember property: WritableKeyPath<Values, Value>) -> Value {
        @inline(__always)
        get { storage?.values[keyPath: property] ?? Values.blank[keyPath: property] }
        set {
            if storage == nil, newValue == Values.blank[keyPath: property] { return }
            owned().values[keyPath: property] = newValue
        }
    }

    /// Memory to which this value alone refers, for writing; it is allocated if there is none.
    mutating func owned() -> Storage {
        if isKnownUniquelyReferenced(&storage), let storage { return storage }
        let copy = Storage(storage?.values ?? .blank)
        storage = copy
        return copy
    }

    /// Whether both refer to the same memory, or to none.
    func isIdentical(to other: Rare) -> Bool { storage === other.storage }
}

extension Rare: Hashable {
    static func == (a: Rare, b: Rare) -> Bool {
        a.isIdentical(to: b) || (a.storage?.values ?? .blank) == (b.storage?.values ?? .blank)
    }

    /// Values that all have their defaults are equal to none.
    func hash(into hasher: inout Hasher) {
        guard let values = storage?.values, values != .blank else { return }
        hasher.combine(values)
    }
}
