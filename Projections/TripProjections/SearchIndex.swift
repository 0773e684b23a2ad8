import Events
import Foundation
import LMDB
package import ProjectionEngine
package import Trips

/// Finds the entities that have what a question asks for, by the rows of `SearchWords`.
///
/// The lists of all words are walked in turn, twice as far each time, until the first one ends: the shortest, which has every entity that may be
/// found. The lists of other words that are not much longer are walked to their ends and intersected with it. What is left is compared
/// with the rows of its entities: words with far longer lists, and phrases.
package struct SearchIndex {
    /// The most rows that are walked for one question until a list ends. A question whose words all begin more than that is answered from the
    /// tokens that come first, the whole words among them.
    package static let mostRows = 200_000

    private static let firstStep = 128
    /// How much longer than what was found a list may be to be walked to its end, which takes less time for a row than to read an entity's.
    private static let reach = 4

    private let question: SearchQuestion
    private let kinds: [ConcreteKind]
    private let mostRows: Int
    private var lists: [WordList] = []

    /// `kinds` are those that are looked for; empty for all.
    package init(_ question: SearchQuestion, kinds: [ConcreteKind] = [], mostRows: Int = SearchIndex.mostRows) {
        self.question = question
        self.kinds = kinds
        self.mostRows = mostRows
    }

    /// The entities with all that is asked for, whether they are hidden or not, in no certain order; and whether these are all.
    ///
    /// A live query runs again when a row of one of the words changes, or where words of a phrase are moved.
    package mutating func candidates(
        in views: borrowing ViewSnapshot
    ) throws -> (found: [SearchCandidate], isComplete: Bool) {
        guard !question.isEmpty else { return ([], true) }
        lists = try question.terms.flatMap { term in
            try term.words.map { try WordList($0, isPhrase: term.words.count > 1, in: views) }
        }
        let (shortest, isComplete) = try walkToShortest()
        var found = try lists[shortest].finish()
        var isSettled = !lists[shortest].isPhrase
        for index in lists.indices where index != shortest {
            let allowed = found.count * Self.reach + 1_024
            while !lists[index].isAtEnd, lists[index].rowCount < allowed {
                try lists[index].walk(allowed - lists[index].rowCount, kinds)
            }
            isSettled = isSettled && lists[index].isAtEnd && !lists[index].isPhrase
            if lists[index].isAtEnd { found = found.intersection(with: try lists[index].finish()) }
        }
        if !isSettled { found = try settled(found, in: views) }
        return (found, isComplete)
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

    /// Those whose rows have all that is asked for.
    private func settled(
        _ candidates: [SearchCandidate], in views: borrowing ViewSnapshot
    ) throws -> [SearchCandidate] {
        // A row of a word changes with every other change that makes a difference.
        let lookup =
            question.terms.contains { $0.words.count > 1 }
            ? try views.lookup(in: SearchWords.viewName)
            : try views.unrecorded().lookup(in: SearchWords.viewName)
        var found: [SearchCandidate] = []
        for candidate in candidates {
            let score = try SearchWords.withWords(of: candidate.entity, in: lookup) { question.score(of: $0) }
            guard let score else { continue }
            var settled = candidate
            settled.score = Int32(clamping: score)
            found.append(settled)
        }
        return found
    }
}

/// The rows of the tokens that a word finds, as far as they were walked.
private struct WordList {
    let word: SearchQuestion.Word
    let isPhrase: Bool
    private let scan: RowScan
    private var found: [SearchCandidate] = []
    private var isSorted = true
    private(set) var isAtEnd = false
    private(set) var rowCount = 0

    init(_ word: SearchQuestion.Word, isPhrase: Bool, in views: borrowing ViewSnapshot) throws {
        self.word = word
        self.isPhrase = isPhrase
        let prefix = SearchWords.prefix(word)
        views.depend(onPrefix: prefix, of: SearchWords.viewName)
        scan = try views.unrecorded().scan(SearchWords.viewName, KeyBounds(prefix: prefix))
    }

    /// Walks that many more rows.
    mutating func walk(_ count: Int, _ kinds: [ConcreteKind]) throws {
        for _ in 0..<count {
            guard let row = try scan.next() else {
                isAtEnd = true
                return
            }
            rowCount += 1
            // The mark, the token, 0, the entity.
            let tokenEnd = row.key.count - 19
            guard tokenEnd > 1, row.value.count == 2,
                let isWhole = word.match(row.key.part(1..<tokenEnd))
            else { continue }
            let candidate = SearchCandidate(
                row.key,
                score: SearchQuestion.score(ofFields: row.value.bigEndian(UInt16.self), isWhole: isWhole))
            if !kinds.isEmpty {
                let entity = candidate.entity
                guard kinds.contains(where: { $0.covers(entity) }) else { continue }
            }
            if isSorted, let last = found.last, !last.isBefore(candidate) { isSorted = false }
            found.append(candidate)
        }
    }

    /// What was found, in the order of entities.
    mutating func finish() throws -> [SearchCandidate] {
        if !isSorted { found.sortAndJoin() }
        isSorted = true
        return found
    }
}
