/// Divides whole numbers exactly, by the method of the largest remainder.
enum LargestRemainder {
    /// Parts in proportion to weights, which add up to the amount; of weights that are all 0, no part is anything.
    ///
    /// Each gets the whole part of its share. Units that are left over go to those with the largest remainders, one each; of equal ones to
    /// those that come first. Negative weights count as 0. O(n · log n).
    static func parts(of amount: Int128, by weights: [Int]) -> [Int128] {
        let weights = weights.map { UInt128(Swift.max(0, $0)) }
        let sum = weights.reduce(0, +)
        guard sum > 0 else { return weights.map { _ in 0 } }
        // Amounts may be longer than 64 bits: the quotient and the remainder are multiplied apart, so that nothing overflows.
        let (whole, left) = amount.magnitude.quotientAndRemainder(dividingBy: sum)
        var parts = weights.map { weight in
            let (share, remainder) = sum.dividingFullWidth(left.multipliedFullWidth(by: weight))
            return (share: whole * weight + share, remainder: remainder)
        }
        let units = amount.magnitude - parts.reduce(0) { $0 + $1.share }
        let order = parts.indices.sorted {
            (parts[$1].remainder, $0) < (parts[$0].remainder, $1)
        }
        for (number, index) in order.enumerated() where UInt128(number) < units { parts[index].share += 1 }
        return parts.map { Int128($0.share) * amount.signum() }
    }
}
