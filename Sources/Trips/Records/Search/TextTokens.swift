/// The tokens of a text, by which a search finds it: its words, folded.
///
/// A word is a run of letters, digits and marks. Of scripts without spaces between words, each character makes one token with the
/// character after it, and the last of a run one of its own: so whatever stands inside of a run is found without a dictionary. A word of
/// over `longest` bytes counts with the first of them.
///
/// Takes time in proportion to the length.
struct TextTokens {
    /// The most bytes of a token: keys of rows have a bound.
    static let longest = 64

    enum Form {
        case word
        /// A character of a script without spaces, and the one after it.
        case pair
        /// The last of a run of these, behind a pair.
        case last
        /// The only one of a run.
        case alone
    }

    struct Token {
        /// Where its bytes lie in `bytes`.
        let range: Range<Int>
        let form: Form
        /// Which word or, of a script without spaces, which character of the text it begins with.
        let position: Int
        /// Where it stands in the UTF-8 of the text.
        let place: Range<Int>
        /// The end of its first character there.
        let firstEnd: Int
    }

    /// The folded bytes, in which tokens overlap.
    private(set) var bytes: [UInt8] = []
    private(set) var tokens: [Token] = []
    private var position = 0

    /// The word, or the character of a script without spaces, that is being read.
    private struct Open {
        let isWord: Bool
        let start: Int
        var place: Range<Int>
        let firstEnd: Int
        /// Whether a pair ends with it.
        var isInPair = false
        /// Whether the word has all the bytes that a token may have.
        var isFull = false
    }

    private var open: Open?

    private let most: Int

    /// Nothing is read behind the first `most` tokens: a peer's text may be as long as a commit.
    init(of text: String, atMost most: Int = EntityWords.mostTokens) {
        self.most = most
        var text = text
        text.withUTF8 { read($0) }
    }

    func bytes(of token: Token) -> ArraySlice<UInt8> { bytes[token.range] }

    private mutating func read(_ text: UnsafeBufferPointer<UInt8>) {
        bytes.reserveCapacity(min(text.count, 1 << 16))
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: FoldingTable.capacity(4)) { folded in
            var index = 0
            while index < text.count, tokens.count < most {
                let lead = text[index]
                if lead < 0x80 {
                    var end = index
                    while end < text.count, text[end] < 0x80, ScalarClasses.isWord(ascii: text[end]) { end += 1 }
                    if end > index { addToWord(ascii: text[index..<end]) } else { close() }
                    index = max(end, index + 1)
                    continue
                }
                let next = min(text.count, index + (lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4))
                let count = FoldingTable.shared.fold(UnsafeBufferPointer(rebasing: text[index..<next]), into: folded)
                if count == 0 {
                    extend(to: next)
                } else {
                    addAll(UnsafeBufferPointer(rebasing: folded[..<count]), index..<next)
                }
                index = next
            }
        }
        close()
    }

    /// The scalars that one of the text folds to.
    private mutating func addAll(_ folded: UnsafeBufferPointer<UInt8>, _ place: Range<Int>) {
        var index = 0
        while index < folded.count {
            let lead = folded[index]
            let size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
            var scalar = size == 1 ? UInt32(lead) : UInt32(lead) & (0x7F >> UInt32(size))
            for byte in folded[index + 1..<index + size] { scalar = scalar << 6 | UInt32(byte & 0x3F) }
            add(UnsafeBufferPointer(rebasing: folded[index..<index + size]), scalar, place)
            index += size
        }
    }

    private mutating func add(_ folded: UnsafeBufferPointer<UInt8>, _ scalar: UInt32, _ place: Range<Int>) {
        switch ScalarClasses.shared.ofScalar(scalar) {
        case .separator: close()
        case .skipped: extend(to: place.upperBound)
        case .word: addToWord(folded, place)
        case .unspaced: addUnspaced(folded, place)
        }
    }

    /// Letters and digits of ASCII, at once.
    private mutating func addToWord(ascii run: Slice<UnsafeBufferPointer<UInt8>>) {
        if open?.isWord == false { close() }
        var word =
            open
            ?? Open(
                isWord: true, start: bytes.count, place: run.startIndex..<run.endIndex, firstEnd: run.startIndex + 1)
        let room = word.isFull ? 0 : Self.longest - (bytes.count - word.start)
        for byte in run.prefix(room) { bytes.append(0x41...0x5A ~= byte ? byte | 0x20 : byte) }
        word.isFull = word.isFull || run.count > room
        word.place = word.place.lowerBound..<run.endIndex
        open = word
    }

    private mutating func addToWord(_ folded: UnsafeBufferPointer<UInt8>, _ place: Range<Int>) {
        if open?.isWord == false { close() }
        var word = open ?? Open(isWord: true, start: bytes.count, place: place, firstEnd: place.upperBound)
        word.isFull = word.isFull || bytes.count - word.start + folded.count > Self.longest
        if !word.isFull { bytes += folded }
        word.place = word.place.lowerBound..<place.upperBound
        open = word
    }

    private mutating func addUnspaced(_ folded: UnsafeBufferPointer<UInt8>, _ place: Range<Int>) {
        if open?.isWord == true { close() }
        let start = bytes.count
        bytes += folded
        if let first = open {
            tokens.append(
                Token(
                    range: first.start..<bytes.count, form: .pair, position: position,
                    place: first.place.lowerBound..<place.upperBound, firstEnd: first.place.upperBound))
            position += 1
        }
        open = Open(
            isWord: false, start: start, place: place, firstEnd: place.upperBound, isInPair: open != nil)
    }

    /// A mark that folding drops belongs to what it stands on.
    private mutating func extend(to end: Int) {
        if let place = open?.place { open?.place = place.lowerBound..<end }
    }

    private mutating func close() {
        guard let last = open else { return }
        tokens.append(
            Token(
                range: last.start..<bytes.count, form: last.isWord ? .word : last.isInPair ? .last : .alone,
                position: position, place: last.place, firstEnd: last.isWord ? last.firstEnd : last.place.upperBound))
        position += 1
        open = nil
    }
}
