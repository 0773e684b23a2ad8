package import Events
import Foundation

/// An entity that has all that a question asks for, and what it counts.
package struct SearchCandidate: Sendable, BitwiseCopyable {
    /// The id as two numbers, for comparisons.
    private let high: UInt64
    private let low: UInt64
    private let kind: UInt16
    /// Whether the score is what the entity counts, and it has all that is asked for. Else it may count less, or lack something.
    package var isSettled = true
    package var score: Int32

    package init(_ entity: EntityReference, score: Int) {
        let bytes = entity.id.uuid
        (high, low) = withUnsafeBytes(of: bytes) { ($0.bigEndian(UInt64.self), $0.bigEndian(UInt64.self, at: 8)) }
        kind = entity.kind.rawValue
        self.score = Int32(clamping: score)
    }

    /// From the last 18 bytes of a key.
    @inline(__always)
    init(_ key: UnsafeRawBufferPointer, score: Int) {
        let start = key.count - 18
        high = key.bigEndian(UInt64.self, at: start)
        low = key.bigEndian(UInt64.self, at: start + 8)
        kind = key.bigEndian(UInt16.self, at: start + 16)
        self.score = Int32(truncatingIfNeeded: score)
    }

    package var entity: EntityReference {
        let id = withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { $0.uuid() }
        return EntityReference(kind: EntityKind(rawValue: kind), id: id)
    }

    /// By id, then kind.
    @inline(__always)
    package func isBefore(_ other: SearchCandidate) -> Bool {
        if high != other.high { return high < other.high }
        if low != other.low { return low < other.low }
        return kind < other.kind
    }

    @inline(__always)
    package func isSameEntity(as other: SearchCandidate) -> Bool {
        high == other.high && low == other.low && kind == other.kind
    }

    /// Whether it comes first in results: what counts more, and at the same count the lesser id.
    package func ranksBefore(_ other: SearchCandidate) -> Bool {
        score == other.score ? isBefore(other) : score > other.score
    }
}

extension [SearchCandidate] {
    /// In the order of entities, each once with the highest of its scores.
    mutating func sortAndJoin() {
        sort { $0.isBefore($1) }
        guard !isEmpty else { return }
        var end = 1
        for index in 1..<count {
            if self[index].isSameEntity(as: self[end - 1]) {
                self[end - 1].score = Swift.max(self[end - 1].score, self[index].score)
            } else {
                self[end] = self[index]
                end += 1
            }
        }
        removeLast(count - end)
    }

    /// Keeps those with a score above 0 in a list of as many, each with what `combine` makes of its own and that.
    mutating func keep(_ scores: [Int32], _ combine: (Int32, Int32) -> Int32) {
        var end = 0
        for (index, score) in scores.enumerated() where score > 0 {
            self[end] = self[index]
            self[end].score = combine(self[end].score, score)
            end += 1
        }
        removeLast(count - end)
    }
}

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
