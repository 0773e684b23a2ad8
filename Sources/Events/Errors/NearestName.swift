/// The known name that an unknown one is near to.
package enum NearestName {
    /// The nearest of some names; nil if none is near.
    package static func of(_ word: String, in names: [String]) -> String? {
        let near = names.map { ($0, distance(word, $0)) }.min { $0.1 < $1.1 }
        guard let (name, distance) = near, distance <= max(2, word.count / 2) else { return nil }
        return name
    }

    /// How many characters are to be put in, taken out or changed to come from one text to the other (Levenshtein).
    package static func distance(_ a: String, _ b: String) -> Int {
        // A name is short, and of a longer text no more is looked at.
        let (a, b) = (Array(a.prefix(40)), Array(b.prefix(40)))
        var row = Array(0...b.count)
        for (number, character) in a.enumerated() {
            var diagonal = row[0]
            row[0] = number + 1
            for place in b.indices {
                let changed = diagonal + (character == b[place] ? 0 : 1)
                diagonal = row[place + 1]
                row[place + 1] = min(changed, row[place] + 1, diagonal + 1)
            }
        }
        return row[b.count]
    }
}
