/// Splits an input in which one part says what to do with the rest. Missing bytes read as zero.
struct InputReader {
    private(set) var rest: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> Int {
        guard let first = rest.first else { return 0 }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
        return Int(first)
    }

    /// A number of two bytes, the lower first.
    mutating func number() -> Int { byte() | byte() << 8 }

    /// As many bytes as a preceding two-byte number says, or as there are.
    mutating func counted() -> UnsafeRawBufferPointer { take(number()) }

    mutating func take(_ count: Int) -> UnsafeRawBufferPointer {
        let part = UnsafeRawBufferPointer(rebasing: rest.prefix(count))
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        return part
    }
}

extension [UInt8] {
    /// Overwrites these bytes as an input says: where (a block of 4,096 bytes, modulo their number, and an offset in
    /// it), how many bytes, and which.
    mutating func patch(_ input: inout InputReader) {
        let blocks = Swift.max(count / 4096, 1)
        while !input.isAtEnd {
            let start = input.byte() % blocks * 4096 + input.number() % 4096
            let patch = input.take(input.byte() % 16 + 1)
            for (index, byte) in patch.enumerated() where start + index < count { self[start + index] = byte }
        }
    }
}

extension UnsafeRawBufferPointer {
    var array: [UInt8] { [UInt8](self) }
}
