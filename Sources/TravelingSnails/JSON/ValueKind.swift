/// The kinds of JSON values, by their first byte.
enum ValueKind {
    case object, list, text, number, flag, null

    /// The kind with its article, for messages.
    var name: String {
        switch self {
        case .object: "an object"
        case .list: "a list"
        case .text: "a text"
        case .number: "a number"
        case .flag: "true or false"
        case .null: "null"
        }
    }
}

extension JSONReader {
    /// The kind of the next value, which stays unread.
    @inline(__always)
    mutating func valueKind() throws(ExportError) -> ValueKind {
        switch try peek() {
        case UInt8(ascii: "\""): return .text
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .list
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .flag
        case UInt8(ascii: "n"): return .null
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
        default: throw malformed("a value must be here")
        }
    }
}
