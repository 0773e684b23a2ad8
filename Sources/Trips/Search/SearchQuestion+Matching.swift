import Events

extension SearchQuestion {
    /// What an entity with these words counts; nil if it lacks one of the terms.
    ///
    /// Each term counts the weight of the best field that has it, twice if it is there as a whole. So it depends on the entity and the
    /// question alone, and on no other entity. O(bytes of the row · words).
    package func score(of row: UnsafeRawBufferPointer) -> Int? {
        var states = terms.map { TermState($0) }
        EntityWords.forEachToken(in: row) { token in
            for term in terms.indices {
                for word in terms[term].words.indices {
                    guard let isWhole = terms[term].words[word].match(token.bytes) else { continue }
                    states[term].add(token, word, isWhole)
                }
            }
        }
        var sum = 0
        for state in states {
            guard let score = state.score else { return nil }
            sum += score
        }
        return sum
    }

    /// What a term with a single word counts.
    @inline(__always)
    package static func score(ofFields fields: UInt16, isWhole: Bool) -> Int {
        SearchField.weight(ofMask: fields) * (isWhole ? 2 : 1)
    }
}

/// Where the words of a term stand in an entity.
private struct TermState {
    private struct Place {
        let position: Int
        let fields: UInt16
        let isWhole: Bool
    }

    private let term: SearchQuestion.Term
    /// Of a term with a single word.
    private var best = 0
    /// Of the first word of a phrase.
    private var starts: [Place] = []
    /// Of each word of a phrase, by the position, whether it is there as a whole.
    private var places: [[Int: Bool]]

    init(_ term: SearchQuestion.Term) {
        self.term = term
        places = term.words.count > 1 ? Array(repeating: [:], count: term.words.count) : []
    }

    mutating func add(_ token: EntityWords.Token, _ word: Int, _ isWhole: Bool) {
        guard !places.isEmpty else {
            best = max(best, SearchQuestion.score(ofFields: token.fields, isWhole: isWhole))
            return
        }
        token.forEachPlace { position, fields in
            if word == 0 { starts.append(Place(position: position, fields: fields, isWhole: isWhole)) }
            places[word][position] = isWhole
        }
    }

    var score: Int? {
        guard !places.isEmpty else { return best > 0 ? best : nil }
        var best = 0
        for start in starts {
            var isWhole = start.isWhole
            let follows = term.words.indices.dropFirst().allSatisfy { word in
                let position = start.position + term.words[word].offset
                guard let isWholeThere = places[word][position] else { return false }
                isWhole = isWhole && isWholeThere
                return true
            }
            if follows { best = max(best, SearchQuestion.score(ofFields: start.fields, isWhole: isWhole)) }
        }
        return best > 0 ? best : nil
    }
}
