import Events

/// A position in an order that people make by hand.
///
/// Between any two ranks there is room for another, and ranks that replicas make concurrently at one position are
/// nearly never equal: both insertions are kept. Ranks are compared, and otherwise mean nothing. See `ListRank` for the
/// scheme.
public struct Rank: Hashable, Comparable, Sendable {
    private let rank: ListRank

    private init(_ rank: ListRank) { self.rank = rank }

    public static func < (a: Rank, b: Rank) -> Bool { a.rank < b.rank }

    /// A rank between two; nil stands for the begin and the end of the order. If `upper` does not come after `lower`, the rank comes after
    /// `lower`.
    public static func between(_ lower: Rank?, _ upper: Rank?) -> Rank {
        var generator = SystemRandomNumberGenerator()
        return between(lower, upper, using: &generator)
    }

    /// A rank between two, made with the caller's randomness.
    package static func between(
        _ lower: Rank?, _ upper: Rank?, using generator: inout some RandomNumberGenerator
    ) -> Rank {
        let found = ListRank.run(1, after: lower?.rank, before: upper?.rank, using: &generator)
        return Rank(found.first ?? ListRank(bytes: [0x80]))
    }

    /// Ascending ranks for things in a wanted order, of which some have one: as few as possible get another. O(n · log n).
    package static func ascending(_ known: [Rank?]) -> [Rank] {
        var generator = SystemRandomNumberGenerator()
        return ascending(known, using: &generator)
    }

    /// Ascending ranks for things in a wanted order, made with the caller's randomness.
    package static func ascending(_ known: [Rank?], using generator: inout some RandomNumberGenerator) -> [Rank] {
        // Those of a longest ascending sequence stay: a thing that was moved to the front does not take all others with it.
        let staying = zip(known, ListAlignment.longestIncreasing(known)).map { rank, stays in stays ? rank?.rank : nil }
        return ListRank.completed(staying, using: &generator).map { Rank($0) }
    }
}

extension Rank: FieldValue {
    static var form: FieldForm { .data }

    init(encoded bytes: UnsafeRawBufferPointer, strictly: Bool) { rank = ListRank(encoded: bytes, strictly: strictly) }

    var encodedValue: [UInt8]? { rank.bytes.isEmpty ? nil : rank.bytes }
    var text: String { rank.text }

    func checkRules() throws(ValidationError) {
        guard rank.bytes.count > ListRank.longest + 8 else { return }
        throw ValidationError(
            .tooLong,
            "The rank has \(rank.bytes.count) bytes, more than \(ListRank.longest + 8). Make ranks anew with ascending(_:)."
        )
    }
}
