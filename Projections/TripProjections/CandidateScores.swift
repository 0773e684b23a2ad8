/// The highest scores of some candidates among others that come in any order, quickest in that of entities.
struct CandidateScores {
    private let candidates: [SearchCandidate]
    private(set) var scores: [Int32]
    /// The first candidate that is not before the last one added.
    private var place = 0
    private var last: SearchCandidate?

    init(of candidates: [SearchCandidate]) {
        self.candidates = candidates
        scores = [Int32](repeating: 0, count: candidates.count)
    }

    @inline(__always)
    mutating func add(_ other: SearchCandidate) {
        // The rows of another token begin with the first entity again.
        if let last, other.isBefore(last) { place = 0 }
        last = other
        if place < candidates.count, candidates[place].isBefore(other) { advance(to: other) }
        guard place < candidates.count, candidates[place].isSameEntity(as: other) else { return }
        scores[place] = max(scores[place], other.score)
    }

    /// In steps that double, then halve: a token has a few of many candidates, or many.
    private mutating func advance(to other: SearchCandidate) {
        var (low, step) = (place + 1, 1)
        while low + step <= candidates.count, candidates[low + step - 1].isBefore(other) {
            low += step
            step *= 2
        }
        var high = min(low + step - 1, candidates.count)
        while low < high {
            let middle = (low + high) / 2
            if candidates[middle].isBefore(other) { low = middle + 1 } else { high = middle }
        }
        place = low
    }
}
