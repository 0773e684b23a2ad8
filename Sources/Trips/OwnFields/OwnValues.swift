import Events

/// The values of apps' own fields in an entity, as the log has them: those of apps that are not here as well.
///
/// A value without bytes is none. Read and written by `entity[field]`. O(log n) for reading, O(n) for writing.
public struct OwnValues: Sendable {
    struct Register: Sendable {
        let number: UInt64
        /// None if it was cleared.
        let bytes: [UInt8]
        /// Which of two registers was written later: the greater number. In a draft what it sets is the latest.
        let order: UInt32
    }

    /// By number, ascending; cleared ones are there too. An array without elements takes no memory.
    private var registers: [Register] = []

    public init() {}

    /// Those that have a value.
    var values: [Register] {
        registers.contains(where: \.bytes.isEmpty) ? registers.filter { !$0.bytes.isEmpty } : registers
    }

    public var isEmpty: Bool { registers.allSatisfy(\.bytes.isEmpty) }

    /// The bytes of a field's value; nil if it is cleared.
    subscript(number: UInt64) -> [UInt8]? {
        get { register(number).flatMap { $0.bytes.isEmpty ? nil : $0.bytes } }
        set { put(Register(number: number, bytes: newValue ?? [], order: .max)) }
    }

    /// What was written to a field; nil if nothing was.
    func register(_ number: UInt64) -> Register? {
        let index = index(of: number)
        return index < registers.count && registers[index].number == number ? registers[index] : nil
    }

    /// Takes a register of a record, where `order` is the place of its write among those of the record.
    mutating func read(_ number: UInt64, _ value: UnsafeRawBufferPointer?, order: Int) {
        let order = UInt32(clamping: order)
        put(Register(number: number, bytes: value.map { [UInt8]($0) } ?? [], order: min(order, .max - 1)))
    }

    private mutating func put(_ register: Register) {
        let index = index(of: register.number)
        if index < registers.count, registers[index].number == register.number {
            registers[index] = register
        } else if !register.bytes.isEmpty || register.order < .max {
            registers.insert(register, at: index)
        }
    }

    /// The index of the first with that number or a greater one.
    private func index(of number: UInt64) -> Int {
        // Entities are read in the order of the numbers.
        if registers.last.map({ $0.number < number }) ?? true { return registers.count }
        var (low, high) = (0, registers.count)
        while low < high {
            let middle = (low + high) / 2
            if registers[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The numbers of the fields that differ from those of others, ascending.
    func numbers(differingFrom other: OwnValues) -> [UInt64] {
        if registers.isEmpty && other.registers.isEmpty { return [] }
        let numbers = Set(registers.map(\.number)).union(other.registers.map(\.number))
        return numbers.sorted().filter { self[$0] != other[$0] }
    }
}

/// By the values: when they were written makes no difference.
extension OwnValues: Hashable {
    public static func == (a: OwnValues, b: OwnValues) -> Bool {
        if a.registers.isEmpty && b.registers.isEmpty { return true }
        return a.values.elementsEqual(b.values) { $0.number == $1.number && $0.bytes == $1.bytes }
    }

    public func hash(into hasher: inout Hasher) {
        for value in values {
            hasher.combine(value.number)
            hasher.combine(value.bytes)
        }
    }
}

extension RecordView.Register {
    /// Whether the field is an app's own, and no element of a collection.
    var isOwnValue: Bool { isOwn && key.isEmpty }
}
