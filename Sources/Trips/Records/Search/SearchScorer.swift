/// Says what entities count by the rows of their words, one after another; it keeps its memory from one to the next.
package struct SearchScorer {
    private let question: SearchQuestion
    /// Whether a word begins with a byte: most tokens are passed over by their first.
    private var begins = [Bool](repeating: false, count: 256)
    /// What the terms with a single word count.
    private var best: [Int]
    /// By term; nil of those with a single word.
    private var phrases: [PhrasePlaces?]

    package init(_ question: SearchQuestion) {
        self.question = question
        best = Array(repeating: 0, count: question.terms.count)
        phrases = question.terms.map { $0.words.count > 1 ? PhrasePlaces($0) : nil }
        for word in question.terms.flatMap(\.words) { if let first = word.bytes.first { begins[Int(first)] = true } }
    }

    /// What an entity with these words counts; nil if it lacks one of the terms.
    ///
    /// Each term counts the weight of the best field that has it, twice if it is there as a whole. So it depends on the entity and the
    /// question alone, and on no other entity. O(bytes of the row · words).
    package mutating func score(of row: UnsafeRawBufferPointer) -> Int? {
        for term in best.indices { best[term] = 0 }
        EntityWords.forEachToken(in: row) { token in
            guard let first = token.bytes.first, begins[Int(first)] else { return }
            for term in question.terms.indices {
                let words = question.terms[term].words
                for word in words.indices {
                    guard let isWhole = words[word].match(token.bytes) else { continue }
                    if phrases[term] != nil {
                        phrases[term]?.add(token, word, isWhole)
                    } else {
                        best[term] = max(best[term], SearchQuestion.score(ofFields: token.fields, isWhole: isWhole))
                    }
                }
            }
        }
        var sum: Int? = 0
        for term in best.indices {
            // All phrases, so that nothing of this entity is left in them.
            let score = phrases[term] == nil ? best[term] : phrases[term]?.finish() ?? 0
            sum = score == 0 ? nil : sum.map { $0 + score }
        }
        return sum
    }
}

/// Where the words of a phrase stand in an entity.
private struct PhrasePlaces {
    private struct Start {
        let position: Int
        let fields: UInt16
    }

    /// What is known of a position: a bit for each word that stands there, and for each that stands there as a whole.
    private struct Place {
        var words: UInt64 = 0
        var wholes: UInt64 = 0
    }

    private let offsets: [Int]
    private var starts: [Start] = []
    private var places: [Place] = []
    private var marked: [Int] = []

    init(_ term: SearchQuestion.Term) { offsets = term.words.map(\.offset) }

    mutating func add(_ token: EntityWords.Token, _ word: Int, _ isWhole: Bool) {
        token.forEachPlace { position, fields in
            if word == 0 { starts.append(Start(position: position, fields: fields)) }
            if position >= places.count {
                places += repeatElement(Place(), count: position + 1 - places.count)
            }
            // A question has at most 64 words.
            let bit: UInt64 = 1 << UInt64(word)
            if places[position].words == 0 { marked.append(position) }
            places[position].words |= bit
            if isWhole { places[position].wholes |= bit }
        }
    }

    /// What the phrase counts, 0 if it is not there; then nothing is known of any place. O(places of its words).
    mutating func finish() -> Int {
        var best = 0
        for start in starts {
            var isWhole = true
            let follows = offsets.indices.allSatisfy { word in
                let position = start.position + offsets[word]
                let bit: UInt64 = 1 << UInt64(word)
                guard position < places.count, places[position].words & bit != 0 else { return false }
                isWhole = isWhole && places[position].wholes & bit != 0
                return true
            }
            if follows { best = max(best, SearchQuestion.score(ofFields: start.fields, isWhole: isWhole)) }
        }
        for position in marked { places[position] = Place() }
        marked.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
        return best
    }
}

extension SearchQuestion {
    /// What a term with a single word counts.
    @inline(__always)
    package static func score(ofFields fields: UInt16, isWhole: Bool) -> Int {
        SearchField.weight(ofMask: fields) * (isWhole ? 2 : 1)
    }

    /// What an entity with these words counts: see `SearchScorer`, which is quicker for many.
    package func score(of row: UnsafeRawBufferPointer) -> Int? {
        var scorer = SearchScorer(self)
        return scorer.score(of: row)
    }
}
