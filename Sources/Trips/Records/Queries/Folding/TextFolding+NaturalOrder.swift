/// The order in which people expect names: numbers in the order of their values, all else by its scalars.
///
/// Text is a sequence of numbers, which are the longest runs of ASCII digits, and of other scalars. Two sequences are ordered by their first
/// difference: numbers by their values, regardless of leading zeros; scalars, and a number beside a scalar, by their code points, with which digits are
/// together. So the order is total, but for texts that differ in leading zeros alone, which are equal.
extension TextFolding {
    /// Less than 0 if one folded text precedes another, and 0 if they are equal in this order. Takes time in proportion to the lengths.
    static func compareNaturally(_ a: String, _ b: String) -> Int {
        var (a, b) = (a, b)
        return a.withUTF8 { left in b.withUTF8 { right in compareNaturally(left[...], right[...]) } }
    }

    private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    private static func compareNaturally(_ left: Bytes, _ right: Bytes) -> Int {
        var (left, right) = (left, right)
        while let first = left.first, let second = right.first {
            if isDigit(first), isDigit(second) {
                let (one, two) = (takeNumber(&left), takeNumber(&right))
                if one.count != two.count { return one.count < two.count ? -1 : 1 }
                if let order = zip(one, two).first(where: { $0 != $1 }) { return order.0 < order.1 ? -1 : 1 }
            } else {
                // The order of bytes of UTF-8 is that of the scalars.
                if first != second { return first < second ? -1 : 1 }
                left.removeFirst()
                right.removeFirst()
            }
        }
        return left.isEmpty ? (right.isEmpty ? 0 : -1) : 1
    }

    /// Bytes of which the order is the natural one of folded texts: equal for those that are equal in it. Takes time in proportion to the length.
    ///
    /// Scalars are their UTF-8, and a number is its count of digits, then these. No byte is 0, so that a key with a 0 after it precedes all longer keys that
    /// begin with it:
    ///
    /// | part | bytes |
    /// |---|---|
    /// | a number of up to 8 digits, without leading zeros | 0x30 and the count; the digits |
    /// | a number of more digits | 0x39; 0xFF for each 254 beyond 9, and 1 and the rest; the digits |
    /// | U+0000, U+0001 | 0x01 0x01, 0x01 0x02 |
    /// | all else | its UTF-8 |
    static func naturalKey(_ folded: String) -> [UInt8] {
        var folded = folded
        return folded.withUTF8 { bytes in
            var key: [UInt8] = []
            key.reserveCapacity(bytes.count + 2)
            var rest = bytes[...]
            while let byte = rest.first {
                if isDigit(byte) {
                    appendNumber(takeNumber(&rest), to: &key)
                } else {
                    if byte <= 1 { key.append(1) }
                    key.append(byte <= 1 ? byte + 1 : byte)
                    rest.removeFirst()
                }
            }
            return key
        }
    }

    /// Counts from 9 on share a first byte, and all numbers have one of those that ASCII digits have: a number and a scalar are ordered likewise.
    private static func appendNumber(_ digits: Bytes, to key: inout [UInt8]) {
        if digits.count < 9 {
            key.append(0x30 + UInt8(digits.count))
        } else {
            key.append(0x39)
            let (full, rest) = (digits.count - 9).quotientAndRemainder(dividingBy: 254)
            key += repeatElement(0xFF, count: full)
            key.append(UInt8(1 + rest))
        }
        key += digits
    }

    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

    /// Removes the digits at the front, and returns them without leading zeros.
    private static func takeNumber(_ text: inout Bytes) -> Bytes {
        let end = text.firstIndex { !isDigit($0) } ?? text.endIndex
        defer { text = text[end...] }
        return text[..<end].drop { $0 == 0x30 }
    }
}

/// Text as queries search in it: without differences of case, and without marks such as accents.
enum TextFolding {
    /// Names the folding and the natural keys in fingerprints of what is kept of them, such as an index. Raise it whenever the table of scalars, a
    /// step of the folding, or the bytes of the keys change.
    static let version: UInt32 = 1

    /// Two texts that people read as the same word have the same folded text: "Évora" and "evora". By the canonical decomposition and the case
    /// folding of Unicode, from a table that does not depend on the system: see `FoldingTable`. Folded text is not changed by folding.
    ///
    /// Takes time in proportion to the length.
    static func folded(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            if !text.utf8.contains(where: { 0x41...0x5A ~= $0 }) { return text }
            return String(decoding: text.utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }, as: UTF8.self)
        }
        var text = text
        return text.withUTF8 { bytes in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: FoldingTable.capacity(bytes.count)) { folded in
                let count = FoldingTable.shared.fold(bytes, into: folded)
                return String(decoding: folded[..<count], as: UTF8.self)
            }
        }
    }

    /// Whether a relation holds between text of ASCII and folded text: without folding the former.
    static func holds(
        _ relation: ConditionNode.TextRelation, _ folded: String, inASCII bytes: UnsafeRawBufferPointer
    ) -> Bool {
        func isSame(from start: Int) -> Bool {
            var index = start
            for byte in folded.utf8 {
                let own = bytes[index]
                guard byte == (0x41...0x5A ~= own ? own | 0x20 : own) else { return false }
                index += 1
            }
            return true
        }
        let room = bytes.count - folded.utf8.count
        guard room >= 0 else { return false }
        return switch relation {
        case .contains: ByteSearch.contains(folded, inASCII: bytes)
        case .begins: isSame(from: 0)
        case .equals: room == 0 && isSame(from: 0)
        }
    }
}
