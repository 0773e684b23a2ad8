import Foundation

/// The parts of predicates that are true or false, and can be conditions. All others are evaluated.
extension PredicateExpressions.Conjunction: ConditionExpression {
    func condition(_ context: PredicateContext) -> TranslatedCondition {
        lhs.translated(context).and(rhs.translated(context))
    }
}

extension PredicateExpressions.Disjunction: ConditionExpression {
    func condition(_ context: PredicateContext) -> TranslatedCondition {
        lhs.translated(context).or(rhs.translated(context))
    }
}

extension PredicateExpressions.Negation: ConditionExpression {
    func condition(_ context: PredicateContext) -> TranslatedCondition { wrapped.translated(context).negated }
}

extension PredicateExpressions.Conditional: ConditionExpression {
    func condition(_ context: PredicateContext) -> TranslatedCondition {
        let isMet = test.translated(context)
        guard Output.self == Bool.self, isMet.isExact else { return .unknown }
        return isMet.and(trueBranch.translated(context)).or(isMet.negated.and(falseBranch.translated(context)))
    }
}

extension PredicateExpressions.Value: ConditionExpression {
    func condition(_ context: PredicateContext) -> TranslatedCondition {
        guard Output.self == Bool.self, let value = value as? Bool else { return .unknown }
        return .exactly(value ? .all([]) : .any([]))
    }
}

extension PredicateExpressions.KeyPath: ConditionExpression {
    /// A property that is true, or text that is empty.
    func condition(_ context: PredicateContext) -> TranslatedCondition {
        if Output.self == Bool.self, let field = operand(context)?.field { return true.condition(field, .equal) }
        guard (keyPath as AnyKeyPath) == \String.isEmpty, let field = root.asOperand(context)?.field else {
            return .unknown
        }
        return "".condition(field, .equal)
    }
}

extension PredicateExpressions.NilCoalesce: ConditionExpression {
    func condition(_ context: PredicateContext) -> TranslatedCondition {
        guard Output.self == Bool.self, case .constant(let ifNil as Bool)? = rhs.asOperand(context) else {
            return .unknown
        }
        if let inner = lhs as? any OptionalConditionExpression { return inner.condition(context, ifNil: ifNil) }
        guard let field = lhs.asOperand(context)?.field else { return .unknown }
        return ifNil ? false.condition(field, .equal).negated : true.condition(field, .equal)
    }
}

extension PredicateExpressions.Equal: ConditionExpression {
    func condition(_ context: PredicateContext) -> TranslatedCondition { equality(lhs, rhs, context) }
}

extension PredicateExpressions.NotEqual: ConditionExpression {
    func condition(_ context: PredicateContext) -> TranslatedCondition { equality(lhs, rhs, context).negated }
}

extension PredicateExpressions.Comparison: ConditionExpression {
    func condition(_ context: PredicateContext) -> TranslatedCondition {
        guard let relation = op.relation else { return .unknown }
        return switch (lhs.asOperand(context), rhs.asOperand(context)) {
        case (.field(let field)?, .constant(let value as any PredicateConstant)?): value.condition(field, relation)
        case (.constant(let value as any PredicateConstant)?, .field(let field)?):
            value.condition(field, relation.mirrored)
        default: .unknown
        }
    }
}

extension PredicateExpressions.SequenceContains: ConditionExpression {
    /// Constants of which one is equal to a field.
    func condition(_ context: PredicateContext) -> TranslatedCondition {
        guard case .constant(let constants)? = sequence.asOperand(context),
            let field = element.asOperand(context)?.field
        else { return .unknown }
        let values: [Any]
        switch constants {
        case let array as [Any]: values = array
        case let set as Set<AnyHashable>: values = set.map(\.base)
        default: return .unknown
        }
        var (ordered, isExact): (Set<OrderedValue>, Bool) = ([], true)
        for value in values {
            guard let constant = value as? any PredicateConstant,
                case .compare(_, .equal, let other)? = constant.condition(field, .equal).necessary
            else { return .unknown }
            ordered.insert(other)
            isExact = isExact && constant.condition(field, .equal).isExact
        }
        return isExact ? .exactly(.isOne(field, of: ordered)) : .atLeast(.isOne(field, of: ordered))
    }
}

extension PredicateExpressions.RangeExpressionContains: ConditionExpression {
    func condition(_ context: PredicateContext) -> TranslatedCondition {
        guard let bounds = range as? any BoundsExpression, let field = element.asOperand(context)?.field,
            let (lower, upper) = bounds.bounds(context),
            let order = lower.condition(field, .equal).comparedValue?
                .compared(to: upper.condition(field, .equal).comparedValue ?? .bytes([])), order <= 0
        else { return .unknown }
        return lower.condition(field, .greaterOrEqual)
            .and(upper.condition(field, bounds.isClosed ? .lessOrEqual : .less))
    }
}

