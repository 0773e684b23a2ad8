import Foundation
import TripStore

extension TableMapping {
    static func invalid(_ message: String, _ value: PlacedJSON) -> TextFormatError {
        TextFormatError(.invalidMapping, "\(message) Change the mapping.", at: value.place)
    }

    static func delimiter(_ value: PlacedJSON?) throws(TextFormatError) -> UInt8? {
        guard let value else { return nil }
        guard let text = value.text, text.utf8.count == 1, let sign = text.utf8.first,
            ![0x22, 0x0A, 0x0D].contains(sign)
        else { throw invalid("'delimiter' must be one sign of ASCII, as \";\" or \"\\t\".", value) }
        return sign
    }

    static func encoding(_ value: PlacedJSON?) throws(TextFormatError) -> String.Encoding? {
        guard let value else { return nil }
        guard let encoding = value.text.flatMap({ TableText.encodings[$0.lowercased()] }) else {
            let names = TableText.encodings.keys.sorted().joined(separator: ", ")
            throw invalid("'encoding' must be one of \(names).", value)
        }
        return encoding
    }

    /// The words of the store for texts of a table, by field.
    static func words(_ value: PlacedJSON?) throws(TextFormatError) -> [Field: [String: String]] {
        guard let value else { return [:] }
        guard let fields = value.object else {
            throw invalid(
                "'values' must say for fields what their texts mean, as {\"stage\": {\"Confirmed\": \"booked\"}}.",
                value)
        }
        var words: [Field: [String: String]] = [:]
        for (name, value) in fields {
            let field = try field(name, value)
            guard let texts = value.object else {
                throw invalid("'\(name)' must name what each of its texts means.", value)
            }
            for (text, value) in texts {
                guard let word = value.text, field.has(word) else {
                    throw invalid("\"\((value.text ?? "").prefix(40))\" is no \(name): \(field.expectation).", value)
                }
                words[field, default: [:]][text.folded] = word
            }
        }
        return words
    }

    static func bool(_ value: PlacedJSON?, _ name: String) throws(TextFormatError) -> Bool? {
        guard let value else { return nil }
        guard let bool = value.bool else { throw invalid("'\(name)' must be true or false.", value) }
        return bool
    }

    static func patterns(_ value: PlacedJSON?) throws(TextFormatError) -> [DatePattern] {
        guard let value else {
            return [
                "yyyy-MM-ddTHH:mm:ss", "yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd HH:mm", "yyyy-MM-ddTHH:mm", "yyyy-MM-dd",
            ].compactMap { DatePattern($0) }
        }
        guard let values = value.list, !values.isEmpty, values.count <= 20 else {
            throw invalid("'dateFormats' must be a list of at most 20 formats, as [\"dd.MM.yyyy HH:mm\"].", value)
        }
        var patterns: [DatePattern] = []
        for value in values {
            let text = value.text ?? ""
            guard let pattern = DatePattern(text) else {
                throw invalid(
                    "\"\(text.prefix(40))\" is no date format: it is made of yyyy or yy, MM, M or MMM, dd or d, EEE, HH or H, hh or h with a, "
                        + "mm, ss, SSS, XXX, signs, and text between apostrophes.",
                    value)
            }
            patterns.append(pattern)
        }
        return patterns
    }

    static func kinds(_ value: PlacedJSON?) throws(TextFormatError) -> [String: ForeignItem.Kind] {
        var kinds: [String: ForeignItem.Kind] = [:]
        for kind in ForeignItem.Kind.allCases { kinds[kind.rawValue] = kind }
        guard let value else { return kinds }
        guard let texts = value.object else { throw invalid("'kinds' must name a kind for each text.", value) }
        for (text, value) in texts {
            let name = value.text ?? ""
            guard let kind = ForeignItem.Kind(rawValue: name) else {
                throw invalid("\"\(name.prefix(40))\" is no kind: it is activity, lodging or transportation.", value)
            }
            kinds[text.folded] = kind
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

    static func columns(_ value: PlacedJSON) throws(TextFormatError) -> [Field: [Column]] {
        guard let members = value.object else {
            throw invalid("'columns' must name the column of each field.", value)
        }
        var columns: [Field: [Column]] = [:]
        for (name, value) in members { columns[try field(name, value)] = try list(value, name) }
        return columns
    }

    static func constants(_ value: PlacedJSON?) throws(TextFormatError) -> [Field: String] {
        guard let value else { return [:] }
        guard let members = value.object else { throw invalid("'constants' must be texts.", value) }
        var constants: [Field: String] = [:]
        for (name, value) in members {
            guard let text = value.text else { throw invalid("'constants' must be texts.", value) }
            constants[try field(name, value)] = text
        }
        return constants
    }

    static func list(_ value: PlacedJSON, _ name: String) throws(TextFormatError) -> [Column] {
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

extension TableMapping.Field {
    /// Whether a word of the store, or a code, is a value of the field.
    fileprivate func has(_ word: String) -> Bool {
        switch self {
        case .stage: PlanningStage(named: word) != nil
        case .paid: PaidStatus(named: word) != nil
        case .mode: TransportationMode(named: word) != nil
        case .kind: ForeignItem.Kind(rawValue: word) != nil
        case .currency: Currency(word) != nil
        default: false
        }
    }

    fileprivate var expectation: String {
        switch self {
        case .stage: PlanningStage.names
        case .paid: PaidStatus.names
        case .mode: TransportationMode.names
        case .kind: ForeignItem.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        case .currency: "a code of ISO 4217, as EUR"
        default: "only stage, paid, mode, kind and currency have words"
        }
    }
}
