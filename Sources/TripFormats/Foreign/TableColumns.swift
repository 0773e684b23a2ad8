/// The indexes of the columns that a mapping names.
struct TableColumns {
    private(set) var fields: [TableMapping.Field: [Int]] = [:]
    private(set) var key: [Int] = []

    /// - Parameter count: of the columns; nil for a table without rows.
    init(_ mapping: TableMapping, _ header: [DelimitedReader.Cell], count: Int?) throws(TextFormatError) {
        var indexes: [String: Int] = [:]
        for (index, cell) in header.enumerated() where indexes[cell.text.trimmed] == nil {
            indexes[cell.text.trimmed] = index
        }
        for (field, columns) in mapping.columns.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            fields[field] = try Self.find(columns, indexes, count)
        }
        key = try Self.find(mapping.key, indexes, count)
    }

    private static func find(
        _ columns: [TableMapping.Column], _ indexes: [String: Int], _ count: Int?
    ) throws(TextFormatError) -> [Int] {
        var found: [Int] = []
        for column in columns {
            switch column.name {
            case .number(let number):
                if let count, number > count {
                    throw TextFormatError(
                        .invalidMapping,
                        "The table has \(count) columns, and the mapping names column \(number) in its \(column.place). Change the "
                            + "mapping, or its delimiter.", at: TextPlace(line: 1))
                }
                found.append(number - 1)
            case .header(let name):
                guard let index = indexes[name.trimmed] else {
                    let known = indexes.sorted { $0.value < $1.value }.map(\.key).prefix(50).joined(separator: ", ")
                    throw TextFormatError(
                        .invalidMapping,
                        "The table has no column '\(name.prefix(60))', which the mapping names in its \(column.place): it has \(known). "
                            + "Change the mapping, or its delimiter.", at: TextPlace(line: 1))
                }
                found.append(index)
            }
        }
        return found
    }
}
