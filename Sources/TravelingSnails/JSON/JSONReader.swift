/// A pull parser of JSON (RFC 8259, without exceptions but a leading byte order mark) over a file of any size.
///
/// It holds one chunk of the file, or more if the one string or number that is being kept needs it. The caller drives
/// it: it asks for the next member or element and then reads or skips exactly one value. The extensions read values;
/// nothing here recurses, so that depth costs heap and not stack.
///
/// One of three readers of JSON: the others return whole values, of a line of a dump (`DumpLineParser`) and of a mapping (`PlacedJSON`), for
/// which a file of this size leaves no memory.
package struct JSONReader: ~Copyable {
    let input: InputFile
    let limits: ReaderLimits
    let keys = KeyTable.shared
    let progress: ((_ bytesRead: Int64, _ total: Int64) -> Void)?

    /// The bytes before `filled` are buffered; those before `position` are consumed.
    var buffer: [UInt8]
    var position = 0
    var filled = 0
    /// The file offset of the first byte of `buffer`.
    var bufferOffset: Int64
    /// The start of the token that must stay in the buffer; negative if there is none.
    var tokenStart = -1

    var line: Int
    var lineStart: Int64

    /// The innermost open object or list, and those around it.
    var top = Frame.outside
    var outer: [Frame] = []
    /// The text of the unknown keys in the open frames, concatenated.
    var unknownKeys: [UInt8] = []

    /// A string after its escapes are resolved.
    var unescaped: [UInt8] = []
    /// Without texts, everything is checked and nothing is copied: the texts of records read as empty. The first pass
    /// checks the trips so.
    var keepsTexts = true
    /// The known keys that an object has again, of which the last counts, up to a number of them.
    var repetitions: [ExportProblem] = []
    /// The records and listed ids that could not be used so far.
    var problemCount = 0

    /// Reads `input` from `mark` on.
    init(
        _ input: InputFile, from mark: Mark = .startOfFile, limits: ReaderLimits,
        progress: ((_ bytesRead: Int64, _ total: Int64) -> Void)? = nil
    ) throws(ExportError) {
        self.input = input
        self.limits = limits
        self.progress = progress
        buffer = [UInt8](repeating: 0, count: limits.chunk + JSONReader.padding)
        bufferOffset = mark.offset
        line = mark.line
        lineStart = mark.lineStart
        try input.seek(to: mark.offset)
    }

    /// The least number of bytes behind `filled`, and behind a text in `unescaped`, so that eight bytes can be read at
    /// once at any offset, and the three words of a key wherever it begins.
    static let padding = 24

    /// The mark of the next byte.
    var mark: Mark { Mark(offset: bufferOffset + Int64(position), line: line, lineStart: lineStart) }
}

extension JSONReader {
    /// One open object or list.
    struct Frame {
        enum Kind { case outside, object, list }

        var kind: Kind
        /// Whether no member or element has been asked for yet.
        var isFresh = true
        /// The key of the current member.
        var key = ExportKey.none
        /// The known keys so far.
        var keys = KeySet()
        /// The index of the current element.
        var index = -1
        /// The start of an unknown key's text in `unknownKeys`; it ends where the next frame's begins.
        var keyStart = 0

        static let outside = Frame(kind: .outside)
    }
}

/// A place in the file without its path: enough for a reader to return there, and free to take.
struct Mark: Sendable, Hashable {
    /// The bytes before it.
    var offset: Int64
    /// The line it is on.
    var line: Int
    /// The bytes before the first of its line.
    var lineStart: Int64

    static let startOfFile = Mark(offset: 0, line: 1, lineStart: 0)

    /// The place of this mark, given its path.
    func place(_ path: String) -> Place {
        Place(path: path, line: line, column: Int(offset - lineStart) + 1, offset: offset)
    }
}

/// How much a reader buffers at once and at most.
struct ReaderLimits: Sendable {
    /// Bytes per read.
    var chunk = 256 * 1024
    /// The longest string, key or number that is kept, in bytes as written in the file.
    var longestToken = 16 * 1024 * 1024
    /// How deep objects and lists may be nested.
    var deepest = 512
    /// How many records and listed ids may be unusable: each is kept with its place and reason until the import ends, in some 500 bytes.
    var mostProblems = 100_000
    /// How many keys that an object has again are kept.
    var mostRepetitions = 100
}