extension PredicateExpressions.CollectionContainsCollection: ConditionExpression {
    func condition(_ context: PredicateContext) -> TranslatedCondition {
        guard let field = base.asOperand(context)?.field,
            case .constant(let text as String)? = other.asOperand(context)
        else { return .unknown }
        return text.condition(field, folded: .contains)
    }
}

extension PredicateExpressions.SequenceStartsWith: ConditionExpression {
    func condition(_ context: PredicateContext) -> TranslatedCondition {
        guard let field = base.asOperand(context)?.field,
            case .constant(let text as String)? = prefix.asOperand(context)
        else { return .unknown }
        return text.condition(field, folded: .begins)
    }
}

/// Whether two parts are equal, if one is a field and the other one a constant; or a condition on an optional, and true.
private func equality(
    _ a: some PredicateExpression, _ b: some PredicateExpression, _ context: PredicateContext
) -> TranslatedCondition {
    switch (a.asOperand(context), b.asOperand(context)) {
    case (.field(let field)?, .constant(let value)?), (.constant(let value)?, .field(let field)?):
        guard let value else { return .exactly(.isNil(field)) }
        return (value as? any PredicateConstant)?.condition(field, .equal) ?? .unknown
    case (nil, .constant(let value as Bool)?) where value:
        return (a as? any OptionalConditionExpression)?.condition(context, ifNil: false) ?? .unknown
    default: return .unknown
    }
}

/// A range of which both bounds are constants.
private protocol BoundsExpression {
    var isClosed: Bool { get }
    func bounds(_ context: PredicateContext) -> (lower: any PredicateConstant, upper: any PredicateConstant)?
}

extension BoundsExpression {
    fileprivate func constants(
        _ lower: PredicateOperand?, _ upper: PredicateOperand?
    ) -> (lower: any PredicateConstant, upper: any PredicateConstant)? {
        guard case .constant(let lower as any PredicateConstant)? = lower,
            case .constant(let upper as any PredicateConstant)? = upper
        else { return nil }
        return (lower, upper)
    }
}

extension PredicateExpressions.ClosedRange: BoundsExpression {
    var isClosed: Bool { true }

    func bounds(_ context: PredicateContext) -> (lower: any PredicateConstant, upper: any PredicateConstant)? {
        constants(lower.asOperand(context), upper.asOperand(context))
    }
}

extension PredicateExpressions.Range: BoundsExpression {
    var isClosed: Bool { false }

    func bounds(_ context: PredicateContext) -> (lower: any PredicateConstant, upper: any PredicateConstant)? {
        constants(lower.asOperand(context), upper.asOperand(context))
    }
}

extension PredicateExpressions.Value: BoundsExpression {
    var isClosed: Bool { value is any ClosedBounds }

    func bounds(_ context: PredicateContext) -> (lower: any PredicateConstant, upper: any PredicateConstant)? {
        (value as? any ConstantBounds).flatMap { range in
            constants(.constant(range.ends.lower), .constant(range.ends.upper))
        }
    }
}

/// A range as one constant.
private protocol ConstantBounds {
    var ends: (lower: Any, upper: Any) { get }
}

private protocol ClosedBounds: ConstantBounds {}

extension ClosedRange: ConstantBounds, ClosedBounds {
    fileprivate var ends: (lower: Any, upper: Any) { (lowerBound, upperBound) }
}

extension Range: ConstantBounds {
    fileprivate var ends: (lower: Any, upper: Any) { (lowerBound, upperBound) }
}

extension TranslatedCondition {
    fileprivate var comparedValue: OrderedValue? {
        if case .compare(_, _, let value)? = necessary { value } else { nil }
    }
}

extension PredicateExpressions.ComparisonOperator {
    /// Nil for an operator that this version does not know.
    fileprivate var relation: ConditionNode.Relation? {
        let known: [Self: ConditionNode.Relation] = [
            .lessThan: .less, .lessThanOrEqual: .lessOrEqual, .greaterThan: .greater,
            .greaterThanOrEqual: .greaterOrEqual,
        ]
        return known[self]
    }
}

extension ConditionNode.Relation {
    /// With the sides exchanged.
    fileprivate var mirrored: ConditionNode.Relation {
        switch self {
        case .equal: .equal
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}
