package import Events

/// Some fields of a kind, whose bytes are read from a record in one walk, without the rest of it.
struct FieldSlice: Sendable {
    /// The bytes of the fields, in the order of their numbers; nil where one is cleared. Valid as long as the record is, and during a call.
    typealias Values = UnsafeMutableBufferPointer<UnsafeRawBufferPointer?>

    /// Ascending, each once: few, so that walking them is quicker than a dictionary.
    let numbers: [UInt64]

    init(_ numbers: [UInt64]) {
        precondition(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "The fields of a slice are in no order.")
        self.numbers = numbers
    }

    /// The place of a field among the values.
    func index(of number: UInt64) -> Int? { numbers.firstIndex(of: number) }

    /// Sets the fields that a record has, among nils. Throws `WireError` if the record cannot be read up to the last of them.
    @inline(__always)
    func read(_ registers: RecordView.Registers, into values: Values) throws(WireError) {
        var registers = registers
        var failure: WireError?
        numbers.withUnsafeBufferPointer { numbers in
            var slot = 0
            do throws(WireError) {
                // Both ascend.
                while slot < numbers.count, let register = try registers.next() {
                    while slot < numbers.count, numbers[slot] < register.field { slot += 1 }
                    guard slot < numbers.count else { return }
                    if numbers[slot] == register.field, register.key.isEmpty { values[slot] = register.value }
                }
            } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Calls `body` with the fields of a record, which take no memory but the stack's.
    @inline(__always)
    func withValues<T>(
        of record: borrowing RecordView, _ body: (Values) throws(WireError) -> T
    ) throws(WireError) -> T {
        let registers = record.registers
        return try withUnsafeTemporaryAllocation(of: UnsafeRawBufferPointer?.self, capacity: numbers.count) { values in
            values.initialize(repeating: nil)
            return Result { () throws(WireError) in
                try read(registers, into: values)
                return try body(values)
            }
        }.get()
    }
}

extension Schema {
    /// The numbers of the fields that some properties hold. A property that holds none stops the program: it would move those behind it.
    func numbers(of properties: PartialKeyPath<Entity>...) -> [UInt64] {
        properties.map { property in
            guard let number = number(of: property) else { preconditionFailure("\(property) holds no field.") }
            return number
        }
    }
}

/// The fields that decide where an entity lies under its parent, for kinds whose parents are of one kind: the parent, and the starts.
package struct PlaceSlice {
    /// By kind number, with the indexes of the parent, of the first start that is a moment, and of the first that is a day.
    private static let fields: [(slice: FieldSlice, parents: ParentKinds, parent: Int, moment: Int?, day: Int?)?] =
        EntitySchema.byNumber.map { schema in
            guard let schema, schema.parents.areOfOneKind else { return nil }
            let starts = schema.spans.map(\.start)
            let moment = starts.first { schema.field($0)?.type is Moment.Type }
            let day = starts.first { schema.field($0)?.type is Day.Type }
            let slice = FieldSlice([FieldPath.parent.field, moment, day].compactMap { $0 }.sorted())
            let parent = slice.index(of: FieldPath.parent.field) ?? 0
            return (
                slice, schema.parents, parent, moment.flatMap { slice.index(of: $0) },
                day.flatMap { slice.index(of: $0) }
            )
        }

    /// The bytes of the parent's id; nil if there is none.
    package let parentID: UnsafeRawBufferPointer?
    /// When it starts, in milliseconds since 1970; nil without a start.
    package let start: Int64?

    /// Calls `body` with that of a record; it is not to be used beyond the call. Throws `WireError` if the record cannot be read up to there.
    package static func read(
        _ record: borrowing RecordView, of kind: EntityKind, _ body: (PlaceSlice) -> Void
    ) throws(WireError) {
        guard kind.rawValue < fields.count, let fields = fields[Int(kind.rawValue)] else { return }
        try fields.slice.withValues(of: record) { values in
            let moment = Moment.milliseconds(fields.moment.flatMap { values[$0] })
            body(
                PlaceSlice(
                    parentID: values[fields.parent].flatMap { fields.parents.idBytes(in: $0) },
                    start: start(moment, Day.decoded(fields.day.flatMap { values[$0] }))))
        }
    }

    /// The start of an entity with a time, or a first day, or both, in milliseconds since 1970. One without a time counts as starting with its
    /// first day in UTC: so its place depends on no zone, that of a device least of all.
    static func start(_ milliseconds: Int64?, _ day: @autoclosure () -> Day?) -> Int64? {
        milliseconds ?? day().map { Int64($0.daysSince1970) * 86_400_000 }
    }
}
