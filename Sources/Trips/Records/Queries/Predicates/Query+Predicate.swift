public import Foundation

extension Query {
    /// Only those for which a predicate is true, beside all conditions so far.
    ///
    /// ```swift
    /// let found = Query<Book>().where(#Predicate { $0.isRead && $0.title.contains("Dune") })
    /// ```
    ///
    /// Whatever compiles can be asked, and has the results of `Predicate.evaluate(_:)`. Of the conditions that the predicate joins by `&&`, those that compare a
    /// property with a constant become conditions like those of `where { … }`, which indexes and records decide. Text is sought by its
    /// folded form first, and the predicate decides where that is found; all other conditions are evaluated on the decoded entity, after
    /// the former, in their order.
    ///
    /// A query throws `TripStoreError.Code.predicateFailed` if the evaluation does, as for a property that is nil and unwrapped by `!`; not for
    /// entities that another condition excludes. Queries of equal predicates are equal, and share cursors, where the predicate's constants can be encoded; if one
    /// reads a computed property that holds no field, in this process alone.
    public func `where`(_ predicate: Predicate<Entity>) -> Query {
        let context = PredicateContext(
            property: { path in
                guard let path = path as? PartialKeyPath<Entity> else { return nil }
                let field = QueryFields<Entity>.field(path)
                if case .unknown = field { return nil }
                return field
            }, entity: predicate.variable.key)
        var query = self
        for part in predicate.expression.conjuncts {
            let translated = part.translated(context)
            for node in translated.necessary?.conjuncts ?? [] {
                query.condition = query.condition.map { $0.and(node) } ?? node
            }
            if !translated.isExact { query.predicates.append(QueryPredicate(part, predicate.variable)) }
        }
        return query
    }
}

/// Conditions of which both must be true.
private protocol ConjunctionExpression {
    var sides: [any StandardPredicateExpression<Bool>]? { get }
}

extension PredicateExpressions.Conjunction: ConjunctionExpression {
    fileprivate var sides: [any StandardPredicateExpression<Bool>]? {
        guard let left = lhs as? any StandardPredicateExpression<Bool>,
            let right = rhs as? any StandardPredicateExpression<Bool>
        else { return nil }
        return [left, right]
    }
}

extension StandardPredicateExpression<Bool> {
    /// The conditions of which all must be true, in their order.
    fileprivate var conjuncts: [any StandardPredicateExpression<Bool>] {
        guard let sides = (self as? any ConjunctionExpression)?.sides else { return [self] }
        return sides.flatMap(\.conjuncts)
    }
}
