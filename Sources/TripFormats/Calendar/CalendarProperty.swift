/// A content line of a calendar (RFC 5545, section 3.1), unfolded.
public struct CalendarProperty: Hashable, Sendable {
    public struct Parameter: Hashable, Sendable {
        /// In upper case.
        public let name: String
        /// Without quotes, with the escapes of RFC 6868 resolved.
        public let values: [String]
    }

    /// In upper case.
    public let name: String
    public let parameters: [Parameter]
    /// The value as written: texts are still escaped.
    public let value: String
    /// The line of the file on which it begins, counted from 1.
    public let line: Int

    /// The first value of a parameter; nil if it is not there.
    public func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.values.first }

    /// The value as text, with the escapes of section 3.3.11 resolved.
    public var text: String { Self.unescaped(value) }

    /// The texts of a list that commas separate.
    public var texts: [String] { texts(separatedBy: UInt8(ascii: ",")) }

    /// The texts of a value of several parts.
    func texts(separatedBy separator: UInt8) -> [String] {
        var parts: [String] = []
        var part: [UInt8] = []
        var isEscaped = false
        for byte in value.utf8 {
            if byte == separator, !isEscaped {
                parts.append(Self.unescaped(String(decoding: part, as: UTF8.self)))
                part = []
                continue
            }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            part.append(byte)
        }
        return parts + [Self.unescaped(String(decoding: part, as: UTF8.self))]
    }

    private static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        var isEscaped = false
        for byte in text.utf8 {
            if isEscaped {
                result.append(byte == UInt8(ascii: "n") || byte == UInt8(ascii: "N") ? UInt8(ascii: "\n") : byte)
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else {
                result.append(byte)
            }
        }
        if isEscaped { result.append(UInt8(ascii: "\\")) }
        return String(decoding: result, as: UTF8.self)
    }
}

/// A component of a calendar: the lines between its BEGIN and its END.
public struct CalendarComponent: Hashable, Sendable {
    /// In upper case, as "VEVENT".
    public let name: String
    public internal(set) var properties: [CalendarProperty] = []
    public internal(set) var components: [CalendarComponent] = []
    /// The line of BEGIN.
    public let line: Int

    /// The first property of a name; nil if there is none. O(properties).
    public func property(_ name: String) -> CalendarProperty? { properties.first { $0.name == name } }

    /// All properties of a name.
    public func properties(_ name: String) -> [CalendarProperty] { properties.filter { $0.name == name } }
}
