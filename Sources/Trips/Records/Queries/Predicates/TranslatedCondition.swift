import Foundation

/// What a part of a predicate requires of an entity, as a condition that records and indexes decide.
struct TranslatedCondition {
    /// Holds for every entity for which the part is true; nil if there is no such condition.
    let necessary: ConditionNode?
    /// Whether the part is also true of every entity for which the condition holds, and its evaluation never throws.
    let isExact: Bool

    private init(_ necessary: ConditionNode?, isExact: Bool) { (self.necessary, self.isExact) = (necessary, isExact) }

    /// Nothing is known: the part must be evaluated.
    static let unknown = TranslatedCondition(nil, isExact: false)

    static func exactly(_ node: ConditionNode) -> TranslatedCondition { TranslatedCondition(node, isExact: true) }
    /// The part must be evaluated where the condition holds.
    static func atLeast(_ node: ConditionNode) -> TranslatedCondition { TranslatedCondition(node, isExact: false) }

    /// The condition, if nothing is to be evaluated.
    var exact: ConditionNode? { isExact ? necessary : nil }

    func and(_ other: TranslatedCondition) -> TranslatedCondition {
        guard let first = necessary, let second = other.necessary else {
            return TranslatedCondition(necessary ?? other.necessary, isExact: false)
        }
        return TranslatedCondition(first.and(second), isExact: isExact && other.isExact)
    }

    func or(_ other: TranslatedCondition) -> TranslatedCondition {
        guard let first = necessary, let second = other.necessary else { return .unknown }
        return TranslatedCondition(first.or(second), isExact: isExact && other.isExact)
    }

    /// A condition that is only necessary says nothing of the opposite.
    var negated: TranslatedCondition { exact.map { .exactly(.not($0)) } ?? .unknown }
}

/// What the variables and key paths of a predicate stand for.
struct PredicateContext {
    /// The field that a property of the entity holds; nil if it holds none.
    let property: (AnyKeyPath) -> QueriedField?
    /// The variable for the entity.
    let entity: PredicateExpressions.VariableID
    /// Variables for the values of fields that are not nil.
    var values: [PredicateExpressions.VariableID: QueriedField] = [:]

    func binding(_ variable: PredicateExpressions.VariableID, to field: QueriedField) -> PredicateContext {
        var context = self
        context.values[variable] = field
        return context
    }
}

/// A part of a predicate that is true or false.
protocol ConditionExpression {
    func condition(_ context: PredicateContext) -> TranslatedCondition
}

/// A part of a predicate that is a field or a constant.
protocol OperandExpression {
    func operand(_ context: PredicateContext) -> PredicateOperand?
}

enum PredicateOperand {
    case field(QueriedField)
    /// Nil is a constant too.
    case constant(Any?)

    var field: QueriedField? { if case .field(let field) = self { field } else { nil } }
}

extension PredicateExpression {
    func translated(_ context: PredicateContext) -> TranslatedCondition {
        (self as? any ConditionExpression)?.condition(context) ?? .unknown
    }

    func asOperand(_ context: PredicateContext) -> PredicateOperand? {
        (self as? any OperandExpression)?.operand(context)
    }
}
