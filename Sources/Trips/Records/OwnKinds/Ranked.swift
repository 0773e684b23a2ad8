import Events
import Foundation

/// An entity that has a place in an order by hand.
public protocol Ranked: OwnEntity {
    /// Nil behind all that have one, in the order of creation.
    var rank: Rank? { get set }
}

extension Ranked {
    /// The edit that gives an entity a rank.
    package static func ranked(_ id: ID, _ rank: Rank) -> TripEvent {
        var blank = Self(id: id)
        let original = blank
        blank.rank = rank
        return TripEvent.edited(from: original, to: blank) ?? TripEvent(.edited, id)
    }
}

extension Sequence where Element: Ranked {
    /// The elements with ranks by these, then the others by their creation. O(n · log n).
    public func inOrder() -> [Element] {
        sorted { a, b in
            switch (a.rank, b.rank) {
            case (let first?, let second?) where first != second: return first < second
            case (.some, nil): return true
            case (nil, .some): return false
            default: break
            }
            let (first, second) = (a.createdAt ?? .distantFuture, b.createdAt ?? .distantFuture)
            return first == second ? a.id < b.id : first < second
        }
    }
}

extension Array where Element: Ranked {
    /// The ranks that put an element of an ordered list elsewhere, by ids: those of as few others as possible. An index beyond the end is
    /// the end. Empty if the element is not in the list, or is there already. O(n).
    package func ranks(
        moving id: Element.ID, to index: Int, using generator: inout some RandomNumberGenerator
    ) -> [(id: Element.ID, rank: Rank)] {
        guard let old = firstIndex(where: { $0.id == id }) else { return [] }
        var moved = self
        let element = moved.remove(at: old)
        let new = Swift.max(0, Swift.min(index, moved.count))
        guard new != old else { return [] }
        moved.insert(element, at: new)
        // Those behind the last with a rank stay without: they are in the order of creation.
        let last = Swift.max(new, moved.lastIndex { $0.rank != nil && $0.id != id } ?? 0)
        let ranked = moved[...last]
        let known = ranked.map { $0.id == id ? nil : $0.rank }
        return zip(ranked, Rank.ascending(known, using: &generator)).compactMap { element, rank in
            element.rank == rank ? nil : (element.id, rank)
        }
    }
}
