/// Columns of text.
enum TextTable {
    /// To this width a column may be cut.
    private static let leastWidth = 10

    /// A line a row, each column as wide as its widest cell.
    ///
    /// - Parameters:
    ///   - cuttable: the columns whose cells are cut where the terminal is too narrow, the widest first.
    ///   - droppable: the columns that are left out where that is not enough, and where all of their cells are empty; in this order.
    static func lines(_ rows: [[String]], cutting cuttable: [Int] = [], dropping droppable: [Int] = []) -> [String] {
        let layout = Console.current.layout
        let rows = rows.map { $0.map(layout.shown) }
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], cell.columns)
            }
        }
        var columns = widths.indices.filter { widths[$0] > 0 || !droppable.contains($0) }
        if let room = layout.columns, !cuttable.isEmpty {
            for column in droppable where least(columns, widths, cuttable) > room {
                columns.removeAll { $0 == column }
            }
            narrow(&widths, of: columns, cuttable, to: room)
        }
        return rows.map { row in
            let last = columns.last { $0 < row.count }
            let line = columns.filter { $0 < row.count }.map { column in
                let cell = cuttable.contains(column) ? layout.cut(row[column], to: widths[column]) : row[column]
                return column == last ? cell : cell.padded(to: widths[column])
            }.joined(separator: "  ")
            return line.replacing(/\ +$/, with: "")
        }
    }

    /// How wide a line is at least.
    private static func least(_ columns: [Int], _ widths: [Int], _ cuttable: [Int]) -> Int {
        columns.reduce(2 * (columns.count - 1)) { sum, column in
            sum + (cuttable.contains(column) ? min(widths[column], leastWidth) : widths[column])
        }
    }

    private static func narrow(_ widths: inout [Int], of columns: [Int], _ cuttable: [Int], to room: Int) {
        let cuttable = columns.filter(cuttable.contains)
        while columns.reduce(2 * (columns.count - 1), { $0 + widths[$1] }) > room {
            guard let widest = cuttable.max(by: { widths[$0] < widths[$1] }), widths[widest] > leastWidth else {
                return
            }
            widths[widest] -= 1
        }
    }
}
