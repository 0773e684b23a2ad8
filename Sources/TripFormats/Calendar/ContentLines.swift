/// Cuts the bytes of a calendar into content lines: unfolds them, and takes them apart.
///
/// Lines end with CR LF, LF or CR. A line that begins with a space or a tab continues the one before (RFC 5545, section 3.1). Time and
/// memory are linear in the bytes.
struct ContentLines {
    enum Line {
        case property(CalendarProperty)
        /// No content line; why.
        case malformed(String, TextPlace)
    }

    private let bytes: TextSource
    private let limits: CalendarLimits
    private var index: Int
    private var number: Int
    /// The index of the first byte of the line that was read last.
    private(set) var start: Int

    /// - Parameters:
    ///   - index: the first byte that is read; nil for the beginning.
    ///   - number: the line of that byte.
    init(_ bytes: TextSource, _ limits: CalendarLimits, from index: Int? = nil, line number: Int = 1) {
        self.bytes = bytes
        self.limits = limits
        self.number = number
        self.index = index ?? bytes.startIndex
        start = self.index
    }

    /// The line of the file that is read next.
    var place: TextPlace { TextPlace(line: number) }

    /// The next line that is not empty; nil at the end of the file.
    ///
    /// Throws `TextFormatError`: `tooLarge` for a line that is too long, `wrongEncoding` for one that is no UTF-8 once it is unfolded.
    mutating func next() throws(TextFormatError) -> Line? {
        while index < bytes.endIndex {
            let first = number
            start = index
            let line = try unfolded()
            try bytes.check()
            if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
            return Self.parsed(line, first)
        }
        return nil
    }

    private mutating func unfolded() throws(TextFormatError) -> [UInt8] {
        let first = number
        var line: [UInt8] = []
        // Where the second and later lines of the file begin in it.
        var folds: [Int] = []
        while true {
            var end = index
            while end < bytes.endIndex, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
            guard line.count + (end - index) <= limits.longestLine else {
                throw TextFormatError(
                    .tooLarge,
                    "The line has over \(limits.longestLine) bytes, and that is the most that is read. Remove it from the file.",
                    at: TextPlace(line: first))
            }
            line += bytes.array(index..<end)
            index = end
            if index < bytes.endIndex {
                let isCarriageReturn = bytes[index] == 0x0D
                index += 1
                if isCarriageReturn, index < bytes.endIndex, bytes[index] == 0x0A { index += 1 }
                number += 1
            }
            guard index < bytes.endIndex, bytes[index] == 0x20 || bytes[index] == 0x09 else { break }
            index += 1
            folds.append(line.count)
        }
        try TextBytes.check(line[...]) { Self.place($0, first, folds) }
        return line
    }

    /// The place of a byte of an unfolded line, which begins in some line of the file. A fold takes a column.
    private static func place(_ offset: Int, _ first: Int, _ folds: [Int]) -> TextPlace {
        let fold = folds.lastIndex { $0 <= offset }
        return TextPlace(
            line: first + (fold.map { $0 + 1 } ?? 0), column: fold.map { offset - folds[$0] + 2 } ?? offset + 1)
    }

    private static func parsed(_ line: [UInt8], _ number: Int) -> Line {
        var scanner = ContentLineScanner(line)
        do throws(ContentLineScanner.Fault) {
            return .property(try scanner.property(number))
        } catch {
            return .malformed(error.message, TextPlace(line: number, column: error.column))
        }
    }
}

/// Takes one unfolded line apart.
private struct ContentLineScanner {
    struct Fault: Error {
        let message: String
        let column: Int
    }

    private let line: [UInt8]
    private var index = 0

    init(_ line: [UInt8]) { self.line = line }

    mutating func property(_ number: Int) throws(Fault) -> CalendarProperty {
        let name = word()
        guard !name.isEmpty else { throw fault("it begins with no name") }
        var parameters: [CalendarProperty.Parameter] = []
        while index < line.count, line[index] == UInt8(ascii: ";") {
            index += 1
            guard parameters.count < 64 else { throw fault("it has over 64 parameters") }
            let name = word()
            guard !name.isEmpty, index < line.count, line[index] == UInt8(ascii: "=") else {
                throw fault("a parameter has no name and value")
            }
            var values: [String] = []
            repeat {
                index += 1
                values.append(try value())
            } while index < line.count && line[index] == UInt8(ascii: ",")
            parameters.append(.init(name: name, values: values))
        }
        guard index < line.count, line[index] == UInt8(ascii: ":") else { throw fault("a colon is missing") }
        return CalendarProperty(
            name: name, parameters: parameters, value: String(decoding: line[(index + 1)...], as: UTF8.self),
            line: number)
    }

    private func fault(_ message: String) -> Fault { Fault(message: message, column: index + 1) }

    /// Letters, digits and hyphens, in upper case. Spaces around it are skipped, as some programs write them.
    private mutating func word() -> String {
        skipSpaces()
        let start = index
        while index < line.count {
            let byte = line[index]
            let isPart = byte.isLetter || 0x30...0x39 ~= byte || [0x2D, 0x2E, 0x5F, 0x2F].contains(byte)
            guard isPart else { break }
            index += 1
        }
        let word = String(decoding: line[start..<index], as: UTF8.self).uppercased()
        skipSpaces()
        return word
    }

    private mutating func skipSpaces() { while index < line.count, line[index] == 0x20 { index += 1 } }

    /// A value of a parameter, quoted or not.
    private mutating func value() throws(Fault) -> String {
        guard index < line.count, line[index] == UInt8(ascii: "\"") else {
            let start = index
            while index < line.count, !",;:".utf8.contains(line[index]) { index += 1 }
            return Self.resolved(line[start..<index])
        }
        index += 1
        let start = index
        while index < line.count, line[index] != UInt8(ascii: "\"") { index += 1 }
        guard index < line.count else { throw fault("a quote is not closed") }
        index += 1
        return Self.resolved(line[start..<index - 1])
    }

    /// RFC 6868: `^n`, `^'` and `^^`.
    private static func resolved(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(UInt8(ascii: "^")) else { return String(decoding: bytes, as: UTF8.self) }
        var result: [UInt8] = []
        var isEscaped = false
        for byte in bytes {
            if isEscaped {
                switch byte {
                case UInt8(ascii: "n"): result.append(UInt8(ascii: "\n"))
                case UInt8(ascii: "'"): result.append(UInt8(ascii: "\""))
                case UInt8(ascii: "^"): result.append(byte)
                default: result += [UInt8(ascii: "^"), byte]
                }
                isEscaped = false
            } else if byte == UInt8(ascii: "^") {
                isEscaped = true
            } else {
                result.append(byte)
            }
        }
        if isEscaped { result.append(UInt8(ascii: "^")) }
        return String(decoding: result, as: UTF8.self)
    }
}

extension UInt8 {
    var isLetter: Bool { 0x41...0x5A ~= self || 0x61...0x7A ~= self }
    var isDigit: Bool { 0x30...0x39 ~= self }
}
