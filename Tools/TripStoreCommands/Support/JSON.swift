/// A JSON value whose members keep their order, so that output is the same each time and reads well.
enum JSON {
    case null
    case bool(Bool)
    case number(Int128)
    case double(Double)
    case string(String)
    case array([JSON])
    case object([(String, JSON)])

    static func integer(_ value: some BinaryInteger) -> JSON { .number(Int128(truncatingIfNeeded: value)) }

    static func optional(_ value: String?) -> JSON { value.map { .string($0) } ?? .null }

    static func optional(_ value: (some BinaryInteger)?) -> JSON { value.map { .integer($0) } ?? .null }

    /// The text on one line.
    var text: String { text() }

    /// The text on one line; `forMarkup`, without a character that begins an element of HTML.
    func text(forMarkup: Bool = false) -> String {
        var writer = JSONWriter(forMarkup: forMarkup)
        writer.write(self)
        return writer.text
    }
}

/// Writes JSON in one pass, however long a text is.
struct JSONWriter {
    private let forMarkup: Bool
    private var bytes: [UInt8] = []
    /// The number of copied runs of unescaped characters: a text without escapes takes one.
    private(set) var runs = 0

    init(forMarkup: Bool) { self.forMarkup = forMarkup }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func write(_ json: JSON) {
        switch json {
        case .null: add("null")
        case .bool(let value): add(value ? "true" : "false")
        case .number(let value): add(String(value))
        case .double(let value): add(value.isFinite ? "\(value)" : "null")
        case .string(let value): write(value)
        case .array(let elements):
            add("[")
            for (index, element) in elements.enumerated() {
                if index > 0 { add(",") }
                write(element)
            }
            add("]")
        case .object(let members):
            add("{")
            for (index, member) in members.enumerated() {
                if index > 0 { add(",") }
                write(member.0)
                add(":")
                write(member.1)
            }
            add("}")
        }
    }

    private mutating func add(_ text: String) { bytes += text.utf8 }

    private mutating func write(_ string: String) {
        var string = string
        add("\"")
        string.withUTF8 { text in
            var start = 0
            var at = 0
            while at < text.count {
                guard let (value, size) = escaped(text, at) else {
                    at += 1
                    continue
                }
                add(text[start..<at])
                add(escape: value)
                at += size
                start = at
            }
            add(text[start...])
        }
        add("\"")
    }

    private mutating func add(_ part: Slice<UnsafeBufferPointer<UInt8>>) {
        guard !part.isEmpty else { return }
        bytes += part
        runs += 1
    }

    /// The character at an offset and the size of its bytes, if it must be escaped; nil otherwise. JSON's own
    /// characters are escaped, and those that a terminal would interpret, see `Unicode.Scalar.isInvisible`.
    @inline(__always)
    private func escaped(_ text: UnsafeBufferPointer<UInt8>, _ at: Int) -> (value: UInt32, size: Int)? {
        let first = text[at]
        switch first {
        case ..<0x20, 0x22, 0x5C, 0x7F: return (UInt32(first), 1)
        case 0x3C: return forMarkup ? (UInt32(first), 1) : nil
        // The first bytes of all others that are escaped.
        case 0xC2, 0xCD, 0xD8: return Self.invisible(text, at, size: 2)
        case 0xE1, 0xE2, 0xE3, 0xEF: return Self.invisible(text, at, size: 3)
        case 0xF0, 0xF3: return Self.invisible(text, at, size: 4)
        default: return nil
        }
    }

    private static func invisible(
        _ text: UnsafeBufferPointer<UInt8>, _ at: Int, size: Int
    ) -> (value: UInt32, size: Int)? {
        guard at + size <= text.count else { return nil }
        // Text is well-formed, so the bytes after the first have six bits each.
        var value = UInt32(text[at]) & (0x7F >> UInt32(size))
        for next in at + 1..<at + size { value = value << 6 | UInt32(text[next] & 0x3F) }
        // Whether a joiner, or a selector, is in its place depends on what is beside it, and it does no harm in a string of JSON.
        guard let scalar = Unicode.Scalar(value), scalar.isInvisible, !scalar.isJoiner, !scalar.isPictureSelector else {
            return nil
        }
        return (value, size)
    }

    private mutating func add(escape value: UInt32) {
        bytes.append(UInt8(ascii: "\\"))
        switch value {
        case 0x22, 0x5C: bytes.append(UInt8(truncatingIfNeeded: value))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        default:
            guard value > 0xFFFF else { return add(unit: value) }
            // Two units of UTF-16; a backslash is before the first.
            add(unit: 0xD800 + ((value - 0x10000) >> 10))
            bytes.append(UInt8(ascii: "\\"))
            add(unit: 0xDC00 + (value & 0x3FF))
        }
    }

    private mutating func add(unit: UInt32) {
        bytes.append(UInt8(ascii: "u"))
        for shift in [12, 8, 4, 0] as [UInt32] {
            let digit = UInt8(truncatingIfNeeded: unit >> shift & 0xF)
            bytes.append(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
        }
    }
}
