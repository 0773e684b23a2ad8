import Foundation

/// The parts of predicates that stand for fields and constants.
extension PredicateExpressions.Variable: OperandExpression {
    func operand(_ context: PredicateContext) -> PredicateOperand? { context.values[key].map(PredicateOperand.field) }
}

/// A variable of any type.
protocol VariableExpression {
    var key: PredicateExpressions.VariableID { get }
}

extension PredicateExpressions.Variable: VariableExpression {}

/// A property of the entity, or a part of one.
protocol PropertyExpression {
    /// The path from the entity; nil if it does not begin there.
    func path(_ context: PredicateContext) -> AnyKeyPath?
}

extension PredicateExpressions.KeyPath: PropertyExpression {
    func path(_ context: PredicateContext) -> AnyKeyPath? {
        if let variable = root as? any VariableExpression { return variable.key == context.entity ? keyPath : nil }
        return (root as? any PropertyExpression)?.path(context)?.appending(path: keyPath)
    }
}

extension PredicateExpressions.KeyPath: OperandExpression {
    func operand(_ context: PredicateContext) -> PredicateOperand? {
        // A place is no field, and each of its parts is one.
        if Root.Output.self == TravelPlace.self {
            return path(context).flatMap(context.property).map(PredicateOperand.field)
        }
        if let variable = root as? any VariableExpression, variable.key == context.entity {
            return context.property(keyPath).map(PredicateOperand.field)
        }
        // Moments are compared by their instants.
        let path: AnyKeyPath = keyPath
        guard path == \Moment.milliseconds || path == \Moment.date else { return nil }
        return root.asOperand(context)?.field.map(PredicateOperand.field)
    }
}

/// A constant of any type.
protocol ConstantExpression {
    var constant: Any { get }
}

extension PredicateExpressions.Value: OperandExpression, ConstantExpression {
    var constant: Any { value }

    func operand(_ context: PredicateContext) -> PredicateOperand? {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return .constant(value) }
        return .constant(mirror.children.first?.value)
    }
}

extension PredicateExpressions.NilLiteral: OperandExpression {
    func operand(_ context: PredicateContext) -> PredicateOperand? { .constant(nil) }
}

/// `$0.start?.milliseconds` is nil where the field is, and otherwise what the condition compares of it.
extension PredicateExpressions.OptionalFlatMap: OperandExpression {
    func operand(_ context: PredicateContext) -> PredicateOperand? {
        guard let field = wrapped.asOperand(context)?.field,
            transform.asOperand(context.binding(variable.key, to: field))?.field == field
        else { return nil }
        return .field(field)
    }
}

/// A condition on the value of an optional, which is nil where that is.
protocol OptionalConditionExpression {
    /// What it requires if nil counts as true, or as false.
    func condition(_ context: PredicateContext, ifNil: Bool) -> TranslatedCondition
}

extension PredicateExpressions.OptionalFlatMap: OptionalConditionExpression {
    func condition(_ context: PredicateContext, ifNil: Bool) -> TranslatedCondition {
        guard Result.self == Bool.self, RHS.Output.self == Bool.self, let field = wrapped.asOperand(context)?.field
        else {
            return .unknown
        }
        let inner = transform.translated(context.binding(variable.key, to: field))
        if ifNil { return .exactly(.isNil(field)).or(inner) }
        if inner.necessary?.requiresValue(of: field) ?? false { return inner }
        return .exactly(.not(.isNil(field))).and(inner)
    }
}

extension ConditionNode {
    /// Whether it cannot hold where the field is nil.
    fileprivate func requiresValue(of field: QueriedField) -> Bool {
        switch self {
        case .compare(field, _, _), .isOne(field, _), .text(field, _, _): true
        case .all(let nodes): nodes.contains { $0.requiresValue(of: field) }
        case .any(let nodes): nodes.allSatisfy { $0.requiresValue(of: field) }
        default: false
        }
    }
}
