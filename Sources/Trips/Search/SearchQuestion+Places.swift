extension SearchQuestion {
    /// Where the terms stand in a text, from its beginning on, none over another. Of a word whose beginning was asked for the whole of it.
    package func places(in text: String) -> [Range<String.Index>] {
        let found = TextTokens(of: text)
        var places: [Range<Int>] = []
        for term in terms {
            for start in found.tokens {
                if let place = Self.place(of: term, from: start, found) { places.append(place) }
            }
        }
        places.sort { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
        var joined: [Range<Int>] = []
        for place in places {
            if let last = joined.last, place.lowerBound < last.upperBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, place.upperBound)
            } else {
                joined.append(place)
            }
        }
        let utf8 = text.utf8
        return joined.map {
            utf8.index(utf8.startIndex, offsetBy: $0.lowerBound)..<utf8.index(utf8.startIndex, offsetBy: $0.upperBound)
        }
    }

    private static func place(
        of term: Term, from start: TextTokens.Token, _ found: TextTokens
    ) -> Range<Int>? {
        var end = start.place.lowerBound
        for word in term.words {
            // Each token has the position after the one before it.
            let index = start.position + word.offset
            guard found.tokens.indices.contains(index) else { return nil }
            let token = found.tokens[index]
            let isFound = found.bytes(of: token).withUnsafeBytes { word.match($0) != nil }
            guard isFound else { return nil }
            // A pair of characters is found by the first one, too.
            end = max(end, word.isCharacter ? token.firstEnd : token.place.upperBound)
        }
        return start.place.lowerBound..<end
    }
}
