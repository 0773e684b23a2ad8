import Foundation

/// Text as queries search in it: without differences of case, and without marks such as accents.
enum TextFolding {
    /// Two texts that people read as the same word have the same folded text: "Évora" and "evora". By the canonical decomposition and the
    /// lower case of Unicode, of which every letter has one form.
    static func folded(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            if !text.utf8.contains(where: { 0x41...0x5A ~= $0 }) { return text }
            return String(decoding: text.utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }, as: UTF8.self)
        }
        var folded = String.UnicodeScalarView()
        for scalar in text.lowercased().decomposedStringWithCanonicalMapping.unicodeScalars
        where scalar.properties.generalCategory != .nonspacingMark {
            switch scalar {
            // The final sigma, and the sharp s.
            case "\u{3C2}": folded.append("\u{3C3}")
            case "\u{DF}": folded.append(contentsOf: "ss".unicodeScalars)
            default: folded.append(scalar)
            }
        }
        return String(folded)
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
        case .contains: (0...room).contains { isSame(from: $0) }
        case .begins: isSame(from: 0)
        case .equals: room == 0 && isSame(from: 0)
        }
    }

    /// The order in which people expect names, of folded text: with numbers in the order of their values.
    static func compareNaturally(_ a: String, _ b: String) -> Int {
        var (left, right) = (Substring(a).unicodeScalars, Substring(b).unicodeScalars)
        while let first = left.first, let second = right.first {
            if isDigit(first), isDigit(second) {
                let (one, two) = (number(&left), number(&right))
                if one != two { return one.count != two.count ? one.count - two.count : one < two ? -1 : 1 }
            } else {
                if first != second { return first.value < second.value ? -1 : 1 }
                left.removeFirst()
                right.removeFirst()
            }
        }
        return left.isEmpty ? (right.isEmpty ? 0 : -1) : 1
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { 0x30...0x39 ~= scalar.value }

    /// The digits at the front, without leading zeros.
    private static func number(_ text: inout Substring.UnicodeScalarView) -> String {
        var digits = String.UnicodeScalarView()
        while let scalar = text.first, isDigit(scalar) {
            if !digits.isEmpty || scalar.value != 0x30 { digits.append(scalar) }
            text.removeFirst()
        }
        return String(digits)
    }
}
