import Events

/// An app's own counter on one kind of entity, to which concurrent additions all count: visits, votes, litres.
///
/// ```swift
/// extension Book {
///     static let readings = OwnCounter<Book>("org.example.reading", 6, "readings")
/// }
///
/// try await store.edit(dune) { $0[Book.readings] += 1 }
/// ```
///
/// Each replica writes its own share, and readers add them up. An undo subtracts what its commit added, also if more was added since.
public struct OwnCounter<Entity: TripEntity>: DeclaredField {
    let field: EntitySchema.Field

    init(_ field: EntitySchema.Field) { self.field = field }

    /// Declares a field as `OwnField` does.
    public init(_ namespace: Namespace, _ number: UInt16, _ name: String) {
        self.init(declaring: number, in: namespace, name, Int.self, .counter)
    }
}

extension TripEntity {
    /// The count. A new one is written as what it adds to the count that is there. Beyond the range of integers it is their least or
    /// greatest. O(replicas that counted).
    public subscript(field: OwnCounter<Self>) -> Int {
        get { Int(clamping: own.sum(of: field.number)) }
        set { own.add(newValue, minus: self[field], to: field.number) }
    }
}

extension FieldChange {
    /// Something is added to an app's own counter, whatever it has.
    public static func add(_ count: Int, to field: OwnCounter<Entity>) -> FieldChange {
        FieldChange(ElementKey.ownShare.path(in: field.number), value: CounterShare.bytes(Int64(count)))
    }
}

/// The bytes of what is added to a counter.
package enum CounterShare {
    /// 0 if there is none, or if another wrote something else there.
    package static func value(_ bytes: [UInt8]?) -> Int64 {
        bytes?.withUnsafeBytes { try? $0.onlySigned() } ?? 0
    }

    package static func bytes(_ value: Int64) -> [UInt8] { .signed(value) }
}

extension OwnValues {
    /// The count of a counter: of shares and corrections with names of 16 bytes, and of what is about to be added.
    func sum(of number: UInt64) -> Int128 {
        values(of: number).reduce(0) { sum, value in
            guard let element = value.path.element, element.isCounted, element.name.count == 16 || element == .ownShare
            else { return sum }
            return sum + Int128(CounterShare.value(value.bytes))
        }
    }

    /// Adds the difference of two counts to what this replica is about to add to a counter.
    mutating func add(_ count: Int, minus before: Int, to number: UInt64) {
        let path = ElementKey.ownShare.path(in: number)
        let added = Int128(CounterShare.value(self[path])) + Int128(count) - Int128(before)
        self[path] = added == 0 ? nil : CounterShare.bytes(Int64(clamping: added))
    }

    /// The numbers of the fields that have parts of a counter.
    private var counters: [UInt64] {
        var numbers: [UInt64] = []
        for value in values where value.path.field != numbers.last && value.path.element?.isCounted == true {
            numbers.append(value.path.field)
        }
        return numbers
    }

    /// What was added to the counts of others, by the numbers of the fields, ascending.
    func counts(addedTo others: OwnValues) -> [(number: UInt64, count: Int64)] {
        Set(counters + others.counters).sorted().compactMap { number in
            let count = sum(of: number) - others.sum(of: number)
            return count == 0 ? nil : (number, Int64(clamping: count))
        }
    }

    /// Clears a field with all of its elements; a counter's count becomes 0.
    mutating func clear(_ number: UInt64) {
        replace(values(of: number).filter { $0.path.element?.isCounted != true }.map { ($0.path, nil) })
        let sum = sum(of: number)
        if sum != 0 { add(0, minus: Int(clamping: sum), to: number) }
    }

    /// The values with each counter's count as what is to be added: for a new entity, of which no replica has a share yet.
    var valuesForCreation: [Value] {
        let counters = counters
        if counters.isEmpty { return values }
        var changed = self
        changed.replace(values.filter { $0.path.element?.isCounted == true }.map { ($0.path, nil) })
        for number in counters {
            let sum = sum(of: number)
            if sum != 0 { changed[ElementKey.ownShare.path(in: number)] = CounterShare.bytes(Int64(clamping: sum)) }
        }
        return changed.values
    }
}
