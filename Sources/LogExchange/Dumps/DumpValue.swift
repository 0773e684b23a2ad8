import Foundation

/// A value of a line of a dump: JSON (RFC 8259) whose integers are exact.
package enum DumpValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// Any other number, as it is written.
    case number(String)
    case string(String)
    case list([DumpValue])
    case object(DumpObject)
    /// A value that was checked and not kept.
    case passedOver
}

/// An object of a line. No two members have one name.
package struct DumpObject: Hashable, Sendable {
    package struct Member: Hashable, Sendable {
        package let name: String
        package let value: DumpValue
        /// Where the value begins in the line, from 1.
        package let column: Int
    }

    package internal(set) var members: [Member] = []
    /// Where it begins in the line, from 1.
    package let column: Int

    init(column: Int) { self.column = column }

    package subscript(_ name: String) -> Member? { members.first { $0.name == name } }
}

/// The names of members whose values are checked and not kept.
struct PassedOver: Sendable, ExpressibleByArrayLiteral {
    static let none: PassedOver = []

    private let names: Set<String>
    private let inner: Set<String>

    /// `names` are those of members of the line itself, `inner` those of members of the objects in it.
    init(_ names: Set<String>, inner: Set<String> = []) { (self.names, self.inner) = (names, inner) }

    init(arrayLiteral names: String...) { self.init(Set(names)) }

    func has(_ name: String, depth: Int) -> Bool { (depth == 0 ? names : inner).contains(name) }
}

// MARK: Members by type

extension DumpObject {
    func missing(_ name: String, _ form: String) -> DumpError {
        let found = self[name]
        return DumpError(
            .malformedDump, found == nil ? "the member \"\(name)\" is missing" : "\"\(name)\" must be \(form)",
            column: found?.column ?? column)
    }

    package func text(_ name: String) throws(DumpError) -> String {
        guard case .string(let text)? = self[name]?.value else { throw missing(name, "a text") }
        return text
    }

    /// A text; nil if it is null or not there.
    package func optionalText(_ name: String) throws(DumpError) -> String? {
        switch self[name]?.value {
        case nil, .null: nil
        case .string(let text)?: text
        default: throw missing(name, "a text or null")
        }
    }

    /// An integer of a range.
    package func integer<Number: FixedWidthInteger>(
        _ name: String, in range: ClosedRange<Number> = Number.min...Number.max
    ) throws(DumpError) -> Number {
        guard case .integer(let found)? = self[name]?.value, let number = Number(exactly: found), range.contains(number)
        else {
            throw missing(
                name, "an integer from \(range.lowerBound) to \(min(range.upperBound, Number(clamping: Int64.max)))")
        }
        return number
    }

    package func flag(_ name: String) throws(DumpError) -> Bool {
        guard case .bool(let flag)? = self[name]?.value else { throw missing(name, "true or false") }
        return flag
    }

    package func list(_ name: String) throws(DumpError) -> [DumpValue] {
        guard case .list(let elements)? = self[name]?.value else { throw missing(name, "a list") }
        return elements
    }

    func objects(_ name: String) throws(DumpError) -> [DumpObject] {
        var objects: [DumpObject] = []
        for element in try list(name) {
            guard case .object(let object) = element else { throw missing(name, "a list of objects") }
            objects.append(object)
        }
        return objects
    }

    /// A value of a type that a text names, such as an id.
    package func parsed<Value>(
        _ name: String, _ form: String, _ parse: (String) -> Value?
    ) throws(DumpError) -> Value {
        guard let value = parse(try text(name)) else { throw missing(name, form) }
        return value
    }

    /// Bytes in base64; nil if they are null or not there.
    package func optionalBytes(_ name: String, atMost most: Int) throws(DumpError) -> [UInt8]? {
        guard let text = try optionalText(name) else { return nil }
        return try bytes(of: text, name, atMost: most)
    }

    package func bytes(_ name: String, atMost most: Int) throws(DumpError) -> [UInt8] {
        try bytes(of: try text(name), name, atMost: most)
    }

    /// A list of bytes, each in base64.
    func lists(ofBytes name: String, atMost most: Int) throws(DumpError) -> [[UInt8]] {
        var lists: [[UInt8]] = []
        for element in try list(name) {
            guard case .string(let text) = element else { throw missing(name, "a list of texts in base64") }
            lists.append(try bytes(of: text, name, atMost: most))
        }
        return lists
    }

    private func bytes(of text: String, _ name: String, atMost most: Int) throws(DumpError) -> [UInt8] {
        guard text.utf8.count / 4 * 3 <= most + 2 else {
            throw DumpError(
                .dumpTooLarge, "\"\(name)\" has over \(most) bytes, which are the most",
                column: self[name]?.column ?? column)
        }
        guard let bytes = [UInt8](base64: text) else {
            throw missing(name, "base64 with padding (RFC 4648, section 4)")
        }
        return bytes
    }
}

extension [UInt8] {
    /// The bytes of a base64 text with padding (RFC 4648, section 4); nil if it is none.
    package init?(base64 text: String) {
        // Foundation ignores the bits that padding leaves over. Only the text that it would write stands for the bytes.
        guard let data = Data(base64Encoded: text), data.base64EncodedString() == text else { return nil }
        self = Self(data)
    }
}
