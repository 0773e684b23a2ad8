/// Reads tables of RFC 4180: cells that a delimiter separates, and that quotes may enclose. Time and memory are linear in the bytes.
public struct DelimitedReader {
    public struct Cell: Hashable, Sendable {
        public let text: String
        public let place: TextPlace
    }

    private static let largestFile = 64 << 20
    private static let mostCells = 1_000
    private static let longestCell = 1 << 20

    private let bytes: TextSource
    private let delimiter: UInt8
    private var index: Int
    private var line = 1
    private var lineStart: Int
    private var rows = 0

    /// - Parameter delimiter: a comma, a semicolon, a tab or another sign of ASCII.
    /// - Throws: `TextFormatError` with `empty`, `wrongEncoding` or `tooLarge`.
    public init(_ bytes: [UInt8], delimiter: UInt8 = UInt8(ascii: ",")) throws(TextFormatError) {
        self.init(TextSource(try TextBytes(bytes, most: Self.largestFile).bytes), delimiter)
    }

    /// - Parameter source: text in UTF-8.
    init(_ source: TextSource, _ delimiter: UInt8) {
        (bytes, self.delimiter) = (source, delimiter)
        index = source.startIndex
        lineStart = index
    }

    /// Whether all bytes are read.
    var isAtEnd: Bool { index == bytes.endIndex }

    private var place: TextPlace { TextPlace(line: line, column: index - lineStart + 1) }

    /// The next row that is not empty; nil at the end.
    ///
    /// Throws `TextFormatError`: `malformed` for a quote in the middle of a cell, `truncated` for one that is not closed, `tooLarge` for
    /// rows, cells and texts beyond 5,000,000, 1,000 and 1 MiB.
    public mutating func next() throws(TextFormatError) -> [Cell]? {
        while true {
            skipEmptyLines()
            guard index < bytes.endIndex else { return nil }
            let row = try row()
            try bytes.check()
            if row.count == 1, row[0].text.isEmpty { continue }
            rows += 1
            guard rows <= KnownHashes.mostRecords else {
                throw tooLarge("It has over \(KnownHashes.mostRecords) rows. Split it into smaller files.")
            }
            return row
        }
    }

    /// O(bytes that are skipped).
    mutating func skipEmptyLines() {
        while index < bytes.endIndex, bytes[index] == 0x0A || bytes[index] == 0x0D { endLine() }
    }

    /// Goes on behind the end of the line, as after an error in a row. O(bytes of the line).
    package mutating func skipLine() {
        while index < bytes.endIndex, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
        if index < bytes.endIndex { endLine() }
    }

    private func tooLarge(_ message: String) -> TextFormatError { TextFormatError(.tooLarge, message, at: place) }

    private mutating func row() throws(TextFormatError) -> [Cell] {
        var cells: [Cell] = []
        while true {
            guard cells.count < Self.mostCells else {
                throw tooLarge("The row has over \(Self.mostCells) cells. Check the delimiter.")
            }
            cells.append(try cell())
            guard index < bytes.endIndex else { return cells }
            if bytes[index] == delimiter {
                index += 1
                continue
            }
            endLine()
            return cells
        }
    }

    private mutating func endLine() {
        if bytes[index] == 0x0D, index + 1 < bytes.endIndex, bytes[index + 1] == 0x0A { index += 1 }
        index += 1
        line += 1
        lineStart = index
    }

    private var isAtEndOfCell: Bool {
        index == bytes.endIndex || bytes[index] == delimiter || bytes[index] == 0x0A || bytes[index] == 0x0D
    }

    private mutating func cell() throws(TextFormatError) -> Cell {
        let start = place
        let quote = UInt8(ascii: "\"")
        // As some write a number that a spreadsheet is to take for a text.
        if index + 1 < bytes.endIndex, bytes[index] == UInt8(ascii: "="), bytes[index + 1] == quote { index += 1 }
        guard index < bytes.endIndex, bytes[index] == quote else {
            let first = index
            while !isAtEndOfCell {
                guard bytes[index] != quote else {
                    throw TextFormatError(
                        .malformed,
                        "A quote stands in a cell that no quote begins. Enclose the cell in quotes, and double the quotes in it.",
                        at: place)
                }
                index += 1
            }
            return try Cell(text: text(first..<index), place: start)
        }
        index += 1
        var content: [UInt8] = []
        while true {
            guard index < bytes.endIndex else {
                throw TextFormatError(
                    .truncated,
                    "The file ends inside of the quotes that begin here: a quote is missing, or the file was cut off.",
                    at: start)
            }
            let byte = bytes[index]
            if byte == quote {
                index += 1
                if index < bytes.endIndex, bytes[index] == quote {
                    content.append(quote)
                    index += 1
                    continue
                }
                guard isAtEndOfCell else {
                    throw TextFormatError(
                        .malformed,
                        "Something follows the quote that ends a cell. Check the delimiter, and double quotes in cells.",
                        at: place)
                }
                return Cell(text: String(decoding: content, as: UTF8.self), place: start)
            }
            content.append(byte)
            index += 1
            if byte == 0x0A {
                line += 1
                lineStart = index
            }
            guard content.count <= Self.longestCell else {
                throw tooLarge("A cell has over 1 MiB. Check its quotes.")
            }
        }
    }

    private func text(_ range: Range<Int>) throws(TextFormatError) -> String {
        guard range.count <= Self.longestCell else { throw tooLarge("A cell has over 1 MiB. Check the delimiter.") }
        return String(decoding: bytes.array(range), as: UTF8.self)
    }
}
