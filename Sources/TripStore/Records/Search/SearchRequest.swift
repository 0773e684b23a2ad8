import Events
import Trips

/// A search with all on which its result depends.
struct SearchRequest {
    let question: SearchQuestion
    /// Empty for all kinds.
    let kinds: [ConcreteKind]
    /// What is searched alone, with what belongs to it; nil for everything.
    let root: EntityReference?
    let limit: Int
    let cursor: PageCursor?
    let fields: SearchedFields

    /// Throws `TripStoreError.Code.questionTooLong`.
    init(
        _ text: String, _ kinds: [ConcreteKind], _ root: EntityReference?, _ limit: Int, _ cursor: PageCursor?,
        _ fields: SearchedFields
    ) throws(TripStoreError) {
        guard let question = SearchQuestion(text) else {
            throw TripStoreError(
                .questionTooLong,
                "The question has \(text.utf8.count) bytes. A search takes at most \(SearchQuestion.longest), and "
                    + "\(SearchQuestion.mostWords) words, each character of a script without spaces counted as one. Ask for less."
            )
        }
        self.question = question
        self.kinds = kinds
        self.root = root
        self.limit = max(1, limit)
        self.cursor = cursor
        self.fields = fields
    }

    /// For messages.
    var words: String { "results of a search" }

    /// The FNV-1a hash of what decides the order of results.
    var fingerprint: UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ bytes: some Sequence<UInt8>) {
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        for term in question.terms {
            for word in term.words { add(word.bytes + [0, word.isPrefix ? 1 : 0]) }
            add([2])
        }
        for kind in kinds { add(kind.bytes) }
        add(root?.id.bytes ?? [])
        return hash
    }
}
