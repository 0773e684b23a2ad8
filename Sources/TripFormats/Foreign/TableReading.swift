import Foundation
import TripStore

/// The text of a table in UTF-8, in memory or in its file.
struct TableSource {
    let source: TextSource
    /// The sign that a first line such as `sep=;` names.
    let delimiter: UInt8?
    /// A sentence for people if the encoding was guessed.
    let note: String?

    private static let largest = 64 << 20

    private init(source: TextSource, delimiter: UInt8?, note: String?) {
        (self.source, self.delimiter, self.note) = (source, delimiter, note)
    }

    /// Throws `TextFormatError`: `empty`, `wrongEncoding` or `tooLarge`.
    init(_ bytes: [UInt8], _ mapping: TableMapping) throws(TextFormatError) {
        let text = TableText(bytes, encoding: mapping.encoding)
        let source = TextSource(try TextBytes(text.bytes, most: Self.largest).bytes)
        self.init(source: source, delimiter: text.delimiter, note: text.note)
    }

    /// Leaves a file of more than `most` bytes where it is if it is UTF-8; of another encoding at most 64 MiB are read.
    init(
        path: String, _ mapping: TableMapping, mostInMemory most: Int, isChecked: Bool
    ) throws(TextFormatError) {
        if mapping.encoding == nil || mapping.encoding == .utf8,
            let file = try? TextSource(path: path, isChecked: isChecked), file.endIndex > most
        {
            self.init(source: file, delimiter: TableText.namedDelimiter(file.prefix(16)), note: nil)
        } else {
            try self.init(TextBytes.contents(of: path), mapping)
        }
    }
}

/// Reads the rows of a table one after another.
struct TableReading {
    enum Row {
        case entry(TableItems.Entry)
        /// A row that is left out, because of the cell that the error names.
        case fault(TextFormatError)
    }

    let notes: [String]
    private var reader: DelimitedReader
    private let context: TableRow.Context

    /// Throws `TextFormatError` as `TableItems` does.
    init(
        _ source: TableSource, _ mapping: TableMapping, zone: String, currency: Currency
    ) throws(TextFormatError) {
        let header = try TableHeader(source, mapping)
        notes = header.notes
        reader = header.reader
        context = TableRow.Context(
            columns: header.columns, mapping: mapping, zone: zone, currency: currency,
            decimal: mapping.decimalSeparator ?? Self.decimalSeparator(in: reader, header.columns))
    }

    /// The next row that is not empty; nil at the end.
    mutating func next() throws(TextFormatError) -> Row? {
        while true {
            do throws(TextFormatError) {
                guard let cells = try reader.next() else { return nil }
                if cells.allSatisfy({ $0.text.plain.isEmpty }) { continue }
                return row(cells)
            } catch {
                // Behind quotes that do not end, and beyond a bound, nothing tells where the next row begins.
                guard error.code == .malformed else { throw error }
                reader.skipLine()
                return .fault(error)
            }
        }
    }

    private func row(_ cells: [DelimitedReader.Cell]) -> Row {
        do throws(TextFormatError) {
            let row = TableRow(cells, context)
            try row.checkCount(isLast: reader.isAtEnd)
            return .entry(
                TableItems.Entry(externalID: try row.externalID(), item: try row.item(), line: cells[0].place.line))
        } catch { return .fault(error) }
    }

    /// The sign before the fractions of the amounts, as those show it that can be read in one way alone; a point if none does.
    private static func decimalSeparator(in rows: DelimitedReader, _ columns: TableColumns) -> Character {
        guard let costs = columns.fields[.cost] else { return "." }
        var (reader, commas, points) = (rows, 0, 0)
        while true {
            let row: [DelimitedReader.Cell]
            do throws(TextFormatError) {
                guard let next = try reader.next() else { break }
                row = next
            } catch {
                guard error.code == .malformed else { break }
                reader.skipLine()
                continue
            }
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
