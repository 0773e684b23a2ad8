import Foundation

/// Which columns of a table say what of items: a JSON file that people write.
public struct TableMapping: Sendable {
    /// What a column, or a constant, may say.
    public enum Field: String, CaseIterable, Sendable {
        case name, kind, start, end, zone, endZone, cost, currency, address, latitude, longitude, place, confirmation,
            notes, category, stage,
            paid, url, mode, carrier, number, seat, from, to
    }

    /// A column by its header, or by its number, counted from 1.
    enum Column: Hashable, Sendable {
        case header(String)
        case number(Int)
    }

    /// What the rows' ids are unique in: two tables with the same source and the same keys are about the same items.
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

    private static let keys: Set<String> = [
        "source", "delimiter", "header", "decimalSeparator", "dateFormats", "kinds", "columns", "constants", "id",
    ]
    private static let largestFile = 1 << 20

    /// From JSON.
    ///
    /// Throws `TextFormatError` with `invalidMapping`, which says what is wrong, or with `empty`, `wrongEncoding` or `tooLarge`.
    public init(json: [UInt8]) throws(TextFormatError) {
        let bytes = try TextBytes(json, most: Self.largestFile).bytes
        let parsed = try? JSONSerialization.jsonObject(with: Data(bytes))
        guard let members = parsed as? [String: Any] else { throw Self.invalid("It is no JSON object.") }
        if let unknown = members.keys.filter({ !Self.keys.contains($0) }).min() {
            throw Self.invalid(
                "It has no '\(unknown.prefix(40))': the members are \(Self.keys.sorted().joined(separator: ", ")).")
        }
        guard let source = members["source"] as? String, !source.isEmpty, !source.utf8.contains(0),
            source.utf8.count <= 200
        else {
            throw Self.invalid("'source' must say whose table it is, as \"bank.example\": ids are unique in it.")
        }
        self.source = source
        if let value = members["delimiter"] {
            guard let text = value as? String, text.utf8.count == 1, let sign = text.utf8.first,
                ![0x22, 0x0A, 0x0D].contains(sign)
            else { throw Self.invalid("'delimiter' must be one sign of ASCII, as \";\" or \"\\t\".") }
            delimiter = sign
        }
        hasHeader = try Self.bool(members, "header") ?? true
        let separator = members["decimalSeparator"] as? String ?? "."
        guard members["decimalSeparator"] == nil || separator == "." || separator == "," else {
            throw Self.invalid("'decimalSeparator' must be \".\" or \",\".")
        }
        decimalSeparator = separator == "," ? "," : "."
        patterns = try Self.patterns(members["dateFormats"])
        kinds = try Self.kinds(members["kinds"])
        columns = try Self.columns(members["columns"])
        constants = try Self.constants(members["constants"])
        key = try members["id"].map { value throws(TextFormatError) in try Self.list(value, "id") } ?? []
        guard columns[.name] != nil || constants[.name] != nil else {
            throw Self.invalid("'columns' must say which column is the 'name'.")
        }
    }

    private static func invalid(_ message: String) -> TextFormatError {
        TextFormatError(.invalidMapping, "\(message) Change the mapping.")
    }

    private static func bool(_ members: [String: Any], _ name: String) throws(TextFormatError) -> Bool? {
        guard let value = members[name] else { return nil }
        guard let bool = value as? Bool else { throw invalid("'\(name)' must be true or false.") }
        return bool
    }

    private static func patterns(_ value: Any?) throws(TextFormatError) -> [DatePattern] {
        guard let value else {
            return ["yyyy-MM-ddTHH:mm:ss", "yyyy-MM-dd HH:mm", "yyyy-MM-ddTHH:mm", "yyyy-MM-dd"].compactMap {
                DatePattern($0)
            }
        }
        guard let texts = value as? [String], !texts.isEmpty, texts.count <= 20 else {
            throw invalid("'dateFormats' must be a list of at most 20 formats, as [\"dd.MM.yyyy HH:mm\"].")
        }
        var patterns: [DatePattern] = []
        for text in texts {
            guard let pattern = DatePattern(text) else {
                throw invalid(
                    "\"\(text.prefix(40))\" is no date format: it is made of yyyy, MM or M, dd or d, HH or H, hh or h with a, mm, ss and signs."
                )
            }
            patterns.append(pattern)
        }
        return patterns
    }

    private static func kinds(_ value: Any?) throws(TextFormatError) -> [String: ForeignItem.Kind] {
        var kinds: [String: ForeignItem.Kind] = [:]
        for kind in ForeignItem.Kind.allCases { kinds[kind.rawValue] = kind }
        guard let value else { return kinds }
        guard let texts = value as? [String: String] else { throw invalid("'kinds' must name a kind for each text.") }
        for (text, name) in texts {
            guard let kind = ForeignItem.Kind(rawValue: name) else {
                throw invalid("\"\(name.prefix(40))\" is no kind: it is activity, lodging or transportation.")
            }
            kinds[text.lowercased()] = kind
        }
        return kinds
    }

    private static func field(_ name: String) throws(TextFormatError) -> Field {
        guard let field = Field(rawValue: name) else {
            let names = Field.allCases.map(\.rawValue).joined(separator: ", ")
            throw invalid("There is no field '\(name.prefix(40))': the fields are \(names).")
        }
        return field
    }

    private static func columns(_ value: Any?) throws(TextFormatError) -> [Field: [Column]] {
        guard let members = value as? [String: Any] else {
            throw invalid("'columns' must name the column of each field.")
        }
        var columns: [Field: [Column]] = [:]
        for (name, value) in members { columns[try field(name)] = try list(value, name) }
        return columns
    }

    private static func constants(_ value: Any?) throws(TextFormatError) -> [Field: String] {
        guard let value else { return [:] }
        guard let members = value as? [String: String] else { throw invalid("'constants' must be texts.") }
        var constants: [Field: String] = [:]
        for (name, text) in members { constants[try field(name)] = text }
        return constants
    }

    private static func list(_ value: Any, _ name: String) throws(TextFormatError) -> [Column] {
        let values = value as? [Any] ?? [value]
        var columns: [Column] = []
        for value in values.prefix(50) {
            if let header = value as? String {
                columns.append(.header(header))
            } else if let number = value as? Int, 1...1_000 ~= number {
                columns.append(.number(number))
            } else {
                throw invalid(
                    "'\(name.prefix(40))' must be the header of a column, its number from 1 on, or a list of them.")
            }
        }
        guard !columns.isEmpty else { throw invalid("'\(name.prefix(40))' names no column.") }
        return columns
    }
}
