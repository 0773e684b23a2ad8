public import TripStore

/// The items that a table describes, by a mapping of its columns.
public struct TableItems: Sendable {
    public struct Entry: Sendable {
        /// The name of the row, unique among the rows of its source.
        public let externalID: String
        public let item: ForeignItem
        public let line: Int
    }

    public private(set) var entries: [Entry] = []
    /// Rows that are left out, each because of the cell that the error names.
    public private(set) var faults: [TextFormatError] = []
    /// Sentences for people about what was passed over or guessed.
    public let notes: [String]

    /// Reads a table. A row with a cell that cannot be read is left out. O(bytes).
    ///
    /// - Parameters:
    ///   - zone: of times whose row names none.
    ///   - currency: of costs whose row names none, and of signs of several currencies if it has the sign.
    /// - Throws: `TextFormatError` if the table has none of the columns, is cut off inside of quotes, is too large or is no text.
    public init(
        reading bytes: [UInt8], _ mapping: TableMapping, zone: String, currency: Currency
    ) throws(TextFormatError) {
        let header = try TableHeader(TableText(bytes, encoding: mapping.encoding), mapping)
        notes = header.notes
        var reader = header.reader
        let context = TableRow.Context(
            columns: header.columns, mapping: mapping, zone: zone, currency: currency,
            decimal: mapping.decimalSeparator ?? Self.decimalSeparator(in: reader, header.columns))
        while let cells = try Self.next(&reader, &faults) {
            if cells.allSatisfy({ $0.text.plain.isEmpty }) { continue }
            do throws(TextFormatError) {
                let row = TableRow(cells, context)
                try row.checkCount(isLast: reader.isAtEnd)
                entries.append(
                    Entry(externalID: try row.externalID(), item: try row.item(), line: cells[0].place.line))
            } catch {
                faults.append(error)
            }
        }
    }

    /// The next row that can be cut into cells; nil at the end.
    private static func next(
        _ reader: inout DelimitedReader, _ faults: inout [TextFormatError]
    ) throws(TextFormatError) -> [DelimitedReader.Cell]? {
        while true {
            do throws(TextFormatError) { return try reader.next() } catch {
                // Behind quotes that do not end, and beyond a bound, nothing tells where the next row begins.
                guard error.code == .malformed else { throw error }
                faults.append(error)
                reader.skipLine()
            }
        }
    }

    /// The sign before the fractions of the amounts, as those show it that can be read in one way alone; a point if none does.
    private static func decimalSeparator(in rows: DelimitedReader, _ columns: TableColumns) -> Character {
        guard let costs = columns.fields[.cost] else { return "." }
        var (reader, faults, commas, points) = (rows, [TextFormatError](), 0, 0)
        while let row = try? next(&reader, &faults) {
            for column in costs where column < row.count {
                switch AmountText.decimalSeparator(shownBy: row[column].text) {
                case ",": commas += 1
                case ".": points += 1
                default: break
                }
            }
        }
        return commas > points ? "," : "."
    }
}
