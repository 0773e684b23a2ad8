extension ConditionParser {
    /// What follows a field.
    mutating func comparison(of field: AskedField) throws(QueryTextError) -> ConditionNode {
        let token = token
        switch field.shape {
        case .elements where token.isKeyword("contains"): return try element(of: field)
        case .span(let last) where token.isKeyword("overlaps"): return try overlap(of: field, to: last)
        case .value:
            if let number = field.reference, token.isMark("(") || token.isKeyword("as") {
                return try named(by: field, number)
            }
            if let node = try value(of: field) { return node }
        default: break
        }
        guard token.kind != .end else {
            throw error(.syntax, "After '\(field.name)' comes what is asked of it. \(field.advice)", at: token)
        }
        let isKnown = token.kind == .mark || Self.operators.contains(token.text.lowercased())
        throw error(
            isKnown ? .unfitOperator : .syntax,
            "\(token.subject) does not fit '\(field.name)', \(field.words). \(field.advice)", at: token)
    }

    /// The first words of operators.
    private static let operators: Set = ["contains", "begins", "is", "in", "between", "overlaps", "within", "as"]

    /// Nil if the next token is no operator of such a field.
    private mutating func value(of field: AskedField) throws(QueryTextError) -> ConditionNode? {
        let token = token
        switch token.kind == .quoted ? "" : token.text.lowercased() {
        case "=":
            take()
            return try equals(field)
        case "!=":
            take()
            return .not(try equals(field))
        case "<", "<=", ">", ">=":
            guard field.form.isOrdered else { return nil }
            take()
            let value = try value(for: field)
            return switch token.text {
            // Of a day each instant counts.
            case "<": .compare(field.field, .less, value.first.ordered)
            case "<=": .compare(field.field, .lessOrEqual, value.last.ordered)
            case ">": .compare(field.field, .greater, value.last.ordered)
            default: .compare(field.field, .greaterOrEqual, value.first.ordered)
            }
        case "in" where field.form != .address:
            take()
            return try isOne(field)
        case "between" where field.form.isOrdered:
            take()
            let (first, last) = try range(for: field, joinedBy: "and")
            return .all([.compare(field.field, .greaterOrEqual, first), .compare(field.field, .lessOrEqual, last)])
        case "is":
            take()
            return try isSomething(field)
        case "contains" where field.form == .text:
            take()
            return try text(field, .contains)
        case "within" where field.form == .address:
            take()
            return try near(field)
        case "begins" where field.form == .text:
            take()
            guard take("with") else { throw unexpected(self.token, "After begins comes with") }
            return try text(field, .begins)
        default: return nil
        }
    }

    private mutating func equals(_ field: AskedField) throws(QueryTextError) -> ConditionNode {
        if token.isKeyword("none"), field.choice(token.text) == nil {
            take()
            return isNone(field)
        }
        let value = try value(for: field)
        return value.isRange ? within(value, field) : .compare(field.field, .equal, value.first.ordered)
    }

    private func within(_ value: AskedValue, _ field: AskedField) -> ConditionNode {
        .all([
            .compare(field.field, .greaterOrEqual, value.first.ordered),
            .compare(field.field, .lessOrEqual, value.last.ordered),
        ])
    }

    private func isNone(_ field: AskedField) -> ConditionNode {
        field.cleared.map { .compare(field.field, .equal, $0) } ?? .isNil(field.field)
    }

    /// After is.
    private mutating func isSomething(_ field: AskedField) throws(QueryTextError) -> ConditionNode {
        let isNegated = take("not")
        let node: ConditionNode
        if take("none") {
            node = isNone(field)
        } else if field.form == .text, take("like") {
            node = try text(field, .equals)
        } else {
            let words = field.form == .text ? "none, not none, like or not like" : "none or not none"
            throw error(
                .syntax, "After is comes \(words), and not \(token.words). For a value write =.", at: token)
        }
        return isNegated ? .not(node) : node
    }

    private mutating func text(
        _ field: AskedField, _ relation: ConditionNode.TextRelation
    ) throws(QueryTextError) -> ConditionNode {
        guard token.kind == .quoted else { throw unfit(token, field) }
        return .text(field.field, relation, TextFolding.folded(take().text))
    }

    private mutating func isOne(_ field: AskedField) throws(QueryTextError) -> ConditionNode {
        guard take(mark: "(") else { throw unexpected(token, "After in comes a list of values in parentheses") }
        var (single, ranges): (Set<OrderedValue>, [ConditionNode]) = ([], [])
        repeat {
            let value = try value(for: field)
            if value.isRange { ranges.append(within(value, field)) } else { single.insert(value.first.ordered) }
        } while take(mark: ",")
        guard take(mark: ")") else { throw unexpected(token, "After a value in a list comes a comma or )") }
        let nodes = single.isEmpty ? ranges : [.isOne(field.field, of: single)] + ranges
        return nodes.count == 1 ? nodes[0] : .any(nodes)
    }

    private mutating func element(of field: AskedField) throws(QueryTextError) -> ConditionNode {
        take()
        let start = token
        let value = try value(for: field)
        guard !value.isRange else { throw unfit(start, field) }
        return .contains(field.field, value.first.ownBytes)
    }

    private mutating func overlap(
        of field: AskedField, to last: QueriedField
    ) throws(QueryTextError) -> ConditionNode {
        take()
        let (lower, upper) = try range(for: field, joinedBy: "to")
        return .overlaps(field.field, last, lower, upper)
    }

    /// Two values; of an overlap the second may be left out, and is the first then.
    private mutating func range(
        for field: AskedField, joinedBy word: String
    ) throws(QueryTextError) -> (OrderedValue, OrderedValue) {
        let first = try value(for: field)
        guard take(word) else {
            if word == "to" { return (first.first.ordered, first.last.ordered) }
            throw unexpected(token, "Between two values comes \(word)")
        }
        let second = token
        let last = try value(for: field)
        let (lower, upper) = (first.first.ordered, last.last.ordered)
        guard let order = lower.compared(to: upper) else {
            throw error(
                .unfitValue, "Amounts in different currencies have no order. Write both in one currency.", at: second)
        }
        guard order <= 0 else {
            throw error(.unfitValue, "The second value is less than the first. Write the lesser one first.", at: second)
        }
        return (lower, upper)
    }
}
