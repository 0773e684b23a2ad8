package import Events

/// The indexes of one kind of entity: the fields of a record are read once for all of them.
package final class KindIndexes: Sendable {
    /// An index. A class, as its fields are: walking an array of them copies a reference each.
    private final class Entry: Sendable {
        let number: UInt8
        let isSparse: Bool
        let fields: [Part]

        init(_ number: UInt8, _ definition: IndexDefinition, _ numbers: [UInt64]) {
            self.number = number
            isSparse = definition.isSparse
            fields = definition.fields.map { Part($0, slot: numbers.firstIndex(of: $0.number) ?? 0) }
        }
    }

    private final class Part: Sendable {
        private let field: IndexedField
        /// Its place among the numbers.
        let slot: Int
        private let coding: Coding

        /// Quick ways for what every store has.
        private enum Coding: Sendable { case moment, other }

        init(_ field: IndexedField, slot: Int) {
            self.field = field
            self.slot = slot
            coding = field.type == Moment.self ? .moment : .other
        }

        /// False if there is no value.
        func append(_ bytes: UnsafeRawBufferPointer?, to key: inout IndexKey) -> Bool {
            switch coding {
            case .moment:
                let milliseconds = bytes.flatMap { Moment.milliseconds($0) }
                key.append(milliseconds: milliseconds)
                return milliseconds != nil
            case .other:
                let value = field.value(bytes)
                key.append(value, isNatural: field.isNatural)
                return value != nil
            }
        }
    }

    package let kind: ConcreteKind
    /// Of the fields that are read, ascending.
    private let numbers: [UInt64]
    private let entries: [Entry]

    package init(_ kind: ConcreteKind, _ indexes: [(number: UInt8, definition: IndexDefinition)]) {
        self.kind = kind
        let numbers = Set(indexes.flatMap { $0.definition.fields.map(\.number) }).sorted()
        self.numbers = numbers
        entries = indexes.map { Entry($0.number, $0.definition, numbers) }
    }

    /// Calls `body` with the key that an entity has in each index, without its id, and whether some text was cut.
    package func forEachKey(
        of record: borrowing RecordView, _ body: (_ number: UInt8, _ key: UnsafeRawBufferPointer, _ isCut: Bool) -> Void
    ) throws(WireError) {
        try withValues(of: record) { values in
            var key = IndexKey()
            entries: for entry in entries {
                key.removeAll()
                var isFirst = true
                for part in entry.fields {
                    if !part.append(values[part.slot], to: &key), isFirst, entry.isSparse { continue entries }
                    isFirst = false
                }
                key.bytes.withUnsafeBytes { body(entry.number, $0, key.isCut) }
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
                for slot in first.indices where isSame {
                    guard let old = first[slot], let new = second[slot] else {
                        isSame = first[slot] == nil && second[slot] == nil
                        continue
                    }
                    isSame = old.equals(new)
                }
            }
        }
        return isSame
    }

    /// Calls `body` with the values of the fields, in the order of their numbers.
    private func withValues(
        of record: borrowing RecordView,
        _ body: (UnsafeMutableBufferPointer<UnsafeRawBufferPointer?>) throws(WireError) -> Void
    ) throws(WireError) {
        var registers = record.registers
        let outcome = withUnsafeTemporaryAllocation(of: UnsafeRawBufferPointer?.self, capacity: numbers.count) {
            values in
            values.initialize(repeating: nil)
            return Result { () throws(WireError) in
                try numbers.withUnsafeBufferPointer { numbers in
                    Result { () throws(WireError) in
                        var slot = 0
                        // Both ascend.
                        while let register = try registers.next() {
                            while slot < numbers.count, numbers[slot] < register.field { slot += 1 }
                            guard slot < numbers.count else { break }
                            if numbers[slot] == register.field, register.key.isEmpty { values[slot] = register.value }
                        }
                    }
                }.get()
                try body(values)
            }
        }
        try outcome.get()
    }
}
