/// A table for spreadsheets, after RFC 4180: a header, then a record for each row, in UTF-8.
struct CSVTable {
    enum Cell {
        case text(String)
        /// Digits of the tool's own: they are no formula, whatever they begin with.
        case number(String)
        case empty
    }

    /// How a table is written.
    struct Form {
        /// Whether texts stay as they are that a spreadsheet takes for formulas.
        var isRaw = false
        /// Whether a byte order mark comes first: Excel takes a file without one for text in its system's old encoding.
        var hasMark = false
        var delimiter: Character = ","
    }

    let columns: [String]
    private(set) var rows: [[Cell]] = []

    init(columns: [String]) { self.columns = columns }

    /// Adds a row, which has a cell for each column.
    mutating func add(_ cells: [Cell]) { rows.append(cells) }

    /// Prints the records. Each ends with a carriage return and a line feed.
    func print(_ form: Form = Form()) {
        let console = Console.current
        var mark = form.hasMark ? "\u{FEFF}" : ""
        for record in records(form) {
            console.escapedOut(mark + record + "\r")
            mark = ""
        }
    }

    /// The header and the rows, without the ends of their lines.
    func records(_ form: Form = Form()) -> [String] {
        ([columns.map { .text($0) }] + rows).map { row in
            row.map { $0.record(form) }.joined(separator: String(form.delimiter))
        }
    }
}

extension CSVTable.Cell {
    static func integer(_ number: some BinaryInteger) -> Self { .number("\(number)") }

    static func optional(_ text: String?) -> Self { text.map { .text($0) } ?? .empty }

    /// The text between quotes where it has a delimiter, a quote or a line break; a quote in it is doubled.
    fileprivate func record(_ form: CSVTable.Form) -> String {
        let text = shown(isRaw: form.isRaw)
        guard case .text = self else {
            return text.contains(form.delimiter) ? "\"\(text)\"" : text
        }
        let isPlain =
            text.unicodeScalars.allSatisfy { !"\"\r\n".unicodeScalars.contains($0) } && !text.contains(form.delimiter)
        return isPlain ? text : "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    /// The text of the cell, without quotes.
    ///
    /// Spreadsheets take a text for a formula that begins with `=`, `+`, `-`, `@`, a tab or a carriage return: an apostrophe before it makes
    /// it a text, unless the texts are to stay as they are. What a terminal would interpret is escaped, but for tabs and line breaks.
    func shown(isRaw: Bool) -> String {
        switch self {
        case .empty: return ""
        case .number(let digits): return digits
        case .text(let text):
            let shown = Self.visible(text)
            let isFormula = shown.unicodeScalars.first.map { "=+-@\t\r".unicodeScalars.contains($0) } ?? false
            return isFormula && !isRaw ? "'" + shown : shown
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
