/// Where the elements of a new state of a list come from, of which only the old and the new state are known.
struct ListAlignment {
    enum Source: Equatable {
        /// It stays where it was, by its old index; or another element replaces the one there.
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
    /// The old indexes of the removed elements.
    private(set) var removed: [Int]

    /// Whether both states are the same.
    var isUnchanged: Bool {
        removed.isEmpty
            && sources.allSatisfy { if case .kept(_, isReplaced: false) = $0 { true } else { false } }
    }

    /// Elements that are equal are matched in their order. Of those that are in both states a longest increasing sequence of old indexes
    /// stays, the others were moved. O(n · log n), after Fredman, "On computing the length of longest increasing subsequences" (1975).
    init<Element: Hashable>(from old: [Element], to new: [Element]) {
        // Most edits change little: the common begin and end are left alone.
        let common = min(old.count, new.count)
        let start = (0..<common).first { old[$0] != new[$0] } ?? common
        let tail = (0..<common - start).first { old[old.count - 1 - $0] != new[new.count - 1 - $0] } ?? common - start
        var origins = [Int?](repeating: nil, count: new.count)
        for index in 0..<start { origins[index] = index }
        for index in 0..<tail { origins[new.count - 1 - index] = old.count - 1 - index }
        var unmatched: [Element: ArraySlice<Int>] = [:]
        for index in start..<old.count - tail { unmatched[old[index], default: []].append(index) }
        for index in start..<new.count - tail { origins[index] = unmatched[new[index]]?.popFirst() }

        let staying = Self.longestIncreasing(origins)
        var isMatched = [Bool](repeating: false, count: old.count)
        var isStaying = isMatched
        for (index, origin) in origins.enumerated() {
            guard let origin else { continue }
            isMatched[origin] = true
            isStaying[origin] = staying[index]
        }
        var isRemoved = isMatched.map { !$0 }
        sources = []
        sources.reserveCapacity(new.count)
        // A new element replaces a removed one that stood between the same two that stay.
        var next = 0
        for (index, origin) in origins.enumerated() {
            if let origin {
                sources.append(staying[index] ? .kept(origin, isReplaced: false) : .moved(origin))
                if staying[index] { next = origin + 1 }
                continue
            }
            while next < old.count, !isRemoved[next], !isStaying[next] { next += 1 }
            if next < old.count, isRemoved[next] {
                isRemoved[next] = false
                sources.append(.kept(next, isReplaced: true))
                next += 1
            } else {
                sources.append(.inserted)
            }
        }
        removed = old.indices.filter { isRemoved[$0] }
    }

    /// Whether each value belongs to a longest increasing sequence of them. O(n · log n).
    static func longestIncreasing<Value: Comparable>(_ numbers: [Value?]) -> [Bool] {
        // For each length the index of the least number with which an increasing sequence of that length ends.
        var ends: [Int] = []
        var previous = [Int?](repeating: nil, count: numbers.count)
        for (index, number) in numbers.enumerated() {
            guard let number else { continue }
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]].map({ $0 < number }) ?? true { low = middle + 1 } else { high = middle }
            }
            previous[index] = low > 0 ? ends[low - 1] : nil
            if low < ends.count { ends[low] = index } else { ends.append(index) }
        }
        var belongs = [Bool](repeating: false, count: numbers.count)
        var next = ends.last
        while let index = next {
            belongs[index] = true
            next = previous[index]
        }
        return belongs
    }
}
