/// Searches for bytes in others, in time that grows with both and not with their product: texts may have a million bytes.
enum ByteSearch {
    /// Up to here comparing at each place is quicker than preparing a table.
    private static let shortest = 16

    /// Whether some bytes contain a pattern; `fold` is applied to each of them.
    static func contains(
        _ pattern: UnsafeBufferPointer<UInt8>, in bytes: UnsafeRawBufferPointer, fold: (UInt8) -> UInt8 = { $0 }
    ) -> Bool {
        let room = bytes.count - pattern.count
        guard room >= 0, let first = pattern.first else { return pattern.isEmpty }
        if pattern.count > shortest { return containsLong(pattern, in: bytes, fold) }
        for start in 0...room where fold(bytes[start]) == first {
            var index = 1
            while index < pattern.count, fold(bytes[start + index]) == pattern[index] { index += 1 }
            if index == pattern.count { return true }
        }
        return false
    }

    /// By D. E. Knuth, J. H. Morris and V. R. Pratt, 1977.
    private static func containsLong(
        _ pattern: UnsafeBufferPointer<UInt8>, in bytes: UnsafeRawBufferPointer, _ fold: (UInt8) -> UInt8
    ) -> Bool {
        // Of each prefix of the pattern the longest part that it both begins and ends with.
        var borders = [0]
        borders.reserveCapacity(pattern.count)
        var length = 0
        for index in 1..<pattern.count {
            while length > 0, pattern[index] != pattern[length] { length = borders[length - 1] }
            if pattern[index] == pattern[length] { length += 1 }
            borders.append(length)
        }
        var matched = 0
        for byte in bytes {
            let byte = fold(byte)
            while matched > 0, byte != pattern[matched] { matched = borders[matched - 1] }
            if byte == pattern[matched] { matched += 1 }
            if matched == pattern.count { return true }
        }
        return false
    }

    static func contains(_ pattern: String, in text: String) -> Bool {
        var (pattern, text) = (pattern, text)
        return pattern.withUTF8 { pattern in
            text.withUTF8 { contains(pattern, in: UnsafeRawBufferPointer($0)) }
        }
    }

    /// In text of ASCII, regardless of its case; the pattern is folded.
    static func contains(_ pattern: String, inASCII bytes: UnsafeRawBufferPointer) -> Bool {
        var pattern = pattern
        return pattern.withUTF8 { contains($0, in: bytes) { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 } }
    }
}
