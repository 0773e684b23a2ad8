import Events

/// The values of apps' own fields in an entity, as the log has them: those of apps that are not here as well.
///
/// A value without bytes is none; an element of a collection may have no bytes. Read and written by `entity[field]`. O(log n) for
/// reading, O(n) for writing.
package struct OwnValues: Hashable, Sendable {
    struct Value: Sendable {
        let path: FieldPath
        let bytes: [UInt8]
        /// Which of two fields was written later: the greater. It says nothing of elements.
        var order: UInt32 = 0
    }

    /// The order of what a draft sets.
    private static let drafted = UInt32.max - 1
    /// The same for a field that replaces others: a write even if the field has these bytes, for it may show what was written to the others.
    private static let draftedOverOthers = UInt32.max

    private struct Contents: RareValues {
        static let blank = Contents()

        /// By path, ascending.
        var values: [Value] = []
        /// The order in which fields were cleared: a clearing supersedes earlier writes of the fields that it replaces.
        var clearings: [UInt64: UInt32] = [:]
        /// The elements that a draft removed from lists, by their paths: one that it inserts again was moved.
        var removals: [FieldPath: [UInt8]] = [:]
        /// The bytes that fields showed before a draft set them, which replace others.
        var overOthers: [UInt64: [UInt8]?] = [:]
        /// Whether there was a value in the store's namespace. To look for one among the values would take a third of the
        /// instructions of reading an entity with own fields.
        var hasStoreFields = false
        /// The fields of which an element is left out: without another such a field is empty, and not unset.
        var hidden: Set<UInt64> = []

        /// By the values: when they were written makes no difference.
        static func == (a: Contents, b: Contents) -> Bool {
            a.values.elementsEqual(b.values) { $0.path == $1.path && $0.bytes == $1.bytes }
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(values.count)
            for value in values {
                hasher.combine(value.path)
                hasher.combine(value.bytes)
            }
        }
    }

    /// Nothing in most entities: an empty array and two empty dictionaries in its place take a tenth of the instructions of
    /// reading an entity, for their reference counts.
    private var rare = Rare<Contents>()

    package init() {}

    private(set) var values: [Value] {
        get { rare.storage?.values.values ?? [] }
        _modify { yield &rare.owned().values.values }
    }

    private var clearings: [UInt64: UInt32] {
        get { rare.storage?.values.clearings ?? [:] }
        _modify { yield &rare.owned().values.clearings }
    }

    private var removals: [FieldPath: [UInt8]] {
        get { rare.storage?.values.removals ?? [:] }
        _modify { yield &rare.owned().values.removals }
    }

    package var isEmpty: Bool { values.isEmpty }

    /// Whether there may be values in the store's namespace, of which some may name entities.
    package var hasStoreFields: Bool { rare.storage?.values.hasStoreFields ?? false }

    /// Whether the log has elements of a field that are left out here: `nullify(_:where:)`.
    func hidesElements(of number: UInt64) -> Bool { rare.storage?.values.hidden.contains(number) ?? false }

    private mutating func note(_ path: FieldPath) {
        if StoreNamespace.contains(field: path.field) { rare.owned().values.hasStoreFields = true }
    }

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
                if path.key.isEmpty { clearings[path.field] = Self.drafted }
                return
            }
            note(path)
            let value = Value(path: path, bytes: newValue, order: Self.drafted)
            if isThere { values[index] = value } else { values.insert(value, at: index) }
        }
    }

    /// Sets a field of an entity that is read: `order` is the index of its write among those of the record.
    mutating func read(_ path: FieldPath, _ bytes: [UInt8]?, order: Int) {
        let order = min(UInt32(clamping: order), Self.drafted - 1)
        // Entities are read in the order of the paths.
        guard let bytes, !bytes.isEmpty || !path.key.isEmpty, values.last.map({ $0.path < path }) ?? true else {
            return put(path, bytes, order)
        }
        note(path)
        values.append(Value(path: path, bytes: bytes, order: order))
    }

    /// Sets a field of a draft that replaces others, and showed other bytes so far.
    mutating func set(overOthers number: UInt64, _ bytes: [UInt8]?, showing shown: [UInt8]?) {
        put(FieldPath(field: number), bytes, Self.draftedOverOthers)
        if rare.owned().values.overOthers[number] == nil { rare.owned().values.overOthers[number] = .some(shown) }
    }

    private mutating func put(_ path: FieldPath, _ bytes: [UInt8]?, _ order: UInt32) {
        self[path] = bytes
        guard path.key.isEmpty else { return }
        let index = index(of: path)
        if index < values.count, values[index].path == path {
            values[index].order = order
        } else {
            clearings[path.field] = order
        }
    }

    /// The newest write to a field; nil if there was none.
    func register(_ number: UInt64) -> FormerFields.Reading<UInt32>? {
        let path = FieldPath(field: number)
        let index = index(of: path)
        if index < values.count, values[index].path == path {
            return (values[index].order, values[index].bytes)
        }
        return clearings[number].map { ($0, nil) }
    }

    /// Leaves out what names entities of which `isDeleted` says so, as a value or as the key of one, in the fields of these numbers. Nothing is
    /// drafted: an edit does not write it.
    mutating func nullify(
        _ numbers: [UInt64], where isDeleted: (EntityReference) throws -> Bool
    ) rethrows {
        let hidden = try values.indices.filter { index in
            let value = values[index]
            guard numbers.contains(value.path.field) else { return false }
            let bytes = value.path.element?.kind == .entry ? value.path.element?.name ?? [] : value.bytes
            guard let target = EntityReference(fieldValue: bytes), target.kind.isNamespaced else { return false }
            return try isDeleted(target)
        }
        if hidden.isEmpty { return }
        rare.owned().values.hidden.formUnion(hidden.map { values[$0].path.field })
        for index in hidden.reversed() { values.remove(at: index) }
    }

    /// Remembers that a draft removes an element from a list.
    mutating func noteRemoval(of slot: Slot, from number: UInt64) {
        removals[ElementKey(.listElement, slot.name).path(in: number)] = slot.element
    }

    /// The names of the elements that a draft has removed from a list, by their bytes. O(removed elements · log).
    func removedElements(of number: UInt64) -> [[UInt8]: [[UInt8]]] {
        var names: [[UInt8]: [[UInt8]]] = [:]
        let removed = removals.filter { $0.key.field == number && self[$0.key] == nil }
        for (path, bytes) in removed.sorted(by: { $0.key < $1.key }) {
            names[bytes, default: []].append(path.element?.name ?? [])
        }
        return names
    }

    /// The bytes that a field showed before a draft set it, where it replaces others; otherwise those that it has.
    func shown(_ number: UInt64, before draft: OwnValues) -> [UInt8]? {
        // An earlier draft's value is the latest.
        if rare.storage?.values.overOthers[number] != nil { return self[number] }
        return draft.rare.storage?.values.overOthers[number] ?? self[number]
    }

    /// The values, with those that fields show which replace others.
    func shown(_ fields: [EntitySchema.Field]) -> OwnValues {
        var shown = self
        for field in fields { shown[field.number] = field.former?.shown(field.number, register)?.value }
        return shown
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
            if let bytes = change.bytes {
                note(change.path)
                merged.append(Value(path: change.path, bytes: bytes))
            }
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
        // A draft that did not set any.
        if rare.isIdentical(to: other.rare) { return [] }
        var paths: [FieldPath] = []
        var (ours, theirs) = (values[...], other.values[...])
        while let next = Self.least(ours.first?.path, theirs.first?.path) {
            let our = ours.first?.path == next ? ours.removeFirst() : nil
            let their = theirs.first?.path == next ? theirs.removeFirst() : nil
            let isWritten = our?.order == Self.draftedOverOthers && their?.order != Self.draftedOverOthers
            if our?.bytes != their?.bytes || isWritten { paths.append(next) }
        }
        let cleared = clearings.filter { number, order in
            let isWritten = order == Self.draftedOverOthers && other.clearings[number] != order
            return isWritten && self[number] == nil && other[number] == nil
        }
        return cleared.isEmpty ? paths : (paths + cleared.keys.map { FieldPath(field: $0) }).sorted()
    }

    private static func least(_ a: FieldPath?, _ b: FieldPath?) -> FieldPath? {
        guard let a, let b else { return a ?? b }
        return min(a, b)
    }
}
