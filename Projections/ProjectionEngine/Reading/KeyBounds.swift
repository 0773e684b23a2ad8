import Events

/// A range of keys with a common prefix, walked from either end, perhaps from the middle.
public struct KeyBounds: Sendable, Hashable {
    /// The smallest key inside.
    public let first: [UInt8]
    /// The smallest key beyond; nil if there is none.
    public let end: [UInt8]?
    public let isReversed: Bool
    /// The prefix, if the bounds hold every key with it; nil if they are narrower.
    let wholePrefix: [UInt8]?

    /// `lower` and `upper` bound what follows the prefix, the upper one excluded; `after` is the last key returned, and
    /// `through` the last key wanted, both in the order of the walk.
    public init(
        prefix: [UInt8], lower: [UInt8]? = nil, upper: [UInt8]? = nil, after: [UInt8]? = nil,
        through: [UInt8]? = nil, isReversed: Bool = false
    ) {
        var first = prefix + (lower ?? [])
        var end = upper.map { prefix + $0 } ?? prefix.afterPrefix
        if let through {
            let wanted = prefix + through
            if isReversed {
                if first.lexicographicallyPrecedes(wanted) { first = wanted }
            } else if end.map({ wanted.lexicographicallyPrecedes($0) }) ?? true {
                end = wanted + [0]
            }
        }
        if let after {
            let shown = prefix + after
            if isReversed {
                if end.map({ shown.lexicographicallyPrecedes($0) }) ?? true { end = shown }
            } else if first.lexicographicallyPrecedes(shown + [0]) {
                first = shown + [0]
            }
        }
        self.first = first
        self.end = end
        self.isReversed = isReversed
        wholePrefix = lower == nil && upper == nil && after == nil && through == nil ? prefix : nil
    }

    /// The bounds of the same keys with some bytes before each.
    package func prefixed(by prefix: [UInt8]) -> KeyBounds {
        KeyBounds(
            prefix + first, end.map { prefix + $0 } ?? prefix.afterPrefix, isReversed: isReversed,
            wholePrefix.map { prefix + $0 })
    }

    private init(_ first: [UInt8], _ end: [UInt8]?, isReversed: Bool, _ wholePrefix: [UInt8]?) {
        self.first = first
        self.end = end
        self.isReversed = isReversed
        self.wholePrefix = wholePrefix
    }

    /// The same keys from the other end.
    package var reversed: KeyBounds { KeyBounds(first, end, isReversed: !isReversed, wholePrefix) }
}
