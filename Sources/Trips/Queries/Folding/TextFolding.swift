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
