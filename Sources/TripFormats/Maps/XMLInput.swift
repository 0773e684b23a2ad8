import TravelingSnails

/// The bytes of an XML file, a piece at a time, with its encoding and its entities.
struct XMLInput {
    private let file: InputFile
    private var buffer = [UInt8](repeating: 0, count: XMLReader.chunk)
    private var position = 0
    private var filled = 0
    private var isAtEnd = false
    private var bufferOffset: Int64 = 0
    /// The line feeds before the index `counted` of the buffer, and the offset of the last line that began before the buffer.
    private var lineFeeds = 0
    private var counted = 0
    private var lineStart: Int64 = 0
    /// Whether it is in ISO 8859-1, and not in UTF-8.
    var isLatin = false

    init(_ file: InputFile) throws(TextFormatError) {
        self.file = file
        do throws(ExportError) { try file.seek(to: 0) } catch { throw TextFormatError(error) }
        if try need(3), buffer[..<3] == [0xEF, 0xBB, 0xBF] { position = 3 }
    }

    /// The offset of the next byte.
    var offset: Int64 { bufferOffset + Int64(position) }
    /// The next byte, which is in the buffer.
    var byte: UInt8 { buffer[position] }
    /// The line of the next byte. Each byte is counted once.
    var line: Int {
        mutating get {
            lineFeeds += feeds(in: buffer[counted..<position])
            counted = position
            return 1 + lineFeeds
        }
    }

    var place: TextPlace {
        let start = buffer[..<position].lastIndex(of: 0x0A).map { bufferOffset + Int64($0) + 1 } ?? lineStart
        return TextPlace(line: 1 + lineFeeds + feeds(in: buffer[counted..<position]), column: Int(offset - start) + 1)
    }

    private func feeds(in bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) } }

    func malformed(_ what: String) -> TextFormatError {
        TextFormatError(.malformed, "It is no well-formed XML: \(what). Mend it there, or export it again.", at: place)
    }

    func truncated(_ what: String) -> TextFormatError {
        TextFormatError(.truncated, "The file ends before \(what). It was cut off: get it again.", at: place)
    }

    // MARK: Reading

    /// Whether so many bytes follow.
    mutating func need(_ count: Int) throws(TextFormatError) -> Bool {
        while filled - position < count { guard try fill() else { return false } }
        return true
    }

    private mutating func fill() throws(TextFormatError) -> Bool {
        guard !isAtEnd else { return false }
        if position > 0 {
            lineFeeds += feeds(in: buffer[counted..<position])
            counted = 0
            if let last = buffer[..<position].lastIndex(of: 0x0A) { lineStart = bufferOffset + Int64(last) + 1 }
            for index in position..<filled { buffer[index - position] = buffer[index] }
            bufferOffset += Int64(position)
            filled -= position
            position = 0
        }
        if buffer.count - filled < XMLReader.chunk { buffer += [UInt8](repeating: 0, count: XMLReader.chunk) }
        do throws(ExportError) {
            let count = try file.read(into: &buffer, at: filled, count: XMLReader.chunk)
            filled += count
            isAtEnd = count == 0
        } catch { throw TextFormatError(error) }
        return !isAtEnd
    }

    mutating func begins(_ text: StaticString) throws(TextFormatError) -> Bool {
        guard try need(text.utf8CodeUnitCount) else { return false }
        let bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        // Sound: a static string lives as long as the program.
        return buffer[position...].starts(with: bytes)
    }

    /// Moves past a mark, and passes on what stands before it, after so many bytes.
    mutating func skip(
        _ count: Int, past mark: String, _ body: (ArraySlice<UInt8>) -> Void
    ) throws(TextFormatError) {
        position += count
        let bytes = Array(mark.utf8)
        while true {
            var index = position
            while index + bytes.count <= filled, buffer[index..<index + bytes.count] != bytes[...] { index += 1 }
            body(buffer[position..<index])
            position = index
            if index + bytes.count <= filled {
                position += bytes.count
                return
            }
            guard try fill() else { throw truncated(mark) }
        }
    }

    /// The tag at the position, from its first sign to before its last; moves past it.
    mutating func tag(atMost longest: Int) throws(TextFormatError) -> ArraySlice<UInt8> {
        var (count, quote) = (1, UInt8(0))
        while true {
            while position + count < filled {
                let byte = buffer[position + count]
                if quote != 0 {
                    if byte == quote { quote = 0 }
                } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                    quote = byte
                } else if byte == UInt8(ascii: ">") {
                    defer { position += count + 1 }
                    return buffer[position..<position + count]
                }
                count += 1
            }
            guard count <= longest else {
                throw TextFormatError(.tooLarge, "A tag has over \(longest) bytes. Check its quotes.", at: place)
            }
            guard try fill() else { throw truncated("the end of a tag") }
        }
    }

    /// The text at the position up to the next tag, or a part of at least so many bytes of it; moves past it.
    mutating func text(partSize: Int) throws(TextFormatError) -> ArraySlice<UInt8> {
        var count = 0
        while true {
            while position + count < filled, buffer[position + count] != UInt8(ascii: "<") { count += 1 }
            if position + count < filled { break }
            if count >= partSize {
                count = whole(count)
                break
            }
            guard try fill() else { break }
        }
        defer { position += count }
        return buffer[position..<position + count]
    }

    /// How many of some bytes hold no character or entity that goes on after them.
    private func whole(_ count: Int) -> Int {
        let bytes = buffer[position..<position + count]
        if let sign = bytes.suffix(16).lastIndex(of: UInt8(ascii: "&")) { return sign - position }
        guard let lead = bytes.suffix(4).lastIndex(where: { $0 < 0x80 || $0 >= 0xC0 }), bytes[lead] >= 0xC0 else {
            return count
        }
        return lead - position
    }

    // MARK: Characters

    /// The bytes in UTF-8.
    func utf8(_ bytes: ArraySlice<UInt8>) throws(TextFormatError) -> [UInt8] {
        guard isLatin else {
            try TextBytes.check(bytes) { _ in place }
            return Array(bytes)
        }
        return bytes.flatMap { $0 < 0x80 ? [$0] : [0xC0 | $0 >> 6, 0x80 | $0 & 0x3F] }
    }

    /// The bytes in UTF-8, with their entities resolved.
    func resolved(_ bytes: ArraySlice<UInt8>) throws(TextFormatError) -> [UInt8] {
        let text = try utf8(bytes)
        guard text.contains(UInt8(ascii: "&")) else { return text }
        var (result, rest) = ([UInt8](), text[...])
        while let sign = rest.firstIndex(of: UInt8(ascii: "&")) {
            result += rest[..<sign]
            rest = rest[(sign + 1)...]
            let name = rest.prefix(12).prefix { $0 != UInt8(ascii: ";") }
            guard name.endIndex < rest.endIndex, let character = MarkupEntity.xml(String(decoding: name, as: UTF8.self))
            else {
                throw malformed(
                    "\"&\(String(decoding: name, as: UTF8.self))\" is none of the entities of XML: a & is written as &amp;"
                )
            }
            result += character.utf8
            rest = rest[(name.endIndex + 1)...]
        }
        return result + rest
    }
}

extension TextFormatError {
    /// An error of the reader of files and of JSON.
    init(_ error: ExportError) {
        let code: Code =
            switch error.code {
            case .unreadable, .changed: .unreadable
            case .empty: .empty
            case .truncated: .truncated
            case .tooLarge: .tooLarge
            case .malformed: .malformed
            default: .wrongFormat
            }
        self.init(code, error.message)
    }
}
