import TravelingSnails

/// A pull parser of XML 1.0 over a file of any size.
///
/// It holds one piece of the file. Names come without the prefix of their namespace. Entities are the five of XML and numbers of
/// characters: a document that declares others is refused, so that nothing expands and no other file is opened.
struct XMLReader {
    enum Event: Equatable {
        /// An element begins; its attributes are in `attributes`.
        case start(String)
        case end(String)
        /// The next part of a text, in `text`: a long text comes in several.
        case text
        case finish
    }

    /// Bytes per read.
    static let chunk = 256 << 10
    /// Bytes of a tag with its attributes, and of a section of CDATA.
    private static let longest = 1 << 20
    /// Bytes from which a text comes in parts.
    private static let partSize = 64 << 10
    private static let deepest = 256

    var input: XMLInput
    /// The name of an element that ends with its own tag.
    private var emptyElement: String?
    /// The names of the open elements, the outermost first.
    private(set) var open: [String] = []
    private(set) var attributes: [(name: String, value: String)] = []
    /// In UTF-8.
    private(set) var text: [UInt8] = []
    /// The name of the outermost element, with its prefix.
    private(set) var rootName = ""
    /// The offset of the first byte of the last tag.
    private(set) var tagOffset: Int64 = 0

    /// Throws `TextFormatError` with `unreadable`.
    init(_ file: InputFile) throws(TextFormatError) { input = try XMLInput(file) }

    func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }

    /// Throws `TextFormatError`: `malformed`, `truncated`, `tooLarge`, `wrongEncoding` or `unreadable`.
    mutating func next() throws(TextFormatError) -> Event {
        if let name = emptyElement {
            emptyElement = nil
            open.removeLast()
            return .end(name)
        }
        while try input.need(1) {
            guard input.byte == UInt8(ascii: "<") else {
                if try readText() { return .text }
                continue
            }
            tagOffset = input.offset
            if try input.begins("<!--") {
                try input.skip(4, past: "-->") { _ in }
            } else if try input.begins("<![CDATA[") {
                text = try cdata()
                return .text
            } else if try input.begins("<?") {
                try readInstruction()
            } else if try input.begins("<!") {
                try skipDocumentType()
            } else if try input.begins("</") {
                return .end(try readEnd())
            } else {
                return .start(try readStart())
            }
        }
        guard let last = open.last else { return .finish }
        throw input.truncated("the end of <\(last.prefix(40))>")
    }

    // MARK: Tags

    private mutating func readStart() throws(TextFormatError) -> String {
        var tag = XMLTag(try input.tag(atMost: Self.longest).dropFirst())
        if open.isEmpty { rootName = tag.prefixedName }
        guard let name = tag.name() else { throw input.malformed("a name is expected after <") }
        attributes = []
        while !tag.isAtEnd {
            guard let (name, bytes) = tag.attribute() else {
                throw input.malformed("an attribute is expected, as in name=\"value\"")
            }
            attributes.append((name, String(decoding: try input.resolved(bytes), as: UTF8.self)))
        }
        guard open.count < Self.deepest else {
            throw TextFormatError(
                .tooLarge, "Elements are nested over \(Self.deepest) deep. Remove the inner ones.", at: input.place)
        }
        open.append(name)
        if tag.isEmptyElement { emptyElement = name }
        return name
    }

    private mutating func readEnd() throws(TextFormatError) -> String {
        var tag = XMLTag(try input.tag(atMost: Self.longest).dropFirst(2))
        let name = tag.name() ?? ""
        guard let last = open.popLast(), last == name else {
            throw input.malformed("</\(name.prefix(40))> ends no element that began last")
        }
        return name
    }

    private mutating func readInstruction() throws(TextFormatError) {
        let isDeclaration = try input.begins("<?xml ")
        var bytes: [UInt8] = []
        try input.skip(2, past: "?>") { if bytes.count < 1_000 { bytes += $0 } }
        let words = String(decoding: bytes, as: UTF8.self).lowercased()
        guard isDeclaration, let found = words.firstMatch(of: /encoding\s*=\s*["']([^"']*)["']/) else { return }
        switch found.1 {
        case "utf-8", "utf8", "us-ascii", "ascii": input.isLatin = false
        case "iso-8859-1", "iso_8859-1", "latin1": input.isLatin = true
        default:
            throw TextFormatError(
                .wrongEncoding, "It is in the encoding \"\(found.1.prefix(40))\". Save it in UTF-8.", at: input.place)
        }
    }

    private mutating func skipDocumentType() throws(TextFormatError) {
        guard !(try input.tag(atMost: Self.longest)).contains(UInt8(ascii: "[")) else {
            throw input.malformed("it declares entities or elements of its own, which are not read")
        }
    }

    // MARK: Texts

    /// Returns false for white space outside of all elements.
    private mutating func readText() throws(TextFormatError) -> Bool {
        let bytes = try input.text(partSize: Self.partSize)
        guard open.isEmpty else {
            text = try input.resolved(bytes)
            return true
        }
        guard bytes.allSatisfy({ $0 <= 0x20 }) else { throw input.malformed("a text stands outside of all elements") }
        return false
    }

    private mutating func cdata() throws(TextFormatError) -> [UInt8] {
        guard !open.isEmpty else { throw input.malformed("a text stands outside of all elements") }
        var (bytes, count) = ([UInt8](), 0)
        try input.skip(9, past: "]]>") { part in
            count += part.count
            if count <= Self.longest { bytes += part }
        }
        guard count <= Self.longest else {
            throw TextFormatError(
                .tooLarge, "A text of CDATA has over \(Self.longest) bytes. Shorten it.", at: input.place)
        }
        return try input.utf8(bytes[...])
    }
}

/// The inside of a tag, without its signs.
struct XMLTag {
    private var rest: ArraySlice<UInt8>
    let isEmptyElement: Bool

    init(_ bytes: ArraySlice<UInt8>) {
        isEmptyElement = bytes.last == UInt8(ascii: "/")
        rest = isEmptyElement ? bytes.dropLast() : bytes
    }

    var isAtEnd: Bool {
        mutating get {
            rest = rest.drop { $0 <= 0x20 }
            return rest.isEmpty
        }
    }

    private var nameBytes: ArraySlice<UInt8> { rest.prefix { $0 > 0x20 && !"=/<>\"'".utf8.contains($0) } }

    /// The name that is next.
    var prefixedName: String { String(decoding: nameBytes, as: UTF8.self) }

    /// Without its prefix; nil if there is none.
    mutating func name() -> String? {
        let name = nameBytes
        rest = rest[name.endIndex...]
        let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
        return local.isEmpty ? nil : String(decoding: local, as: UTF8.self)
    }

    /// The name and what stands in the quotes.
    mutating func attribute() -> (name: String, value: ArraySlice<UInt8>)? {
        guard let name = name(), !isAtEnd, rest.first == UInt8(ascii: "=") else { return nil }
        rest = rest.dropFirst()
        guard !isAtEnd, let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
            let end = rest.dropFirst().firstIndex(of: quote)
        else { return nil }
        defer { rest = rest[(end + 1)...] }
        return (name, rest[rest.startIndex + 1..<end])
    }
}
