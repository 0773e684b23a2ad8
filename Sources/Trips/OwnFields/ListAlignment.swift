/// Where the elements of a new state of a list come from, of which only the old and the new state are known.
struct ListAlignment {
    enum Source: Equatable {
        /// It stays where it was, by its old index, or something else is put in its place.
        case kept(Int, isReplaced: Bool)
        /// It was elsewhere, by its old index.
        case moved(Int)
        case inserted

        /// The old index.
        var index: Int? {
            switch self {
            case .kept(let index, _), .moved(let index): index
            case .inserted: nil
            }
        }
    }

    /// Of each element of the new state.
    private(set) var sources: [Source]
    /// The old indexes of what is gone.
    private(set) var removed: [Int]

    /// O(n · changes), by the algorithm of Myers, "An O(ND) difference algorithm and its variations" (1986), as the standard library
    /// has it.
    init<Element: Hashable>(from old: [Element], to new: [Element]) {
        let difference = new.difference(from: old).inferringMoves()
        var moves: [Int: Int] = [:]
        var isInserted = [Bool](repeating: false, count: new.count)
        for case .insert(let offset, _, let origin) in difference.insertions {
            isInserted[offset] = true
            if let origin { moves[offset] = origin }
        }
        var isTaken = [Bool](repeating: false, count: old.count)
        var isRemoved = [Bool](repeating: false, count: old.count)
        for case .remove(let offset, _, let target) in difference.removals {
            isTaken[offset] = true
            if target == nil { isRemoved[offset] = true }
        }
        sources = []
        sources.reserveCapacity(new.count)
        // Those that stay are in the same order in both states. What is gone before one of them makes room for what is new before it.
        var next = 0
        for offset in new.indices {
            if let origin = moves[offset] {
                sources.append(.moved(origin))
                continue
            }
            if isInserted[offset] {
                // The first that is gone before the next that stays.
                var candidate = next
                while candidate < old.count, isTaken[candidate], !isRemoved[candidate] { candidate += 1 }
                if candidate < old.count, isRemoved[candidate] {
                    isRemoved[candidate] = false
                    next = candidate + 1
                    sources.append(.kept(candidate, isReplaced: true))
                } else {
                    sources.append(.inserted)
                }
                continue
            }
            while next < old.count, isTaken[next] { next += 1 }
            sources.append(.kept(next, isReplaced: false))
            next += 1
        }
        removed = old.indices.filter { isRemoved[$0] }
    }
}
