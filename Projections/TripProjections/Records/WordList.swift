import Events
import ProjectionEngine
import Trips

/// The rows of the tokens that a word finds, as far as they were walked.
struct WordList {
    let word: SearchQuestion.Word
    /// Which of the question's it belongs to.
    let term: Int
    private let scan: RowScan
    private var found: [SearchCandidate] = []
    private var isSorted = true
    private var reader: CandidateReader
    private(set) var isAtEnd = false
    private(set) var rowCount = 0

    init(_ word: SearchQuestion.Word, term: Int, in views: borrowing ViewSnapshot) throws {
        self.word = word
        self.term = term
        reader = CandidateReader(word)
        let prefix = SearchWords.prefix(word)
        views.depend(onPrefix: prefix, of: SearchWords.viewName)
        scan = try views.unrecorded().scan(SearchWords.viewName, KeyBounds(prefix: prefix))
    }

    /// Walks that many more rows.
    mutating func walk(_ count: Int, _ kinds: [ConcreteKind]) throws {
        var (found, isSorted, reader, walked) = (found, isSorted, reader, 0)
        self.found = []
        // Growing by itself it would copy what it has several times, into memory that is new each time.
        found.reserveCapacity(found.count + count)
        var last = found.last
        try scan.forEachRow(atMost: count) { row in
            walked += 1
            guard let candidate = reader.candidate(row) else { return true }
            if !kinds.isEmpty {
                let entity = candidate.entity
                guard kinds.contains(where: { $0.covers(entity) }) else { return true }
            }
            if isSorted, let last, !last.isBefore(candidate) { isSorted = false }
            last = candidate
            found.append(candidate)
            return true
        }
        (self.found, self.isSorted, self.reader, rowCount) = (found, isSorted, reader, rowCount + walked)
        isAtEnd = scan.isAtEnd
    }

    /// What was found, in the order of entities.
    mutating func finish() throws -> [SearchCandidate] {
        if !isSorted { found.sortAndJoin() }
        isSorted = true
        return found
    }

    /// What the word counts for each of some candidates, which are in the order of entities, 0 where one lacks it; nil if there are more than
    /// `limit` rows that were not walked before. These are not kept: it can be called once. O(rows + candidates), and a logarithm more
    /// for rows of many tokens.
    mutating func scores(of candidates: [SearchCandidate], walking limit: Int) throws -> [Int32]? {
        var scores = CandidateScores(of: candidates)
        if !isAtEnd {
            guard limit > 0 else { return nil }
            var (reader, walked) = (reader, 0)
            try scan.forEachRow(atMost: limit) { row in
                walked += 1
                if let candidate = reader.candidate(row) { scores.add(candidate) }
                return true
            }
            rowCount += walked
            guard scan.isAtEnd else { return nil }
        }
        for candidate in found { scores.add(candidate) }
        return scores.scores
    }
}

/// Makes candidates of the rows of a word.
private struct CandidateReader {
    private let length: Int
    private let isCharacter: Bool
    // Most rows have the fields of the one before.
    private var fields: UInt16 = 0
    private var weight = 0

    init(_ word: SearchQuestion.Word) { (length, isCharacter) = (word.bytes.count, word.isCharacter) }

    /// Nil if the row is not a token's. All tokens begin with the word, by the bounds of the scan.
    @inline(__always)
    mutating func candidate(_ row: RowScan.Row) -> SearchCandidate? {
        // The mark, the token, 0, the entity.
        let tokenLength = row.key.count - 20
        guard tokenLength >= length, row.value.count == 2 else { return nil }
        let mask = row.value.bigEndian(UInt16.self)
        if mask != fields { (fields, weight) = (mask, SearchQuestion.score(ofFields: mask, isWhole: false)) }
        return SearchCandidate(row.key, score: tokenLength == length || isCharacter ? 2 * weight : weight)
    }
}
