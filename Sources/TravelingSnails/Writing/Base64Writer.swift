/// Encodes bytes as base64 (RFC 4648, section 4), piece by piece.
struct Base64Writer {
    private static let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

    /// Up to two bytes that wait for a third.
    private var rest: [UInt8] = []

    /// The characters of the bytes that have come so far, but for those of an unfinished group. O(bytes).
    mutating func encode(_ bytes: [UInt8]) -> [UInt8] {
        let all = rest.isEmpty ? bytes : rest + bytes
        let whole = all.count - all.count % 3
        rest = Array(all[whole...])
        return Self.characters(all[..<whole])
    }

    /// The characters of what is left, with padding.
    mutating func finish() -> [UInt8] {
        defer { rest = [] }
        guard !rest.isEmpty else { return [] }
        let padding = 3 - rest.count
        var characters = Self.characters((rest + [UInt8](repeating: 0, count: padding))[...])
        characters.replaceSubrange(
            (characters.count - padding)..., with: [UInt8](repeating: UInt8(ascii: "="), count: padding))
        return characters
    }

    /// Of a number of bytes that 3 divides.
    private static func characters(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let alphabet = alphabet.utf8Start
        return bytes.withUnsafeBufferPointer { bytes in
            [UInt8](unsafeUninitializedCapacity: bytes.count / 3 * 4) { characters, count in
                var next = 0
                for start in stride(from: 0, to: bytes.count, by: 3) {
                    let group = UInt32(bytes[start]) << 16 | UInt32(bytes[start + 1]) << 8 | UInt32(bytes[start + 2])
                    characters[next] = alphabet[Int(group >> 18)]
                    characters[next + 1] = alphabet[Int(group >> 12 & 63)]
                    characters[next + 2] = alphabet[Int(group >> 6 & 63)]
                    characters[next + 3] = alphabet[Int(group & 63)]
                    next += 4
                }
                count = next
            }
        }
    }
}
