import Events

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
