import Events

/// A row of which a condition is asked: a record with the values that were read of it.
struct RecordSubject {
    let query: RecordQuery
    let values: RecordQuery.Values
    /// Whether one of the entities that belong to the row, or that it names, meets a condition.
    let isRelated: (RelatedCondition) throws -> Bool

    func value(_ field: QueriedField) -> OrderedValue? { query.value(field, values) }

    /// The bytes of a text, if they are ASCII: what is searched in without making text of them.
    func asciiText(_ field: QueriedField) -> UnsafeRawBufferPointer? {
        guard case .field(let number) = field, let index = query.index(of: number),
            query.readings[index].type is String.Type, query.readings[index].isReadable == nil,
            let bytes = values.found[index], bytes.isASCII
        else { return nil }
        return bytes
    }

    /// The place of an address.
    func place(_ field: QueriedField) -> GlobePoint? {
        query.bytes(field, values).flatMap { GlobePoint(address: $0) }
    }

    /// Whether a collection has an element, or a map a key.
    func has(_ field: QueriedField, _ element: [UInt8]) -> Bool {
        guard case .field(let number) = field else { return false }
        return values.further?.has(element, in: number) ?? false
    }
}

extension ConditionNode {
    /// Whether a row meets it.
    func holds(for subject: RecordSubject) throws -> Bool {
        switch self {
        case .all(let nodes): return try nodes.allSatisfy { try $0.holds(for: subject) }
        case .any(let nodes): return try nodes.contains { try $0.holds(for: subject) }
        case .not(let node): return try !node.holds(for: subject)
        case .related(let condition): return try subject.isRelated(condition)
        case .isNil(let field): return subject.value(field) == nil
        case .contains(let field, let element): return subject.has(field, element)
        case .isOne(let field, let values): return subject.value(field).map(values.contains) ?? false
        case .compare(let field, let relation, let other):
            guard let order = subject.value(field)?.compared(to: other) else { return false }
            return relation.holds(order)
        case .near(let field, let place, let distance):
            return subject.place(field)?.isWithin(distance, of: place) ?? false
        case .text(let field, let relation, let text):
            if let bytes = subject.asciiText(field) { return TextFolding.holds(relation, text, inASCII: bytes) }
            guard case .text(let own)? = subject.value(field) else { return false }
            let folded = TextFolding.folded(own)
            return switch relation {
            // By bytes: a letter is found without the marks that follow it.
            case .contains: ByteSearch.contains(text, in: folded)
            case .begins: folded.utf8.starts(with: text.utf8)
            case .equals: folded.utf8.elementsEqual(text.utf8)
            }
        case .overlaps(let first, let last, let lower, let upper):
            // A cleared end counts as the start, and a cleared start as the end.
            guard let start = subject.value(first) ?? subject.value(last),
                let end = subject.value(last) ?? subject.value(first)
            else { return false }
            let isBefore = start.compared(to: upper).map { $0 <= 0 } ?? false
            // An end before the start, which a merge may leave, counts as the start.
            let reached = (start.compared(to: end) ?? 0) > 0 ? start : end
            return isBefore && (reached.compared(to: lower).map { $0 >= 0 } ?? false)
        }
    }
}

extension ConditionNode.Relation {
    fileprivate func holds(_ order: Int) -> Bool {
        switch self {
        case .equal: order == 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        }
    }
}
