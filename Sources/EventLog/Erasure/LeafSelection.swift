import Events

/// Leaves of a payload, also where it is not known how many it has: some, or all but some.
enum LeafSelection: Hashable, Sendable {
    case only(LeafSet)
    case allBut(LeafSet)

    static let none = LeafSelection.only(LeafSet([]))
    static let all = LeafSelection.allBut(LeafSet([]))

    init(_ leaves: ErasedLeaves?) {
        self =
            switch leaves {
            case nil: .none
            case .all?: .all
            case .some(let leaves)?: .only(leaves)
            }
    }

    var isEmpty: Bool { self == .none }

    func union(_ other: LeafSelection) -> LeafSelection {
        switch (self, other) {
        case (.only(let one), .only(let two)): .only(one.union(two))
        case (.only(let one), .allBut(let two)), (.allBut(let two), .only(let one)): .allBut(two.subtracting(one))
        case (.allBut(let one), .allBut(let two)): .allBut(one.intersection(two))
        }
    }

    func subtracting(_ other: LeafSelection) -> LeafSelection {
        switch (self, other) {
        case (.only(let one), .only(let two)): .only(one.subtracting(two))
        case (.only(let one), .allBut(let two)): .only(one.intersection(two))
        case (.allBut(let one), .only(let two)): .allBut(one.union(two))
        case (.allBut(let one), .allBut(let two)): .only(two.subtracting(one))
        }
    }

    func intersection(_ other: LeafSelection) -> LeafSelection {
        switch (self, other) {
        case (.only(let one), .only(let two)): .only(one.intersection(two))
        case (.only(let one), .allBut(let two)), (.allBut(let two), .only(let one)): .only(one.subtracting(two))
        case (.allBut(let one), .allBut(let two)): .allBut(one.union(two))
        }
    }

    /// Whether an event is among them, by its index in its commit. O(log of those that are named).
    func contains(event index: Int) -> Bool {
        let leaf = UInt32(clamping: index + 1)
        return switch self {
        case .only(let leaves): leaves.contains(leaf)
        case .allBut(let leaves): !leaves.contains(leaf)
        }
    }

    func isSubset(of other: LeafSelection) -> Bool { subtracting(other).isEmpty }

    /// The selected leaves of a commit with that many. All of them together are the payload as a whole, if they were
    /// named so; a count that is not known is that of a payload of which nothing is left.
    func leaves(of leafCount: Int?) -> ErasedLeaves {
        switch self {
        case .only(let leaves): return leafCount.map { ErasedLeaves.some(leaves).within($0) } ?? .some(leaves)
        case .allBut(let leaves):
            guard let leafCount, let first = leaves.leaves.first, first < leafCount else { return .all }
            return .some(LeafSet(0..<UInt32(clamping: leafCount)).subtracting(leaves))
        }
    }
}
