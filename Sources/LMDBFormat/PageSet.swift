/// A set of page numbers: one bit each.
package struct PageSet {
    package let limit: UInt
    private var words: [UInt64]

    /// A set with room for the numbers below `limit`.
    package init(below limit: UInt) {
        self.limit = limit
        words = [UInt64](repeating: 0, count: Int((limit + 63) / 64))
    }

    /// Adds a number below `limit`; returns false if it was there.
    package mutating func insert(_ number: UInt) -> Bool {
        let bit = UInt64(1) << UInt64(number % 64)
        let index = Int(number / 64)
        guard words[index] & bit == 0 else { return false }
        words[index] |= bit
        return true
    }

    /// The least number from `start` on that is not in the set.
    package func firstMissing(from start: UInt) -> UInt? {
        var number = start
        while number < limit {
            let word = words[Int(number / 64)] >> UInt64(number % 64)
            let present = UInt((~word).trailingZeroBitCount)
            let rest = 64 - number % 64
            if present < rest { return number + present < limit ? number + present : nil }
            number += rest
        }
        return nil
    }

    /// How many numbers are not in the set.
    package var missing: UInt { limit - words.reduce(0) { $0 + UInt($1.nonzeroBitCount) } }
}
