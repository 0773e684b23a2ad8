import Events

/// The values of apps' own fields in an entity, as the log has them: those of apps that are not here as well.
///
/// A value without bytes is none. Read and written by `entity[field]`. O(log n) for reading, O(n) for writing.
public struct OwnValues: Hashable, Sendable {
    struct Value: Hashable, Sendable {
        let number: UInt64
        let bytes: [UInt8]
    }

    /// By number, ascending. An array without elements takes no memory.
    private(set) var values: [Value] = []

    public init() {}

    public var isEmpty: Bool { values.isEmpty }

    /// The bytes of a field's value; nil if it is cleared.
    subscript(number: UInt64) -> [UInt8]? {
        get {
            let index = index(of: number)
            return index < values.count && values[index].number == number ? values[index].bytes : nil
        }
        set {
            let index = index(of: number)
            let isThere = index < values.count && values[index].number == number
            guard let newValue, !newValue.isEmpty else {
                if isThere { values.remove(at: index) }
                return
            }
            let value = Value(number: number, bytes: newValue)
            if isThere { values[index] = value } else { values.insert(value, at: index) }
        }
    }

    /// The index of the first with that number or a greater one.
    private func index(of number: UInt64) -> Int {
        // Entities are read in the order of the numbers.
        if values.last.map({ $0.number < number }) ?? true { return values.count }
        var (low, high) = (0, values.count)
        while low < high {
            let middle = (low + high) / 2
            if values[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The numbers of the fields that differ from those of others, ascending.
    func numbers(differingFrom other: OwnValues) -> [UInt64] {
        if values == other.values { return [] }
        let numbers = Set(values.map(\.number)).union(other.values.map(\.number))
        return numbers.sorted().filter { self[$0] != other[$0] }
    }
}
