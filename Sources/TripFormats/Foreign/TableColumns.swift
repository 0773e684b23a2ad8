import Events

/// The columns of a table that a mapping names, by its header.
struct TableColumns {
    private(set) var fields: [TableMapping.Field: [Int]] = [:]
    private(set) var key: [Int] = []
    /// The texts of the header; none for a table without one.
    let names: [String]
    /// How many cells a row has.
    let count: Int

    /// - Parameters:
    ///   - header: nil for a table without one.
    ///   - count: of the cells of the first row of a table without a header; nil for a table without rows.
    /// - Throws: `invalidMapping` if a column that the mapping names is not there.
    init(_ mapping: TableMapping, _ header: [DelimitedReader.Cell]?, count: Int?) throws(TextFormatError) {
        names = header?.map(\.text.plain) ?? []
        let place = TextPlace(line: header?.first?.place.line ?? 1)
        for (field, columns) in mapping.columns.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            fields[field] = try Self.find(columns, names, header?.count ?? count, place)
        }
        key = try Self.find(mapping.key, names, header?.count ?? count, place)
        let used = (fields.values.joined() + key).max().map { $0 + 1 } ?? 0
        // Spreadsheets write a delimiter behind the last column.
        self.count = header == nil ? count ?? 0 : max(used, names.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? 0)
    }

    /// The name of a column for people.
    func name(_ index: Int) -> String {
        index < names.count && !names[index].isEmpty ? "'\(names[index].prefix(40))'" : "column \(index + 1)"
    }

    /// Returns where a name stands among others, in capitals or not; nil if it is none of them.
    static func index(of name: String, in names: [String]) -> Int? {
        let name = name.plain
        return names.firstIndex(of: name) ?? names.firstIndex { $0.lowercased() == name.lowercased() }
    }

    private static func find(
        _ columns: [TableMapping.Column], _ names: [String], _ count: Int?, _ place: TextPlace
    ) throws(TextFormatError) -> [Int] {
        var found: [Int] = []
        for column in columns {
            switch column.name {
            case .number(let number):
                if let count, number > count {
                    throw TextFormatError(
                        .invalidMapping,
                        "The table has \(count.counted("column")), and the mapping names column \(number) in its \(column.place). Change the "
                            + "mapping, or its delimiter.", at: place)
                }
                found.append(number - 1)
            case .header(let name):
                guard let index = index(of: name, in: names) else {
                    let known = names.filter { !$0.isEmpty }.prefix(50).joined(separator: ", ")
                    throw TextFormatError(
                        .invalidMapping,
                        "The table has no column '\(name.prefix(60))', which the mapping names in its \(column.place): it has \(known). "
                            + "Change the mapping, or its delimiter.", at: place)
                }
                found.append(index)
            }
        }
        return found
    }
}
