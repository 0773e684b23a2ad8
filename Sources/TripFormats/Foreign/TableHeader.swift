import Events

/// The line at which the rows of a table begin, and the names of its columns: banks write lines of their own before the header.
struct TableHeader {
    /// At the first row behind the header.
    let reader: DelimitedReader
    let columns: TableColumns
    /// Sentences about what was passed over or guessed, for people.
    let notes: [String]

    /// How many rows may be before the header.
    private static let mostRows = 200
    /// The delimiters that are tried, in their order, if neither the table nor the mapping names one.
    private static let delimiters = [UInt8](",;\t|".utf8)

    private struct Candidate {
        let header: [DelimitedReader.Cell]
        let reader: DelimitedReader
        /// How many of the names of the mapping it has.
        let matches: Int
        /// Rows before it.
        let rows: Int
    }

    /// Throws `TextFormatError`: `invalidMapping` if no row has all columns that the mapping names, and what `DelimitedReader` throws.
    init(_ text: TableSource, _ mapping: TableMapping) throws(TextFormatError) {
        let delimiters = text.delimiter.map { [$0] } ?? mapping.delimiter.map { [$0] } ?? Self.delimiters
        var notes = text.note.map { [$0] } ?? []
        guard mapping.hasHeader else {
            (reader, columns) = try Self.headless(text, mapping, delimiters)
            self.notes = notes
            return
        }
        var best: Candidate?
        var fault: TextFormatError?
        let names = Self.names(mapping)
        for delimiter in delimiters where best.map({ $0.matches < names.count }) ?? true {
            let reader = Self.reader(text, delimiter)
            let found = Self.header(names, wanted: Self.columnCount(mapping), reader, &fault)
            if let found, best.map({ found.matches > $0.matches }) ?? true { best = found }
        }
        guard let best else {
            throw fault ?? TextFormatError(.empty, "It has no header. Check that it was saved whole.")
        }
        columns = try TableColumns(mapping, best.header, count: nil)
        reader = best.reader
        if best.rows > 0 {
            let line = best.header.first?.place.line ?? 1
            notes.append("The header is in line \(line). Passed over before it: \(best.rows.counted("row")).")
        }
        for name in names where columns.names.count(where: { $0.lowercased() == name.plain.lowercased() }) > 1 {
            notes.append(
                "Several columns are called '\(name.prefix(40))': the first counts. To take another, name its number.")
        }
        self.notes = notes
    }

    /// A table without a header: that its first row has the columns of the mapping is all that tells its delimiter.
    private static func headless(
        _ text: TableSource, _ mapping: TableMapping, _ delimiters: [UInt8]
    ) throws(TextFormatError) -> (DelimitedReader, TableColumns) {
        var best: (reader: DelimitedReader, count: Int?)?
        for delimiter in delimiters {
            let reader = reader(text, delimiter)
            var ahead = reader
            let count = (try? ahead.next())?.count
            if best == nil || (count ?? 0) >= columnCount(mapping) { best = (reader, count) }
            if (count ?? 0) >= columnCount(mapping) { break }
        }
        guard let best else { throw TextFormatError(.empty, "It is empty. Check that it was saved whole.") }
        return (best.reader, try TableColumns(mapping, nil, count: best.count))
    }

    private static func reader(_ text: TableSource, _ delimiter: UInt8) -> DelimitedReader {
        var reader = DelimitedReader(text.source, delimiter)
        if text.delimiter != nil { reader.skipLine() }
        return reader
    }

    /// The first row that has all names, else that with the most; nil for a table without rows.
    private static func header(
        _ names: [String], wanted: Int, _ start: DelimitedReader, _ fault: inout TextFormatError?
    ) -> Candidate? {
        var (reader, best, rows) = (start, Candidate?.none, 0)
        while rows < mostRows {
            // A line that cannot be read is skipped from its start: those before it must not be read again.
            reader.skipEmptyLines()
            var ahead = reader
            do throws(TextFormatError) {
                guard let row = try ahead.next() else { break }
                let texts = row.map(\.text.plain)
                if texts.allSatisfy(\.isEmpty) {
                    reader = ahead
                    continue
                }
                let matches = names.count { TableColumns.index(of: $0, in: texts) != nil }
                let isWhole = matches == names.count && row.count >= wanted
                if best == nil || isWhole || matches > best?.matches ?? 0 {
                    best = Candidate(
                        header: row, reader: ahead, matches: isWhole ? matches : min(matches, names.count - 1),
                        rows: rows)
                }
                if isWhole { break }
                reader = ahead
                rows += 1
            } catch {
                // Lines before a header need not be a table.
                fault = fault ?? error
                reader.skipLine()
                rows += 1
            }
        }
        return best
    }

    /// The headers that a mapping names, each once.
    private static func names(_ mapping: TableMapping) -> [String] {
        let names = (mapping.columns.values.joined() + mapping.key).compactMap { column in
            if case .header(let name) = column.name { name } else { nil }
        }
        return Set(names).sorted()
    }

    /// The highest number of a column that a mapping names.
    private static func columnCount(_ mapping: TableMapping) -> Int {
        (mapping.columns.values.joined() + mapping.key).reduce(1) { most, column in
            if case .number(let number) = column.name { max(most, number) } else { most }
        }
    }
}
