import Events

/// Reads the JSON of a line (RFC 8259), without exceptions.
///
/// Its depth is bounded, duplicate names of members are refused, and texts are UTF-8 without lone surrogates. O(bytes).
///
/// One of three readers of JSON: this one bounds the values of a line and passes over members by their names. `JSONReader` pulls from a file
/// without keeping values, and `PlacedJSON` keeps the place of each value of a mapping.
struct DumpLineParser {
    /// The deepest nesting: a commit's line has eight levels.
    static let deepest = 32
    /// The most members of an object. The objects of a dump have up to twenty.
    static let mostMembers = 1024
    /// The most values of a line that are kept: a commit with as many changes as it may have takes less.
    static let mostValues = 8 * Payload.mostChanges

    private let line: [UInt8]
    private var position = 0
    private let passedOver: PassedOver
    private var isPassingOver = false
    /// Those that are kept.
    private var valueCount = 0

    /// The object that is a line.
    static func object(_ line: [UInt8], passingOver: PassedOver = .none) throws(DumpError) -> DumpObject {
        var parser = DumpLineParser(line: line, passedOver: passingOver)
        parser.skipSpace()
        guard parser.next == UInt8(ascii: "{") else { throw parser.malformed("a line must be an object") }
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.next == nil else { throw parser.malformed("there is more after the object") }
        guard case .object(let object) = value else { throw parser.malformed("a line must be an object") }
        return object
    }

    private init(line: [UInt8], passedOver: PassedOver) { (self.line, self.passedOver) = (line, passedOver) }

    private var next: UInt8? { position < line.count ? line[position] : nil }

    private func malformed(_ what: String) -> DumpError { DumpError(.malformedDump, what, column: position + 1) }

    /// What must be at the position is not there.
    private func expected(_ what: String) -> DumpError {
        position < line.count
            ? malformed("\(what) must be here")
            : DumpError(.cutOffDump, "the line ends where \(what) must be", column: position + 1)
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0D { position += 1 }
    }

    /// `depth` is the number of objects and lists around it.
    private mutating func value(depth: Int) throws(DumpError) -> DumpValue {
        if !isPassingOver {
            valueCount += 1
            guard valueCount <= Self.mostValues else {
                throw DumpError(
                    .dumpTooLarge, "the line has over \(Self.mostValues) values, which are the most",
                    column: position + 1)
            }
        }
        switch next {
        case UInt8(ascii: "{")?, UInt8(ascii: "[")?:
            guard depth < Self.deepest else {
                throw DumpError(
                    .dumpTooLarge, "objects and lists are nested deeper than \(Self.deepest) levels",
                    column: position + 1)
            }
            return next == UInt8(ascii: "{") ? try object(depth: depth) : try list(depth: depth)
        case UInt8(ascii: "\"")?:
            let text = try string()
            return isPassingOver ? .passedOver : .string(text)
        case UInt8(ascii: "t")?: return try word("true", .bool(true))
        case UInt8(ascii: "f")?: return try word("false", .bool(false))
        case UInt8(ascii: "n")?: return try word("null", .null)
        case UInt8(ascii: "-")?, (UInt8(ascii: "0")...UInt8(ascii: "9"))?: return try number()
        default: throw expected("a value")
        }
    }

    private mutating func word(_ word: StaticString, _ value: DumpValue) throws(DumpError) -> DumpValue {
        for offset in 0..<word.utf8CodeUnitCount {
            // Sound: the offset is below the count of the string, whose bytes live as long as the program.
            guard next == word.utf8Start[offset] else {
                throw malformed("a word without quotes can only be true, false or null")
            }
            position += 1
        }
        return value
    }

