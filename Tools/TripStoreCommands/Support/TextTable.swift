/// Columns of text.
struct TextTable {
    /// To this width a column may be cut.
    private static let leastWidth = 10
    /// Before a column of names is cut to less, others are left out.
    private static let leastNameWidth = 20

    /// The columns whose cells are cut where the terminal is too narrow, the widest first.
    var cutting: [Int] = []
    /// The columns that are left out where that is not enough, and where all of their cells are empty; in this order.
    var dropping: [Int] = []
    /// A column of `cutting` that has names.
    var naming: Int?
    /// The columns of `cutting` whose cells are values with commas between them, which are cut between two.
    var listing: [Int] = []
    /// The columns of the terminal before which the lines are put.
    var indent = 0
    /// The styles of cells, by row and column.
    var style: (_ row: Int, _ column: Int) -> TextStyle? = { _, _ in nil }

    /// A line a row, each column as wide as its widest cell.
    static func lines(_ rows: [[String]], cutting: [Int] = [], dropping: [Int] = []) -> [String] {
        TextTable(cutting: cutting, dropping: dropping).lines(rows)
    }

    /// A line a row, each column as wide as its widest cell. Their texts are escaped, so that styles are all that a terminal interprets.
    func lines(_ rows: [[String]]) -> [String] {
        let layout = Console.current.layout
        let rows = rows.map { $0.map(layout.shown) }
        var (widths, leasts) = ([Int](), [Int]())
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count {
                    widths.append(0)
                    leasts.append(cutting.contains(column) ? Self.leastWidth : 0)
                }
                widths[column] = max(widths[column], cell.columns)
                if !cutting.contains(column) {
                    leasts[column] = widths[column]
                } else if listing.contains(column) {
                    leasts[column] = max(leasts[column], layout.leastWidth(ofList: cell))
                }
            }
        }
        var columns = widths.indices.filter { widths[$0] > 0 || !dropping.contains($0) }
        if let room = layout.columns.map({ $0 - indent }), !cutting.isEmpty {
            for column in dropping where least(columns, widths, leasts) > room { columns.removeAll { $0 == column } }
            narrow(&widths, of: columns, leasts, to: room)
        }
        return rows.enumerated().map { number, row in
            let last = columns.last { $0 < row.count }
            let cells = columns.filter { $0 < row.count }.map { column in
                let cell = cut(row[column], column, to: widths[column], layout)
                let space = column == last ? 0 : widths[column] - cell.columns
                return layout.styled(cell, style(number, column)) + String(repeating: " ", count: max(0, space))
            }
            return cells.joined(separator: "  ").replacing(/\ +$/, with: "")
        }
    }

    private func cut(_ cell: String, _ column: Int, to width: Int, _ layout: TextLayout) -> String {
        guard cutting.contains(column) else { return cell }
        return listing.contains(column) ? layout.cutList(cell, to: width) : layout.cut(cell, to: width)
    }

    /// How wide a line is at least.
    private func least(_ columns: [Int], _ widths: [Int], _ leasts: [Int]) -> Int {
        columns.reduce(2 * (columns.count - 1)) { sum, column in
            sum + min(widths[column], column == naming ? Self.leastNameWidth : leasts[column])
        }
    }

    private func narrow(_ widths: inout [Int], of columns: [Int], _ leasts: [Int], to room: Int) {
        let cuttable = columns.filter(cutting.contains)
        while columns.reduce(2 * (columns.count - 1), { $0 + widths[$1] }) > room {
            // What can be narrowed: a name last, when nothing else can.
            let open = cuttable.filter { widths[$0] > (($0 == naming) ? Self.leastNameWidth : leasts[$0]) }
            let widest = open.max { widths[$0] < widths[$1] } ?? naming.filter { widths[$0] > leasts[$0] }
            guard let widest else { return }
            widths[widest] -= 1
        }
    }
}

extension Optional {
    fileprivate func filter(_ isIncluded: (Wrapped) -> Bool) -> Wrapped? { flatMap { isIncluded($0) ? $0 : nil } }
}
