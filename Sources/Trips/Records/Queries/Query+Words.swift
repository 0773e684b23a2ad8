import Events

/// A query in words: equal for equal queries, in every process.
extension Query {
    package var words: String {
        if let view = orderedView { return view.words }
        let conditions = condition.map { " where \($0.words)" } ?? ""
        let keys = sortKeys.map { "\($0.field.words)\($0.order.words)" }
        let schema = schema
        let kind = schema.own.map { " \($0.prefix.hexadecimal)" } ?? ""
        let predicates = predicates.map { " where \($0.words)" }.joined()
        return schema.name + kind + conditions + predicates
            + (keys.isEmpty ? "" : " sorted by \(keys.joined(separator: ", "))")
    }

    /// Names the query in cursors: the FNV-1a hash of its words.
    package var fingerprint: UInt64 {
        words.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

extension ConditionNode {
    fileprivate var words: String {
        switch self {
        case .all(let nodes): "(\(nodes.map(\.words).joined(separator: " and ")))"
        case .any(let nodes): "(\(nodes.map(\.words).joined(separator: " or ")))"
        case .not(let node): "not \(node.words)"
        case .isNil(let field): "\(field.words) is nil"
        case .compare(let field, let relation, let value): "\(field.words) \(relation.rawValue) \(value.words)"
        case .isOne(let field, let values): "\(field.words) one of \(values.map(\.words).sorted())"
        case .text(let field, let relation, let text): "\(field.words) \(relation.rawValue) '\(text)'"
        case .overlaps(let first, let last, let lower, let upper):
            "\(first.words) to \(last.words) overlaps \(lower.words) to \(upper.words)"
        case .contains(let field, let element): "\(field.words) has \(element.hexadecimal)"
        case .near(let field, let place, let distance):
            "\(field.words) within \(distance.millimeters) mm of \(place.latitude), \(place.longitude)"
        case .related(let condition): condition.words
        }
    }
}

extension RelatedCondition {
    fileprivate var words: String {
        let whose =
            switch link {
            case .named(let number): "field \(number) names"
            case .naming: "has"
            case .children: kinds.contains { $0.schema.parents == .any } ? "is the parent of" : "has"
            }
        let names = kinds.map { kind in
            let schema = kind.schema
            return schema.name + (schema.own.map { " \($0.prefix.hexadecimal)" } ?? "")
        }
        return "\(whose) \(names.joined(separator: ", ")) where \(condition.words)"
    }
}

extension QueriedField {
    fileprivate var words: String {
        switch self {
        case .field(let number): "field \(number)"
        case .id: "id"
        case .created: "createdAt"
        case .updated: "updatedAt"
        case .creation: "creation"
        case .either(let first, let other): "field \(first) or else \(other)"
        case .unknown(let property): property
        }
    }
}

extension QueryOrder {
    fileprivate var words: String { (isNatural ? " as people do" : "") + (isDescending ? " descending" : "") }
}

extension OrderedValue {
    fileprivate var words: String {
        switch self {
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .text(let text): "'\(text)'"
        case .money(let minorUnits, let currency): "\(minorUnits) \(currency)"
        case .bytes(let bytes): bytes.hexadecimal
        }
    }
}
