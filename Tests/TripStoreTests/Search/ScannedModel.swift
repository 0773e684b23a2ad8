import Events

@testable import TripStore
@testable import Trips

/// What a search finds, written as plainly as can be: the texts of the entities that are there, split into words, and compared one by one. It
/// shares the folding of text with the library, and nothing else.
struct ScannedModel {
    /// A word, or a character of a script without spaces.
    struct Unit: Equatable {
        let text: String
        let isCharacter: Bool
        /// Whether it follows a character of such a script without anything between.
        let isJoined: Bool
    }

    struct Document {
        let entity: EntityReference
        /// The weight and the units of each text.
        let texts: [(weight: Int, units: [Unit])]
    }

    struct Term: Equatable {
        let units: [Unit]
        let endsWithBeginning: Bool
    }

    let documents: [Document]

    /// What is found in a question's order, with what it counts.
    func found(_ question: String) -> [(entity: EntityReference, score: Int)] {
        let terms = Self.terms(question)
        if terms.isEmpty { return [] }
        return documents.compactMap { document -> (entity: EntityReference, score: Int)? in
            var sum = 0
            for term in terms {
                let best = document.texts.map { text in Self.factor(of: term, in: text.units) * text.weight }.max() ?? 0
                if best == 0 { return nil }
                sum += best
            }
            return (document.entity, sum)
        }.sorted { a, b in
            a.score == b.score
                ? a.entity.bytes.lexicographicallyPrecedes(b.entity.bytes) : a.score > b.score
        }
    }

    /// 2 if the text has the term as whole words, 1 if it only begins one, else 0.
    static func factor(of term: Term, in units: [Unit]) -> Int {
        var best = 0
        for start in units.indices where start + term.units.count <= units.count {
            var factor = 2
            for (index, wanted) in term.units.enumerated() {
                let unit = units[start + index]
                if unit.isCharacter != wanted.isCharacter || (index > 0 && wanted.isJoined && !unit.isJoined) {
                    factor = 0
                } else if unit.text != wanted.text {
                    let isLast = index == term.units.count - 1
                    let begins =
                        isLast && term.endsWithBeginning && !wanted.isCharacter
                        && Array(unit.text.utf8).starts(with: wanted.text.utf8)
                    factor = begins ? min(factor, 1) : 0
                }
                if factor == 0 { break }
            }
            best = max(best, factor)
        }
        return best
    }

    static func units(_ text: String) -> [Unit] {
        var units: [Unit] = []
        var word = ""
        var isAfterCharacter = false
        func isUnspaced(_ value: UInt32) -> Bool {
            switch value {
            case 0x0E01...0x0E4E, 0x3005...0x3007, 0x3041...0x30FF, 0x3400...0x9FFF: true
            default: false
            }
        }
        for scalar in TextFolding.folded(text).unicodeScalars {
            let isLetter =
                scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                || scalar.properties.generalCategory == .spacingMark
            if isUnspaced(scalar.value) || !isLetter, !word.isEmpty {
                units.append(Unit(text: word, isCharacter: false, isJoined: false))
                word = ""
            }
            if isUnspaced(scalar.value) {
                units.append(Unit(text: String(scalar), isCharacter: true, isJoined: isAfterCharacter))
            } else if isLetter {
                word.unicodeScalars.append(scalar)
            }
            isAfterCharacter = isUnspaced(scalar.value)
        }
        if !word.isEmpty { units.append(Unit(text: word, isCharacter: false, isJoined: false)) }
        return units
    }

    static func terms(_ question: String) -> [Term] {
        var terms: [Term] = []
        for (index, part) in question.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
            let isQuoted = index % 2 == 1
            let isOpen =
                isQuoted && index == question.split(separator: "\"", omittingEmptySubsequences: false).count - 1
            for chunk in isQuoted ? [part] : part.split(separator: " ") {
                let found = units(String(chunk))
                let mayBegin = (!isQuoted || isOpen) && found.last?.isCharacter == false
                let term = Term(units: found, endsWithBeginning: mayBegin)
                if !term.units.isEmpty, !terms.contains(term) { terms.append(term) }
            }
        }
        return terms
    }
}

extension ScannedModel {
    /// Of all that is there in a store and in no template, by its queries.
    init(_ store: TripStore) throws {
        var documents: [Document] = []
        func add(_ entity: EntityReference, _ texts: [(Int, String)]) {
            documents.append(Document(entity: entity, texts: texts.map { ($0, Self.units($1)) }))
        }
        let trips = try store.fetch(Query<Trip>().limit(100_000)).rows
        try store.read { views in
            for trip in trips {
                add(
                    trip.reference,
                    [(8, trip.name), (5, trip.destination), (2, trip.notes)] + trip[Trip.hashtags].map { (3, $0) })
                for item in try views.items(of: trip.id) {
                    let carried =
                        if case .transportation(let flight) = item {
                            [(4, flight.carrier), (6, flight.number), (5, flight.departure.name)]
                        } else { [(Int, String)]() }
                    add(
                        item.reference,
                        [
                            (8, item.name), (6, item.reservation), (2, item.notes), (5, item.customLocationName),
                            (4, item.category), (3, item.address?.city ?? ""),
                        ] + carried)
                }
            }
            for found in try views.organizations() { add(found.reference, [(8, found.name), (3, found.email)]) }
            for found in try views.entities(Traveller.self) {
                add(found.reference, [(8, found.name), (2, found.notes)])
            }
            for found in try views.entities(Souvenir.self) { add(found.reference, [(3, found.what)]) }
        }
        self.documents = documents
    }
}
