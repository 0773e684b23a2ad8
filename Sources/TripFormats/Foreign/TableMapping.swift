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
    /// A sign of ASCII.
    public private(set) var delimiter = UInt8(ascii: ",")
    let hasHeader: Bool
    let decimalSeparator: Character
    let patterns: [DatePattern]
    /// What the kinds' column says, for each kind.
    let kinds: [String: ForeignItem.Kind]
    /// Several columns are joined by a space.
    let columns: [Field: [Column]]
    let constants: [Field: String]
    /// The columns whose texts name a row.
    let key: [Column]
    /// Whether it names such columns: without, the kind, the name and the start name a row, so that another start makes another item.
    public var hasKey: Bool { !key.isEmpty }

    private static let keys: Set<String> = [
        "source", "delimiter", "header", "decimalSeparator", "dateFormats", "kinds", "columns", "constants", "id",
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
        if let value = members["delimiter"] {
            guard let text = value.text, text.utf8.count == 1, let sign = text.utf8.first,
                ![0x22, 0x0A, 0x0D].contains(sign)
            else { throw Self.invalid("'delimiter' must be one sign of ASCII, as \";\" or \"\\t\".", value) }
            delimiter = sign
        }
        hasHeader = try Self.bool(members["header"], "header") ?? true
        let separator = members["decimalSeparator"]
        guard separator == nil || [".", ","].contains(separator?.text) else {
            throw Self.invalid("'decimalSeparator' must be \".\" or \",\".", separator ?? document)
        }
        decimalSeparator = separator?.text == "," ? "," : "."
        patterns = try Self.patterns(members["dateFormats"])
        kinds = try Self.kinds(members["kinds"])
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

    private static func invalid(_ message: String, _ value: PlacedJSON) -> TextFormatError {
        TextFormatError(.invalidMapping, "\(message) Change the mapping.", at: value.place)
    }

    private static func bool(_ value: PlacedJSON?, _ name: String) throws(TextFormatError) -> Bool? {
        guard let value else { return nil }
        guard let bool = value.bool else { throw invalid("'\(name)' must be true or false.", value) }
        return bool
    }

    private static func patterns(_ value: PlacedJSON?) throws(TextFormatError) -> [DatePattern] {
        guard let value else {
            return ["yyyy-MM-ddTHH:mm:ss", "yyyy-MM-dd HH:mm", "yyyy-MM-ddTHH:mm", "yyyy-MM-dd"].compactMap {
                DatePattern($0)
            }
        }
        guard let values = value.list, !values.isEmpty, values.count <= 20 else {
            throw invalid("'dateFormats' must be a list of at most 20 formats, as [\"dd.MM.yyyy HH:mm\"].", value)
        }
        var patterns: [DatePattern] = []
        for value in values {
            let text = value.text ?? ""
            guard let pattern = DatePattern(text) else {
                throw invalid(
                    "\"\(text.prefix(40))\" is no date format: it is made of yyyy, MM or M, dd or d, HH or H, hh or h with a, mm, ss and signs.",
                    value)
            }
            patterns.append(pattern)
        }
        return patterns
    }

    private static func kinds(_ value: PlacedJSON?) throws(TextFormatError) -> [String: ForeignItem.Kind] {
        var kinds: [String: ForeignItem.Kind] = [:]
        for kind in ForeignItem.Kind.allCases { kinds[kind.rawValue] = kind }
        guard let value else { return kinds }
        guard let texts = value.object else { throw invalid("'kinds' must name a kind for each text.", value) }
        for (text, value) in texts {
            let name = value.text ?? ""
            guard let kind = ForeignItem.Kind(rawValue: name) else {
                throw invalid("\"\(name.prefix(40))\" is no kind: it is activity, lodging or transportation.", value)
            }
            kinds[text.lowercased()] = kind
        }
        return kinds
    }

    private static func field(_ name: String, _ value: PlacedJSON) throws(TextFormatError) -> Field {
        guard let field = Field(rawValue: name) else {
            let names = Field.allCases.map(\.rawValue).joined(separator: ", ")
            throw invalid("There is no field '\(name.prefix(40))': the fields are \(names).", value)
        }
        return field
    }

    private static func columns(_ value: PlacedJSON) throws(TextFormatError) -> [Field: [Column]] {
        guard let members = value.object else {
            throw invalid("'columns' must name the column of each field.", value)
        }
        var columns: [Field: [Column]] = [:]
        for (name, value) in members { columns[try field(name, value)] = try list(value, name) }
        return columns
    }

    private static func constants(_ value: PlacedJSON?) throws(TextFormatError) -> [Field: String] {
        guard let value else { return [:] }
        guard let members = value.object else { throw invalid("'constants' must be texts.", value) }
        var constants: [Field: String] = [:]
        for (name, value) in members {
            guard let text = value.text else { throw invalid("'constants' must be texts.", value) }
            constants[try field(name, value)] = text
        }
        return constants
    }

    private static func list(_ value: PlacedJSON, _ name: String) throws(TextFormatError) -> [Column] {
        let values = value.list ?? [value]
        guard !values.isEmpty, values.count <= 50 else {
            throw invalid("'\(name.prefix(40))' must name at least one column, and at most 50.", value)
        }
        var columns: [Column] = []
        for value in values {
            if let header = value.text {
                columns.append(Column(name: .header(header), place: value.place))
            } else if let number = value.integer, 1...1_000 ~= number {
                columns.append(Column(name: .number(number), place: value.place))
            } else {
                throw invalid(
                    "'\(name.prefix(40))' must be the header of a column, its number from 1 on, or a list of them.",
                    value
                )
            }
        }
        return columns
    }
}
