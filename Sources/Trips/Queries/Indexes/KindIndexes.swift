package import Events

/// The indexes of one kind of entity: the fields of a record are read once for all of them.
package struct KindIndexes: Sendable {
    private struct Entry: Sendable {
        let number: UInt8
        let isSparse: Bool
        /// Each with its place among the numbers.
        let fields: [(slot: Int, field: IndexedField)]
    }

    package let kind: ConcreteKind
    /// Of the fields that are read, ascending.
    private let numbers: [UInt64]
    private let entries: [Entry]

    package init(_ kind: ConcreteKind, _ indexes: [(number: UInt8, definition: IndexDefinition)]) {
        self.kind = kind
        let numbers = Set(indexes.flatMap { $0.definition.fields.map(\.number) }).sorted()
        self.numbers = numbers
        entries = indexes.map { index in
            Entry(
                number: index.number, isSparse: index.definition.isSparse,
                fields: index.definition.fields.map { (numbers.firstIndex(of: $0.number) ?? 0, $0) })
        }
    }

    /// Calls `body` with the key that an entity has in each index, without its id, and whether some text was cut.
    package func forEachKey(
        of record: borrowing RecordView, _ body: (_ number: UInt8, _ key: [UInt8], _ isCut: Bool) -> Void
    ) throws(WireError) {
        try withValues(of: record) { values in
            var key = IndexKey()
            entries: for entry in entries {
                key.removeAll()
                for (index, (slot, field)) in entry.fields.enumerated() {
                    let value = field.value(values[slot])
                    if index == 0, value == nil, entry.isSparse { continue entries }
                    key.append(value, isNatural: field.isNatural)
                }
                body(entry.number, key.bytes, key.isCut)
            }
        }
    }

    /// Whether two records of an entity have the same keys, as far as that is seen without making them.
    package func haveSameKeys(_ a: borrowing RecordView, _ b: borrowing RecordView) throws(WireError) -> Bool {
        var isSame = true
        // Swift has no closure that takes two borrowed records.
        let bytes = b.bytes
        try withValues(of: a) { (first) throws(WireError) in
            let other = try RecordView(bytes)
            try withValues(of: other) { second in
                isSame = zip(first, second).allSatisfy { first, second in
                    guard let first, let second else { return first == nil && second == nil }
                    return first.equals(second)
                }
            }
        }
        return isSame
    }

    private func withValues(
        of record: borrowing RecordView,
        _ body: (UnsafeMutableBufferPointer<UnsafeRawBufferPointer?>) throws(WireError) -> Void
    ) throws(WireError) {
        var registers = record.registers
        // The closure may not borrow the record.
        let outcome = withUnsafeTemporaryAllocation(of: UnsafeRawBufferPointer?.self, capacity: numbers.count) {
            values in
            values.initialize(repeating: nil)
            return Result { () throws(WireError) in
                var slot = 0
                // Both ascend.
                while let register = try registers.next() {
                    while slot < numbers.count, numbers[slot] < register.field { slot += 1 }
                    guard slot < numbers.count else { break }
                    if numbers[slot] == register.field, register.key.isEmpty { values[slot] = register.value }
                }
                try body(values)
            }
        }
        try outcome.get()
    }
}
