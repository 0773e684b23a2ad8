/// A JSON value with its place in the text (RFC 8259), for small files that people write and have to mend, and for JSON in mails and notes.
///
/// One of three readers of JSON: this one alone keeps where each value is, which messages about its meaning name later. `JSONReader` keeps no
/// value of a file that may be larger than memory, and `DumpLineParser` none of what a caller passes over in a line that others wrote.
struct PlacedJSON {
    indirect enum Value {
        case null
        case bool(Bool)
        /// As written.
        case number(String)
        case text(String)
        case list([PlacedJSON])
        /// In the order of the file; each name once.
        case object([(name: String, value: PlacedJSON)])
    }

    let value: Value
    let place: TextPlace

    /// Throws `TextFormatError` with a code and the place of the first byte that is not as RFC 8259 says, or of a name that an object has
    /// twice. Values are nested at most 32 deep. O(bytes).
    init(parsing bytes: ArraySlice<UInt8>, code: TextFormatError.Code) throws(TextFormatError) {
        var parser = PlacedJSONParser(bytes, code)
        self = try parser.document()
    }

    fileprivate init(_ value: Value, at place: TextPlace) { (self.value, self.place) = (value, place) }

    var text: String? { if case .text(let text) = value { text } else { nil } }
    var bool: Bool? { if case .bool(let bool) = value { bool } else { nil } }
    var integer: Int? { if case .number(let digits) = value { Int(digits) } else { nil } }
    var list: [PlacedJSON]? { if case .list(let values) = value { values } else { nil } }
    var object: [(name: String, value: PlacedJSON)]? { if case .object(let members) = value { members } else { nil } }
}

private struct PlacedJSONParser {
    private static let deepest = 32

    private let bytes: ArraySlice<UInt8>
    private let code: TextFormatError.Code
    private var index: Int
    private var line = 1
    private var lineStart: Int

    init(_ bytes: ArraySlice<UInt8>, _ code: TextFormatError.Code) {
        self.bytes = bytes
        self.code = code
        index = bytes.startIndex
        lineStart = index
    }

    private var place: TextPlace { TextPlace(line: line, column: index - lineStart + 1) }
    private var next: UInt8? { index < bytes.endIndex ? bytes[index] : nil }

    private func fault(_ message: String, at other: TextPlace? = nil) -> TextFormatError {
        TextFormatError(code, "It is no JSON: \(message)", at: other ?? place)
    }

    private func unexpected(_ wanted: String) -> TextFormatError {
        guard let next else { return fault("it ends where \(wanted) is expected. It was cut off: save it whole.") }
        let sign = 0x21...0x7E ~= next ? "\"\(Unicode.Scalar(next))\"" : "the byte 0x\(String(next, radix: 16))"
        return fault("\(sign) stands where \(wanted) is expected. Mend it there.")
    }

    mutating func document() throws(TextFormatError) -> PlacedJSON {
        let value = try value(0)
        skipSpaces()
        guard next == nil else { throw unexpected("the end of the file") }
        return value
    }

    private mutating func skipSpaces() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
            index += 1
            if byte == 0x0A {
                line += 1
                lineStart = index
            }
        }
    }

    private mutating func take(_ sign: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: sign) else { return false }
        index += 1
        return true
    }

    private mutating func value(_ depth: Int) throws(TextFormatError) -> PlacedJSON {
        skipSpaces()
        let start = place
        guard depth < Self.deepest else {
            throw fault("it is nested over \(Self.deepest) deep. Remove the inner values.")
        }
        switch next {
        case UInt8(ascii: "{"): return PlacedJSON(.object(try members(depth)), at: start)
        case UInt8(ascii: "["): return PlacedJSON(.list(try elements(depth)), at: start)
        case UInt8(ascii: "\""): return PlacedJSON(.text(try string()), at: start)
        default:
            for (word, value) in [("true", .bool(true)), ("false", .bool(false)), ("null", .null)]
                as [(String, PlacedJSON.Value)] where bytes[index...].starts(with: word.utf8)
            {
                index += word.utf8.count
                return PlacedJSON(value, at: start)
            }
            return PlacedJSON(.number(try number()), at: start)
        }
    }

    private mutating func members(_ depth: Int) throws(TextFormatError) -> [(name: String, value: PlacedJSON)] {
        index += 1
        var members: [(name: String, value: PlacedJSON)] = []
        var names: Set<String> = []
        skipSpaces()
        if take("}") { return members }
        while true {
            skipSpaces()
            let start = place
            guard next == UInt8(ascii: "\"") else { throw unexpected("a name in quotes") }
            let name = try string()
            guard names.insert(name).inserted else {
                throw fault("\"\(name.prefix(40))\" stands there twice. Remove one of them.", at: start)
            }
            skipSpaces()
            guard take(":") else { throw unexpected("a colon") }
            members.append((name, try value(depth + 1)))
            skipSpaces()
            if take("}") { return members }
            guard take(",") else { throw unexpected("a comma or the end of the object") }
        }
    }

    private mutating func elements(_ depth: Int) throws(TextFormatError) -> [PlacedJSON] {
        index += 1
        var elements: [PlacedJSON] = []
        skipSpaces()
        if take("]") { return elements }
        while true {
            elements.append(try value(depth + 1))
            skipSpaces()
            if take("]") { return elements }
            guard take(",") else { throw unexpected("a comma or the end of the list") }
        }
    }

    private mutating func number() throws(TextFormatError) -> String {
        let start = index
        let place = place
        while let byte = next, byte.isDigit || "+-.eE".utf8.contains(byte) { index += 1 }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        guard text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+\-]?[0-9]+)?/) != nil else {
            guard !text.isEmpty else { throw unexpected("a value") }
            throw fault("\"\(text.prefix(40))\" is no number. Mend it there.", at: place)
        }
        return text
    }

    private mutating func string() throws(TextFormatError) -> String {
        let start = place
        index += 1
        var content: [UInt8] = []
        while true {
            guard let byte = next else { throw fault("the quote that begins here is not closed.", at: start) }
            guard byte >= 0x20 else { throw fault("a control character stands in a text. Write it as \\n or \\u….") }
            index += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: content, as: UTF8.self) }
            guard byte == UInt8(ascii: "\\") else {
                content.append(byte)
                continue
            }
            content += try escape()
        }
    }

    private mutating func escape() throws(TextFormatError) -> [UInt8] {
        guard let byte = next else { throw unexpected("an escape") }
        let known: [UInt8: UInt8] = [
            0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09,
        ]
        if let sign = known[byte] {
            index += 1
            return [sign]
        }
        guard take("u") else { throw unexpected("an escape, as \\n or \\\" or \\u0041,") }
        var unit = try hexadecimal()
        if 0xD800...0xDBFF ~= unit, bytes[index...].starts(with: "\\u".utf8) {
            index += 2
            let low = try hexadecimal()
            guard 0xDC00...0xDFFF ~= low else { throw fault("a surrogate has no pair. Mend it there.") }
            unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(unit) else { throw fault("a surrogate has no pair. Mend it there.") }
        return Array(String(scalar).utf8)
    }

    private mutating func hexadecimal() throws(TextFormatError) -> UInt32 {
        let digits = bytes[index...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ $0.isDigit || 0x41...0x46 ~= $0 || 0x61...0x66 ~= $0 }),
            let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw unexpected("four hexadecimal digits") }
        index += 4
        return value
    }
}
