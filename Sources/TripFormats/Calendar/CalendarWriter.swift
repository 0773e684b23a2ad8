/// Writes content lines (RFC 5545, section 3.1): folded at 75 octets, never inside of a character, each ended by CR LF.
public struct CalendarWriter: Sendable {
    public private(set) var text = ""

    public init() {}

    /// A property whose value needs no escapes.
    /// - Parameter parameters: names and values, which are quoted where that is necessary.
    public mutating func property(_ name: String, _ parameters: [(String, String)] = [], value: String) {
        var line = name
        for (name, value) in parameters { line += ";\(name)=\(Self.parameter(value))" }
        write(line + ":" + value.oneLine)
    }

    /// A property of text; nothing for an empty one.
    public mutating func property(_ name: String, text value: String) {
        if !value.isEmpty { property(name, value: Self.escaped(value)) }
    }

    /// Several texts.
    /// - Parameter separator: a comma for lists, a semicolon for the parts of one value.
    mutating func property(_ name: String, texts: [String], separator: String) {
        property(name, value: texts.map(Self.escaped).joined(separator: separator))
    }

    public mutating func begin(_ component: String) { write("BEGIN:\(component)") }
    public mutating func end(_ component: String) { write("END:\(component)") }

    /// Text with the escapes of section 3.3.11. Control characters but tabs and line breaks, which no calendar may hold, are left out.
    public static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        var last: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ";", ",":
                result.unicodeScalars.append("\\")
                result.unicodeScalars.append(scalar)
            case "\n": if last != "\r" { result += "\\n" }
            case "\r": result += "\\n"
            case "\t": result.unicodeScalars.append(scalar)
            default: if scalar.value >= 0x20, scalar.value != 0x7F { result.unicodeScalars.append(scalar) }
            }
            last = scalar
        }
        return result
    }

    /// RFC 6868, in quotes where the value has a separator.
    private static func parameter(_ value: String) -> String {
        var result = ""
        var needsQuotes = false
        for scalar in value.unicodeScalars {
            switch scalar {
            case "^": result += "^^"
            case "\"": result += "^'"
            case "\n": result += "^n"
            default:
                if scalar.value < 0x20 || scalar.value == 0x7F { continue }
                if scalar == "," || scalar == ";" || scalar == ":" { needsQuotes = true }
                result.unicodeScalars.append(scalar)
            }
        }
        return needsQuotes ? "\"\(result)\"" : result
    }

    private mutating func write(_ line: String) {
        var width = 0
        for scalar in line.unicodeScalars {
            let size = UTF8.width(scalar)
            if width + size > 75 {
                text += "\r\n "
                width = 1
            }
            text.unicodeScalars.append(scalar)
            width += size
        }
        text += "\r\n"
    }
}

extension String {
    /// Without control characters.
    fileprivate var oneLine: String {
        guard unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else { return self }
        var result = String.UnicodeScalarView()
        result.append(contentsOf: unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F || $0 == "\t" })
        return String(result)
    }
}
