/// Reads bytes from the front.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> UInt8? { rest.popFirst() }

    mutating func bytes(_ count: Int) -> [UInt8]? {
        guard count >= 0, rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    mutating func number(_ count: Int) -> UInt64? { bytes(count)?.reduce(0) { $0 << 8 | UInt64($1) } }
}
