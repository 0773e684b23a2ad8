extension BinaryInteger {
    /// The number and the noun of what it counts, as in "1 entry" and "2 entries".
    ///
    /// - Parameter plural: the noun for all numbers but 1; by default as English makes most of them.
    package func counted(_ noun: String, _ plural: String? = nil) -> String {
        "\(self) \(self == 1 ? noun : plural ?? noun.plural)"
    }

    /// One of two words that agree with the number, as `is` and `are`.
    package func agreeing(_ one: String, _ many: String) -> String { self == 1 ? one : many }
}

extension String {
    /// Whether a name of a field is one of several things, as `parts` and `notes` are, and `address` and `status` are not.
    package var isPlural: Bool { hasSuffix("s") && !["ss", "us", "is"].contains(where: hasSuffix) }

    /// The English plural of a regular noun.
    package var plural: String {
        if hasSuffix("y"), let before = dropLast().last, !"aeiou".contains(before) { return dropLast() + "ies" }
        return ["s", "x", "ch", "sh"].contains(where: hasSuffix) ? self + "es" : self + "s"
    }
}
