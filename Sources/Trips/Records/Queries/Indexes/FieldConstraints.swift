package import Events
package import Foundation

/// What a condition demands of single fields, as far as an index can use it: every entity that meets the condition meets all of it.
package struct FieldConstraints {
    /// A range of the values of one field, as keys of an index.
    struct Bounds {
        var ranges: [IndexPlan.Range]
        /// Bounded on either side.
        var isNarrow: Bool
        /// Whether everything inside of it meets the bounds.
        var isExact: Bool
        /// Whether it may hold the value that a cleared field has.
        var mayHoldCleared: Bool
    }

    private let nodes: [ConditionNode]
    private let fields: [QueriedField]

    package init(_ query: RecordQuery) { self.init(query.condition?.conjuncts ?? []) }

    private init(_ nodes: [ConditionNode]) {
        self.nodes = nodes
        fields = nodes.flatMap(\.fields)
    }

    /// For each condition of alternatives what the whole demands with one of these: all entities together that meet one of the demands include
    /// those that meet the condition.
    package var alternatives: [[FieldConstraints]] {
        guard nodes.count <= Self.mostConjuncts else { return [] }
        return nodes.indices.compactMap { index in
            guard case .any(let alternatives) = nodes[index], alternatives.count <= Self.mostAlternatives else {
                return nil
            }
            var rest = nodes
            rest.remove(at: index)
            return alternatives.map { FieldConstraints(rest + $0.conjuncts) }
        }
    }

    /// More alternatives, or alternatives beside more other conditions, are not planned.
    private static let mostAlternatives = 16
    private static let mostConjuncts = 64

    /// Whether the condition reads a field.
    func mention(_ field: QueriedField) -> Bool { fields.contains(field) }

    /// Whether the condition reads other entities.
    var readOthers: Bool { nodes.contains(where: \.readsOthers) }

    /// Whether all that meets the condition has one of the points of some fields, or lies in the range of another, and all that does so meets
    /// what it says of the entity itself.
    func areDecided(byPoints points: [QueriedField], byRange range: QueriedField?) -> Bool {
        nodes.allSatisfy { node in
            switch node {
            case .compare(let field, .equal, _), .isNil(let field), .isOne(let field, _):
                // Of several the points are those of the first.
                points.contains(field) && nodes.count { $0.fields.contains(field) } == 1
            case .compare(let field, _, _), .not(.isNil(let field)): field == range
            default: node.readsOthers
            }
        }
    }

    /// The only values that a field may have, nil standing for a cleared one; nil if there are others.
    func points(_ field: QueriedField) -> [OrderedValue?]? {
        for node in nodes {
            switch node {
            case .compare(field, .equal, let value): return [value]
            case .isNil(field): return [nil]
            case .isOne(field, of: let values): return Array(values)
            case .any(let nodes):
                let values = nodes.map { node -> OrderedValue?? in
                    switch node {
                    case .compare(field, .equal, let value): .some(value)
                    case .isNil(field): .some(nil)
                    default: nil
                    }
                }
                if !values.contains(where: { $0 == nil }) { return Array(Set(values.compactMap { $0 })) }
            default: continue
            }
        }
        return nil
    }

    /// Whether the condition names all entities of a kind that can meet it, or their parents.
    package func nameEntities(of kind: ConcreteKind) -> Bool { ids(of: kind) != nil || parents(of: kind) != nil }

    /// The ids of the only entities that can meet the condition; nil if it names none. An id of another kind is none.
    package func ids(of kind: ConcreteKind) -> [UUID]? {
        points(.id)?.compactMap(\.?.reference).filter { kind.covers($0) }.map(\.id)
    }

    /// The parents of all entities that can meet the condition, each once; nil if it names none, or those without a parent as well.
    package func parents(of kind: ConcreteKind) -> [EntityReference]? {
        guard kind.kind.mayHaveParent, let points = points(.field(FieldPath.parent.field)) else { return nil }
        let parents = points.compactMap(\.?.reference)
        // Where the log describes another field with that number, its values name nothing.
        return parents.count == points.count ? parents : nil
    }

    /// The cells in which the places of an address may be, as ranges of keys; nil if it may be anywhere.
    func cells(_ field: QueriedField) -> [IndexPlan.Range]? {
        for node in nodes {
            guard case .near(field, let place, let distance) = node else { continue }
            return GlobeCell.cover(distance, around: place).map { cells in
                IndexPlan.Range(
                    first: IndexKey.of(GlobeCell.ordered(cells.lowerBound), isNatural: false).bytes,
                    end: IndexKey.of(GlobeCell.ordered(cells.upperBound), isNatural: false).bytes.afterPrefix)
            }
        }
        return nil
    }

    /// The range in which the values of a field lie; nil if it is not bounded.
    func bounds(_ field: QueriedField, isNatural: Bool, cleared: OrderedValue?) -> Bounds? {
        if isNatural { return textBounds(field, cleared) }
        var (lower, upper): ([UInt8]?, [UInt8]?)
        var isWithCleared = false
        var isBounded = false
        var isExact = true
        func raise(_ bytes: [UInt8]) { if lower.map({ $0.lexicographicallyPrecedes(bytes) }) ?? true { lower = bytes } }
        func cut(_ bytes: [UInt8]?) {
            guard let bytes else { return }
            if upper.map({ bytes.lexicographicallyPrecedes($0) }) ?? true { upper = bytes }
        }
        for node in nodes {
            switch node {
            case .compare(field, let relation, let value):
                let key = IndexKey.of(value, isNatural: false)
                let end = key.bytes.afterPrefix
                isBounded = true
                isExact = isExact && !key.isCut
                switch relation {
                case .equal: continue
                case .less: cut(key.isCut ? end : key.bytes)
                case .lessOrEqual: cut(end)
                case .greater: raise(key.isCut ? key.bytes : end ?? key.bytes)
                case .greaterOrEqual: raise(key.bytes)
                }
                // Amounts in other currencies are neither less nor greater.
                if case .money(_, let currency) = value {
                    raise(IndexKey.currency(currency))
                    cut(IndexKey.currency(currency).afterPrefix)
                }
            case .not(.isNil(field)): isBounded = true
            case .overlaps(field, _, _, let latest):
                // Without a start the end stands for it.
                cut(IndexKey.of(latest, isNatural: false).bytes.afterPrefix)
                (isBounded, isWithCleared) = (true, true)
            default: continue
            }
        }
        guard isBounded else { return nil }
        // A comparison holds for no cleared field.
        let isComparedToo = nodes.contains {
            if case .compare(field, _, _) = $0 { true } else { $0 == .not(.isNil(field)) }
        }
        let range = IndexPlan.Range(first: lower ?? [IndexKey.present], end: upper ?? [IndexKey.cleared])
        var ranges = [range]
        if isWithCleared && !isComparedToo {
            ranges.append(IndexPlan.Range(first: [IndexKey.cleared], end: [IndexKey.cleared + 1]))
        }
        let clearedKey = IndexKey.of(cleared, isNatural: false).bytes
        let holdsCleared = ranges.contains { range in
            !clearedKey.lexicographicallyPrecedes(range.first)
                && range.end.map { clearedKey.lexicographicallyPrecedes($0) } ?? true
        }
        // Bounds that contradict each other leave nothing.
        ranges.removeAll { range in range.end.map { !range.first.lexicographicallyPrecedes($0) } ?? false }
        return Bounds(
            ranges: ranges, isNarrow: lower != nil && upper != nil, isExact: isExact && !isWithCleared,
            mayHoldCleared: holdsCleared)
    }

    /// In the natural order text is found by what it begins with, up to the first number in it.
    private func textBounds(_ field: QueriedField, _ cleared: OrderedValue?) -> Bounds? {
        var ranges: [IndexPlan.Range]?
        for node in nodes {
            guard case .text(field, let relation, let text) = node, relation != .contains else { continue }
            // By scalars: a digit may be part of a character.
            let start = String(text.unicodeScalars.prefix { !(0x30...0x39 ~= $0.value) })
            guard !start.isEmpty else { continue }
            let key = IndexKey.natural(start)
            ranges = [IndexPlan.Range(first: key, end: key.afterPrefix)]
        }
        return ranges.map {
            Bounds(ranges: $0, isNarrow: true, isExact: false, mayHoldCleared: cleared == .text(""))
        }
    }
}
