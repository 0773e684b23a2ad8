package import ProjectionEngine
package import Trips

/// Finds the entities that have what a question asks for, by the rows of `SearchWords`.
///
/// The lists of all words are walked in turn, twice as far each time, until the first one ends: the shortest, which has every entity that may be
/// found. Lists of other words are walked to their ends and compared with it, unless they are far longer. What is left is compared
/// with the rows of its entities: words with such lists, and phrases. Of these the lists tell no more than the most that an entity may
/// count, so that a page compares the entities alone that may be on it.
package struct SearchIndex {
    /// The most rows that are walked for one question until a list ends. A question whose words all begin more than that is answered from the
    /// tokens that come first, the whole words among them.
    package static let mostRows = 200_000

    private static let firstStep = 128
    /// How many rows of lists are walked for each entity that was found, before entities' rows are read: one of these takes as long as some 40
    /// rows of a list. With 4 two words took 2.8 times as long among 200,000 entities.
    package static let reach = 40

    /// The most that a term may count.
    private static let highestScore = Int32(SearchQuestion.score(ofFields: .max, isWhole: true))

    private let question: SearchQuestion
    private let kinds: [ConcreteKind]
    private let mostRows: Int
    private let reach: Int
    /// How many rows may still be walked beside what was found.
    private var allowance = 0
    private var lists: [WordList] = []
    private var scorer: SearchScorer

    /// `kinds` are those that are looked for; empty for all.
    package init(
        _ question: SearchQuestion, kinds: [ConcreteKind] = [], mostRows: Int = SearchIndex.mostRows,
        reach: Int = SearchIndex.reach
    ) {
        self.question = question
        self.kinds = kinds
        self.mostRows = mostRows
        self.reach = reach
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
        guard !found.isEmpty else { return ([], isComplete) }
        allowance = (found.count + 32) * reach
        let first = lists[shortest].term
        for other in lists.indices where other != shortest && lists[other].term == first {
            if let scores = try scores(of: found, in: other) { found.keep(scores, min) }
        }
        var isSettled = isComplete && question.terms[first].words.count == 1
        for (term, words) in question.terms.enumerated() where term != first {
            var ofTerm: [Int32]?
            for index in lists.indices where lists[index].term == term {
                guard let scores = try scores(of: found, in: index) else { continue }
                ofTerm = ofTerm.map { zip($0, scores).map { min($0, $1) } } ?? scores
            }
            isSettled = isSettled && ofTerm != nil && words.words.count == 1
            if let ofTerm {
                found.keep(ofTerm, +)
            } else {
                for index in found.indices { found[index].score += Self.highestScore }
            }
        }
        if !isSettled { for index in found.indices { found[index].isSettled = false } }
        return (found, isComplete)
    }

    /// What the list of a word counts for what was found, 0 where it lacks it; nil if the list is far longer. Once for each list.
    private mutating func scores(of found: [SearchCandidate], in index: Int) throws -> [Int32]? {
        let before = lists[index].rowCount
        let scores = try lists[index].scores(of: found, walking: allowance)
        allowance -= lists[index].rowCount - before
        return scores
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
