import Events

/// The values of apps' own fields in an entity, as the log has them: those of apps that are not here as well.
///
/// A value without bytes is none; an element of a collection may have no bytes. Read and written by `entity[field]`. O(log n) for
/// reading, O(n) for writing.
public struct OwnValues: Hashable, Sendable {
    struct Value: Hashable, Sendable {
        let path: FieldPath
        let bytes: [UInt8]
    }

    /// By path, ascending. An array without elements takes no memory.
    private(set) var values: [Value] = []

    public init() {}

    public var isEmpty: Bool { values.isEmpty }

    /// The numbers of the fields that have a value or an element, ascending.
    package var numbers: [UInt64] {
        var numbers: [UInt64] = []
        for value in values where value.path.field != numbers.last { numbers.append(value.path.field) }
        return numbers
    }

    /// The bytes of a field's value; nil if it is cleared.
    subscript(number: UInt64) -> [UInt8]? {
        get { self[FieldPath(field: number)] }
        set { self[FieldPath(field: number)] = newValue }
    }

    /// The bytes of a field's value or of an element's; nil if it is cleared.
    subscript(path: FieldPath) -> [UInt8]? {
        get {
            let index = index(of: path)
            return index < values.count && values[index].path == path ? values[index].bytes : nil
        }
        set {
            let index = index(of: path)
            let isThere = index < values.count && values[index].path == path
            guard let newValue, !newValue.isEmpty || !path.key.isEmpty else {
                if isThere { values.remove(at: index) }
                return
            }
            let value = Value(path: path, bytes: newValue)
            if isThere { values[index] = value } else { values.insert(value, at: index) }
        }
    }

    /// Sets or clears several elements at once. O(n + m · log m).
    mutating func replace(_ changes: [(path: FieldPath, bytes: [UInt8]?)]) {
        if changes.isEmpty { return }
        var merged: [Value] = []
        merged.reserveCapacity(values.count + changes.count)
        var rest = values[...]
        for change in changes.sorted(by: { $0.path < $1.path }) {
            while let next = rest.first, next.path < change.path { merged.append(rest.removeFirst()) }
            if rest.first?.path == change.path { rest.removeFirst() }
            if let bytes = change.bytes { merged.append(Value(path: change.path, bytes: bytes)) }
        }
        values = merged + rest
    }

    /// The value and the elements of a field, by key.
    func values(of number: UInt64) -> ArraySlice<Value> {
        values[index(of: FieldPath(field: number))..<index(of: FieldPath(field: number + 1))]
    }

    /// The index of the first with that path or a greater one.
    private func index(of path: FieldPath) -> Int {
        // Entities are read in the order of the paths.
        if values.last.map({ $0.path < path }) ?? true { return values.count }
        var (low, high) = (0, values.count)
        while low < high {
            let middle = (low + high) / 2
            if values[middle].path < path { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The paths at which the values differ from those of others, ascending. O(n).
    func paths(differingFrom other: OwnValues) -> [FieldPath] {
        if values == other.values { return [] }
        var paths: [FieldPath] = []
        var (ours, theirs) = (values[...], other.values[...])
        while let next = [ours.first?.path, theirs.first?.path].compactMap({ $0 }).min() {
            let our = ours.first?.path == next ? ours.removeFirst() : nil
            let their = theirs.first?.path == next ? theirs.removeFirst() : nil
            if our != their { paths.append(next) }
        }
        return paths
    }
}
