/// A table for spreadsheets, after RFC 4180: a header, then a record for each row, in UTF-8.
struct CSVTable {
    enum Cell {
        case text(String)
        /// Digits of the tool's own: they are no formula, whatever they begin with.
        case number(String)
        case empty
    }

    let columns: [String]
    private(set) var rows: [[Cell]] = []

    init(columns: [String]) { self.columns = columns }

    /// Adds a row, which has a cell for each column.
    mutating func add(_ cells: [Cell]) { rows.append(cells) }

    /// Prints the records. Each ends with a carriage return and a line feed.
    func print(isRaw: Bool = false) {
        let console = Console.current
        for record in records(isRaw: isRaw) { console.escapedOut(record + "\r") }
    }

    /// The header and the rows, without the ends of their lines.
    var records: [String] { records(isRaw: false) }

    private func records(isRaw: Bool) -> [String] {
        ([columns.map { .text($0) }] + rows).map { row in
            row.map { $0.record(isRaw: isRaw) }.joined(separator: ",")
        }
    }
}

extension CSVTable.Cell {
    static func integer(_ number: some BinaryInteger) -> Self { .number("\(number)") }

    static func optional(_ text: String?) -> Self { text.map { .text($0) } ?? .empty }

    /// The text between quotes where it has a separator, a quote or a line break; a quote in it is doubled.
    ///
    /// Spreadsheets take a text for a formula that begins with `=`, `+`, `-`, `@`, a tab or a carriage return: an apostrophe before it makes
    /// it a text, unless the texts are to stay as they are. What a terminal would interpret is escaped, but for tabs and line breaks.
    fileprivate func record(isRaw: Bool) -> String {
        switch self {
        case .empty: return ""
        case .number(let digits): return digits
        case .text(let text):
            let shown = Self.visible(text)
            let isFormula = shown.unicodeScalars.first.map { "=+-@\t\r".unicodeScalars.contains($0) } ?? false
            let safe = isFormula && !isRaw ? "'" + shown : shown
            let isPlain = safe.unicodeScalars.allSatisfy { !",\"\r\n".unicodeScalars.contains($0) }
            return isPlain ? safe : "\"" + safe.replacing("\"", with: "\"\"") + "\""
        }
    }

    private static func visible(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: \.isInvisible) else { return text }
        var (shown, part) = ("", "")
        for scalar in text.unicodeScalars {
            guard "\t\r\n".unicodeScalars.contains(scalar) else {
                part.unicodeScalars.append(scalar)
                continue
            }
            shown += part.visible
            shown.unicodeScalars.append(scalar)
            part = ""
        }
        return shown + part.visible
    }
}