    private mutating func object(depth: Int) throws(DumpError) -> DumpValue {
        var object = DumpObject(column: position + 1)
        var names: Set<String> = []
        position += 1
        skipSpace()
        if next == UInt8(ascii: "}") {
            position += 1
            return isPassingOver ? .passedOver : .object(object)
        }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw expected("a name in quotes") }
            let start = position
            let wasPassingOver = isPassingOver
            isPassingOver = false
            let name = try string()
            isPassingOver = wasPassingOver
            guard names.insert(name).inserted else {
                throw DumpError(.malformedDump, "the member \"\(name.excerpt)\" is there twice", column: start + 1)
            }
            guard names.count <= Self.mostMembers else {
                throw DumpError(.dumpTooLarge, "an object has over \(Self.mostMembers) members", column: start + 1)
            }
            skipSpace()
            guard next == UInt8(ascii: ":") else { throw expected("a colon") }
            position += 1
            skipSpace()
            let column = position + 1
            if passedOver.has(name, depth: depth) { isPassingOver = true }
            let value = try value(depth: depth + 1)
            if !isPassingOver || depth == 0 {
                object.members.append(DumpObject.Member(name: name, value: value, column: column))
            }
            isPassingOver = wasPassingOver
            skipSpace()
            if next == UInt8(ascii: "}") { break }
            guard next == UInt8(ascii: ",") else { throw expected("a comma or }") }
            position += 1
        }
        position += 1
        return isPassingOver ? .passedOver : .object(object)
    }

    private mutating func list(depth: Int) throws(DumpError) -> DumpValue {
        var elements: [DumpValue] = []
        position += 1
        skipSpace()
        if next == UInt8(ascii: "]") {
            position += 1
            return isPassingOver ? .passedOver : .list([])
        }
        while true {
            skipSpace()
            let element = try value(depth: depth + 1)
            if !isPassingOver { elements.append(element) }
            skipSpace()
            if next == UInt8(ascii: "]") { break }
            guard next == UInt8(ascii: ",") else { throw expected("a comma or ]") }
            position += 1
        }
        position += 1
        return isPassingOver ? .passedOver : .list(elements)
    }

    // MARK: Scalars

    private mutating func number() throws(DumpError) -> DumpValue {
        let start = position
        if next == UInt8(ascii: "-") { position += 1 }
        if next == UInt8(ascii: "0") {
            position += 1
            if isDigit { throw malformed("a number must not begin with zero") }
        } else {
            try digits()
        }
        var isInteger = true
        if next == UInt8(ascii: ".") {
            isInteger = false
            position += 1
            try digits()
        }
        if let byte = next, byte | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
        if isPassingOver { return .passedOver }
        guard position - start <= 64 else {
            throw DumpError(.dumpTooLarge, "a number has over 64 characters", column: start + 1)
        }
        let text = String(decoding: line[start..<position], as: UTF8.self)
        return isInteger ? Int64(text).map { .integer($0) } ?? .number(text) : .number(text)
    }

    private var isDigit: Bool { next.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false }

    private mutating func digits() throws(DumpError) {
        guard isDigit else { throw expected("a digit") }
        while isDigit { position += 1 }
    }

    /// The text in quotes. Of a value that is passed over the text is checked, and the result empty.
    private mutating func string() throws(DumpError) -> String {
        position += 1
        let start = position
        var bytes: [UInt8] = []
        var hasEscapes = false
        var copied = start
        while let byte = next, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw malformed("a control character must be escaped") }
            guard byte == UInt8(ascii: "\\") else {
                position += 1
                continue
            }
            hasEscapes = true
            bytes += line[copied..<position]
            let scalar = try escape()
            if !isPassingOver { bytes += Array(String(Character(scalar)).utf8) }
            copied = position
        }
        guard next != nil else { throw expected("the rest of a text, or its quote") }
        let rest = line[(hasEscapes ? copied : start)..<position]
        bytes += rest
        position += 1
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw DumpError(
                .malformedDump, "the text is not in UTF-8 (a dump is UTF-8 throughout)", column: start)
        }
        return isPassingOver ? "" : text
    }

    private mutating func escape() throws(DumpError) -> Unicode.Scalar {
        position += 1
        guard let byte = next else { throw expected("the rest of an escape") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            let start = position - 2
            let first = try hexadecimal()
            if let scalar = Unicode.Scalar(first) { return scalar }
            // Half of a pair.
            if first < 0xDC00, next == UInt8(ascii: "\\"), position + 1 < line.count,
                line[position + 1] == UInt8(ascii: "u")
            {
                position += 2
                let second = try hexadecimal()
                if (0xDC00..<0xE000).contains(second),
                    let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
                {
                    return scalar
                }
            }
            throw DumpError(.malformedDump, "an escape is half of a surrogate pair", column: start + 1)
        default:
            position -= 1
            throw malformed("no such escape exists")
        }
    }

    private mutating func hexadecimal() throws(DumpError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                throw expected("four hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }
}

extension String {
    /// Its beginning, for messages.
    fileprivate var excerpt: String { count > 40 ? prefix(40) + "…" : self }
}
