import Foundation

/// Which columns of a table say what of items: a JSON file that people write.
public struct TableMapping: Sendable {
    /// A field of an item that a column, or a constant, may fill.
    public enum Field: String, CaseIterable, Sendable {
        case name, kind, start, end, zone, endZone, cost, currency, address, latitude, longitude, place, confirmation,
            notes, category, stage,
            paid, url, mode, carrier, number, seat, from, to
    }

    /// A column by its header, or by its number, counted from 1; and where the mapping names it.
    struct Column: Hashable, Sendable {
        enum Name: Hashable, Sendable {
            case header(String)
            case number(Int)
        }

        let name: Name
        let place: TextPlace
    }

    /// The source within which the rows' ids are unique: two tables with the same source and the same keys are about
    /// the same items.
    public let source: String
    /// A sign of ASCII; nil if the table is to show it.
    let delimiter: UInt8?
    /// Nil if the bytes are to show it.
    let encoding: String.Encoding?
    let hasHeader: Bool
    /// A point or a comma; nil if the amounts are to show it.
    let decimalSeparator: Character?
    let patterns: [DatePattern]
    /// What the kinds' column says, for each kind.
    let kinds: [String: ForeignItem.Kind]
    /// The store's words for other texts of stages, payments, means of transport and currencies.
    let words: [Field: [String: String]]
    /// Several columns are joined by a space.
    let columns: [Field: [Column]]
    let constants: [Field: String]
    /// The columns whose texts name a row.
    let key: [Column]
    /// Whether it names such columns: without, the kind, the name and the start name a row, so that another start makes another item.
    public var hasKey: Bool { !key.isEmpty }

    private static let keys: Set<String> = [
        "source", "delimiter", "encoding", "header", "decimalSeparator", "dateFormats", "kinds", "values", "columns",
        "constants", "id",
    ]
    private static let largestFile = 1 << 20

    /// Reads a mapping from a file of JSON.
    ///
    /// Throws `TextFormatError` as `init(json:)` does, with the path as its file, or with `unreadable`.
    public init(path: String) throws(TextFormatError) {
        do throws(TextFormatError) {
            try self.init(json: TextBytes.contents(of: path))
        } catch {
            var named = error
            named.file = path
            throw named
        }
    }

    /// Reads a mapping from JSON.
    ///
    /// Throws `TextFormatError` with `invalidMapping`, which says where what is wrong, or with `empty`, `wrongEncoding` or `tooLarge`.
    public init(json: [UInt8]) throws(TextFormatError) {
        let document = try PlacedJSON(
            parsing: try TextBytes(json, most: Self.largestFile).bytes, code: .invalidMapping)
        guard let object = document.object else { throw Self.invalid("It is no JSON object.", document) }
        var members: [String: PlacedJSON] = [:]
        for (name, value) in object {
            guard Self.keys.contains(name) else {
                throw Self.invalid(
                    "It has no '\(name.prefix(40))': the members are \(Self.keys.sorted().joined(separator: ", ")).",
                    value
                )
            }
            members[name] = value
        }
        guard let source = members["source"]?.text, !source.isEmpty, !source.utf8.contains(0),
            source.utf8.count <= 200
        else {
            throw Self.invalid(
                "'source' must say whose table it is, as \"bank.example\": ids are unique in it.",
                members["source"] ?? document)
        }
        self.source = source
        delimiter = try Self.delimiter(members["delimiter"])
        encoding = try Self.encoding(members["encoding"])
        hasHeader = try Self.bool(members["header"], "header") ?? true
        let separator = members["decimalSeparator"]
        guard separator == nil || [".", ","].contains(separator?.text) else {
            throw Self.invalid("'decimalSeparator' must be \".\" or \",\".", separator ?? document)
        }
        decimalSeparator = separator?.text.flatMap(\.first)
        patterns = try Self.patterns(members["dateFormats"])
        kinds = try Self.kinds(members["kinds"])
        words = try Self.words(members["values"])
        guard let named = members["columns"] else {
            throw Self.invalid("'columns' must name the column of each field.", document)
        }
        columns = try Self.columns(named)
        constants = try Self.constants(members["constants"])
        key = try members["id"].map { value throws(TextFormatError) in try Self.list(value, "id") } ?? []
        guard columns[.name] != nil || constants[.name] != nil else {
            throw Self.invalid("'columns' must say which column is the 'name'.", named)
        }
    }
}
