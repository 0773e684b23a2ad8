public import Events

/// Reads the value of an accumulating row: the sums of its parts, in byte order of the parts.
///
/// A part is its name's length (1 byte) and the name, then its count and its amount: numbers of 7 bits a byte, the
/// lowest first, in which the sign is the lowest bit, as in protobuf's `sint64`. A part whose count and amount are both
/// zero is left out, and a row without parts has one without a name; so equal sums have equal bytes.
///
/// It is valid as long as the value is, and so are the names: apps get copies from `Accumulation.parts(of:)`.
@usableFromInline
package struct AccumulatedParts {
    @usableFromInline let value: UnsafeRawBufferPointer
    @usableFromInline var offset = 0

    /// The longest name of a part.
    static let nameLimit = 255

    @inlinable
    package init(_ value: UnsafeRawBufferPointer) { self.value = value }

    /// The next part's name and sum, or nil at the end. Throws `ProjectionError.damaged` for invalid bytes.
    @inlinable @inline(__always)
    package mutating func next() throws(ProjectionError) -> (part: UnsafeRawBufferPointer, sum: Accumulation)? {
        guard offset < value.count else { return nil }
        let start = offset + 1
        let end = start + Int(value[offset])
        guard end <= value.count else { throw Self.damaged }
        let (count, amountStart) = try count(at: end)
        let (amount, amountEnd) = try number(at: amountStart)
        offset = amountEnd
        return (value.part(start..<end), Accumulation(count: count, amount: amount))
    }

    /// The count at an offset, and its end.
    @inlinable @inline(__always)
    func count(at start: Int) throws(ProjectionError) -> (Int64, end: Int) {
        // Nearly all have one byte.
        if start < value.count, value[start] < 0x80 {
            let bits = Int64(value[start])
            return (bits &>> 1 ^ -(bits & 1), start + 1)
        }
        let (number, end) = try number(at: start)
        guard let count = Int64(exactly: number) else { throw Self.damaged }
        return (count, end)
    }

    /// The number at an offset, and its end.
    @inlinable @inline(__always)
    func number(at start: Int) throws(ProjectionError) -> (Int128, end: Int) {
        // Most amounts have few bytes.
        var offset = start
        var bits: UInt64 = 0
        var shift: UInt64 = 0
        while offset < value.count, shift < 63 {
            let byte = value[offset]
            offset += 1
            bits |= UInt64(byte & 0x7F) &<< shift
            if byte < 0x80 { return (Int128(Int64(bitPattern: bits &>> 1) ^ -Int64(bitPattern: bits & 1)), offset) }
            shift += 7
        }
        return try longNumber(bits, at: offset)
    }

    /// A number of which 63 bits were read, and its remaining bits.
    @usableFromInline @inline(never)
    func longNumber(_ low: UInt64, at start: Int) throws(ProjectionError) -> (Int128, end: Int) {
        var offset = start
        var bits = UInt128(low)
        var shift: UInt128 = 63
        while offset < value.count {
            let byte = value[offset]
            offset += 1
            if shift == 126 && byte > 3 { break }
            bits |= UInt128(byte & 0x7F) << shift
            if byte < 0x80 { return (Int128(bitPattern: bits >> 1) ^ -Int128(bitPattern: bits & 1), offset) }
            shift += 7
        }
        throw Self.damaged
    }

    @usableFromInline static var damaged: ProjectionError { .damaged("a sum") }
}
