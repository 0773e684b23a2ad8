/// An amount as banks, hotels and spreadsheets write it, with its currency before or after it.
///
/// Digits may be in groups of three or, from the second group on, of two as in India, with a space, an apostrophe or the other one of comma
/// and point between them. A minus may stand anywhere but among the digits; parentheses are one. `12,-` has no cents.
struct AmountText: Equatable {
    /// An optional minus, digits, and the fraction behind a point.
    private(set) var digits: String
    /// The codes and signs of currencies around it, in their order.
    let currencies: [String]

    /// Nil for a text that has no such form: a sign for the fraction that was taken for one between groups would make a hundredfold of the
    /// amount.
    /// - Parameter decimal: a point or a comma, before the fraction.
    init?(_ text: String, decimal: Character) {
        let text = text.plain.replacing("\u{66B}", with: String(decimal))
        guard var first = text.firstIndex(where: \.isASCIIDigit), let last = text.lastIndex(where: \.isASCIIDigit)
        else {
            return nil
        }
        // The fraction of an amount without a whole part, but not the point of "Fr.50" or "S/.50".
        let before = text[..<first].suffix(2)
        if before.last == decimal,
            before.count == 1 || before.first.map({ "-+( ".contains($0) || $0.isCurrencySymbol }) ?? false
        {
            first = text.index(before: first)
        }
        var (head, tail) = (String(text[..<first]), String(text[text.index(after: last)...]))
        let body = text[first...last]
        if let sign = tail.first, ".,".contains(sign) || tail.hasPrefix(":-") {
            tail.removeFirst()
            guard !body.contains(decimal) else { return nil }
            tail = String(tail.drop { $0 == "-" })
        }
        guard let whole = Self.ungrouped(body, decimal) else { return nil }
        let minus = (head + tail).filter { $0 == "-" }.count
        let isInParentheses = head.contains("(") && tail.contains(")")
        guard minus + (isInParentheses ? 1 : 0) <= 1 else { return nil }
        digits = (minus == 1 || isInParentheses ? "-" : "") + whole
        for part in ["-", "+"] + (isInParentheses ? ["(", ")"] : []) {
            if let index = head.firstIndex(of: Character(part)) { head.remove(at: index) }
            if let index = tail.firstIndex(of: Character(part)) { tail.remove(at: index) }
        }
        currencies = [head.plain, tail.plain].filter { !$0.isEmpty }
        guard !currencies.contains(where: { $0.contains { "()+-,;:=".contains($0) } }) else { return nil }
    }

    /// Without zeros behind as many decimals as a currency has. Three digits that might be a group stay: the amount is then refused.
    func exact(decimals: Int) -> String {
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].count > decimals else { return digits }
        let isGroup =
            parts[1].count == 3 && parts[0].count { $0 != "-" } <= 3 && !parts[0].allSatisfy { "-0".contains($0) }
        guard !isGroup, parts[1].dropFirst(decimals).allSatisfy({ $0 == "0" }) else { return digits }
        let kept = parts[1].prefix(decimals)
        return kept.isEmpty ? String(parts[0]) : "\(parts[0]).\(kept)"
    }

    /// The sign before the fraction, if a text shows it; nil if it may be one between groups, or there is none.
    static func decimalSeparator(shownBy text: String) -> Character? {
        let text = text.plain
        guard let first = text.firstIndex(where: \.isASCIIDigit), let last = text.lastIndex(where: \.isASCIIDigit),
            let sign = text[first...].last(where: { ".,".contains($0) })
        else { return nil }
        let body = text[first...last]
        let signs = body.filter { ".,".contains($0) }
        // An amount without cents, as "12,-".
        if signs.isEmpty { return sign }
        if Set(signs).count == 2 { return signs.count { $0 == sign } == 1 ? sign : nil }
        if signs.count > 1 { return sign == "," ? "." : "," }
        let parts = body.split(separator: sign)
        let isGroup = parts.count == 2 && parts[1].count == 3 && parts[0].count <= 3 && parts[0] != "0"
        return isGroup ? nil : sign
    }

    /// The digits of a text with a point before the fraction, without the signs between groups.
    private static func ungrouped(_ body: Substring, _ decimal: Character) -> String? {
        let parts = body.split(separator: decimal, omittingEmptySubsequences: false)
        let separators: [Character] = [
            decimal == "," ? "." : ",", " ", "'", "\u{2019}", "\u{2BC}", "`", "\u{B4}", "\u{66C}",
        ]
        guard parts.count <= 2, let whole = parts.first, Set(whole.filter(separators.contains)).count <= 1 else {
            return nil
        }
        let groups = whole.split(omittingEmptySubsequences: false, whereSeparator: separators.contains)
        guard (groups + parts.dropFirst()).allSatisfy({ $0.allSatisfy(\.isASCIIDigit) }), isGrouped(groups) else {
            return nil
        }
        let fraction = parts.dropFirst().map { "." + $0 }.joined()
        return (whole.isEmpty ? "0" : groups.joined()) + fraction
    }

    private static func isGrouped(_ groups: [Substring]) -> Bool {
        guard groups.count > 1, let first = groups.first?.count, let last = groups.last?.count else { return true }
        let inner = groups.dropFirst().dropLast().map(\.count)
        guard first > 0, last == 3 else { return false }
        return first <= 3 && inner.allSatisfy { $0 == 3 } || first <= 2 && inner.allSatisfy { $0 == 2 }
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { "0"..."9" ~= self }
}
