import Events
import Foundation
import LMDB
package import ProjectionEngine
package import Trips

/// Finds the entities that have what a question asks for, by the rows of `SearchWords`.
///
/// The lists of all words are walked in turn, twice as far each time, until the first one ends: the shortest, which has every entity that may be
/// found. The lists of other words that are not much longer are walked to their ends and intersected with it. What is left is compared
/// with the rows of its entities: words with far longer lists, and phrases. Of these the lists tell no more than the most that an entity may
/// count, so that a page compares the entities alone that may be on it.
package struct SearchIndex {
    /// The most rows that are walked for one question until a list ends. A question whose words all begin more than that is answered from the
    /// tokens that come first, the whole words among them.
    package static let mostRows = 200_000

    private static let firstStep = 128
    /// How much longer than what was found a list may be to be walked to its end, which takes less time for a row than to read an entity's.
    private static let reach = 4

    /// The most that a term may count.
    private static let highestScore = Int32(SearchQuestion.score(ofFields: .max, isWhole: true))

    private let question: SearchQuestion
    private let kinds: [ConcreteKind]
    private let mostRows: Int
    private var lists: [WordList] = []
    private var scorer: SearchScorer

    /// `kinds` are those that are looked for; empty for all.
    package init(_ question: SearchQuestion, kinds: [ConcreteKind] = [], mostRows: Int = SearchIndex.mostRows) {
        self.question = question
        self.kinds = kinds
        self.mostRows = mostRows
        scorer = SearchScorer(question)
    }

    /// The entities that may have all that is asked for, whether they are hidden or not, in the order of their ids; and whether these are all.
    ///
    /// What is not settled is so by `settle`. A live query runs again when a row of one of the words changes, or where words of a phrase that
    /// was settled are moved.
    package mutating func candidates(
        in views: borrowing ViewSnapshot
    ) throws -> (found: [SearchCandidate], isComplete: Bool) {
        guard !question.isEmpty else { return ([], true) }
        lists = try question.terms.enumerated().flatMap { number, term in
            try term.words.map { try WordList($0, term: number, in: views) }
        }
        let (shortest, isComplete) = try walkToShortest()
        var found = try lists[shortest].finish()
        // Of a list that was cut an entity may have a better token behind the cut.
        if !isComplete { for index in found.indices { found[index].score = Self.highestScore } }
        let first = lists[shortest].term
        for other in lists.indices where other != shortest && lists[other].term == first {
            if let list = try finished(other, beside: found) { found = found.intersection(with: list, min) }
        }
        var isSettled = isComplete && question.terms[first].words.count == 1
        for (term, words) in question.terms.enumerated() where term != first {
            var ofTerm: [SearchCandidate]?
            for index in lists.indices where lists[index].term == term {
                guard let list = try finished(index, beside: found) else { continue }
                ofTerm = ofTerm?.intersection(with: list, min) ?? list
            }
            isSettled = isSettled && ofTerm != nil && words.words.count == 1
            if let ofTerm {
                found = found.intersection(with: ofTerm, +)
            } else {
                for index in found.indices { found[index].score += Self.highestScore }
            }
        }
        if !isSettled { for index in found.indices { found[index].isSettled = false } }
        return (found, isComplete)
    }

    /// All that the list of a word has; nil if it is far longer than what was found.
    private mutating func finished(_ index: Int, beside found: [SearchCandidate]) throws -> [SearchCandidate]? {
        let allowed = found.count * Self.reach + 1_024
        if !lists[index].isAtEnd, lists[index].rowCount < allowed {
            try lists[index].walk(allowed - lists[index].rowCount, kinds)
        }
        return lists[index].isAtEnd ? try lists[index].finish() : nil
    }

    /// The list that ends first; or, if none ends within the bound, that of the longest word.
    private mutating func walkToShortest() throws -> (index: Int, isComplete: Bool) {
        var step = Self.firstStep
        var rows = 0
        while rows < mostRows {
            for index in lists.indices {
                let before = lists[index].rowCount
                try lists[index].walk(min(step, max(1, mostRows - rows)), kinds)
                rows += lists[index].rowCount - before
                if lists[index].isAtEnd { return (index, true) }
            }
            step *= 2
        }
        let longest = lists.indices.max { lists[$0].word.bytes.count < lists[$1].word.bytes.count } ?? 0
        return (longest, false)
    }

    /// What an entity counts; nil if it lacks something. O(its words).
    package mutating func settle(_ candidate: SearchCandidate, in views: borrowing ViewSnapshot) throws -> Int? {
        // A row of a word changes with every other change that makes a difference.
        let hasPhrase = question.terms.contains { $0.words.count > 1 }
        let lookup =
            try hasPhrase
            ? views.lookup(in: SearchWords.viewName) : views.unrecorded().lookup(in: SearchWords.viewName)
        return try SearchWords.withWords(of: candidate.entity, in: lookup) { scorer.score(of: $0) }
    }
}

/// The rows of the tokens that a word finds, as far as they were walked.
private struct WordList {
    let word: SearchQuestion.Word
    /// Which of the question's it belongs to.
    let term: Int
    private let scan: RowScan
    private var found: [SearchCandidate] = []
    private var isSorted = true
    private(set) var isAtEnd = false
    private(set) var rowCount = 0

    init(_ word: SearchQuestion.Word, term: Int, in views: borrowing ViewSnapshot) throws {
        self.word = word
        self.term = term
        let prefix = SearchWords.prefix(word)
        views.depend(onPrefix: prefix, of: SearchWords.viewName)
        scan = try views.unrecorded().scan(SearchWords.viewName, KeyBounds(prefix: prefix))
    }

    /// Walks that many more rows.
    mutating func walk(_ count: Int, _ kinds: [ConcreteKind]) throws {
        let (length, isCharacter) = (word.bytes.count, word.isCharacter)
        var (found, isSorted, rows) = (found, isSorted, 0)
        self.found = []
        // Growing by itself it would copy what it has several times, into memory that is new each time.
        found.reserveCapacity(found.count + count)
        // Most rows have the fields of the one before.
        var (fields, weight): (UInt16, Int) = (0, 0)
        try scan.forEachRow(atMost: count) { row in
            rows += 1
            // The mark, the token, 0, the entity. All tokens begin with the word, by the bounds of the scan.
            let tokenLength = row.key.count - 20
            guard tokenLength >= length, row.value.count == 2 else { return true }
            let mask = row.value.bigEndian(UInt16.self)
            if mask != fields { (fields, weight) = (mask, SearchQuestion.score(ofFields: mask, isWhole: false)) }
            let isWhole = tokenLength == length || isCharacter
            let candidate = SearchCandidate(row.key, score: isWhole ? 2 * weight : weight)
            if !kinds.isEmpty {
                let entity = candidate.entity
                guard kinds.contains(where: { $0.covers(entity) }) else { return true }
            }
            if isSorted, let last = found.last, !last.isBefore(candidate) { isSorted = false }
            found.append(candidate)
            return true
        }
        (self.found, self.isSorted, rowCount) = (found, isSorted, rowCount + rows)
        isAtEnd = scan.isAtEnd
    }

    /// What was found, in the order of entities.
    mutating func finish() throws -> [SearchCandidate] {
        if !isSorted { found.sortAndJoin() }
        isSorted = true
        return found
    }
}
