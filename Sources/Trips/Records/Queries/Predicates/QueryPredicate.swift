import Crypto
package import Events
package import Foundation

/// A part of a predicate that is evaluated on the decoded entity.
struct QueryPredicate<Entity: TripEntity>: Sendable {
    private let expression: any StandardPredicateExpression<Bool>
    private let variable: PredicateExpressions.Variable<Entity>
    /// Equal for expressions that are equal: `Predicate` itself cannot be compared.
    private let identity: [UInt8]

    init(_ expression: any StandardPredicateExpression<Bool>, _ variable: PredicateExpressions.Variable<Entity>) {
        self.expression = expression
        self.variable = variable
        identity = PredicateIdentity.bytes(of: expression) { path in
            switch (path as? PartialKeyPath<Entity>).map({ QueryFields.field($0) }) {
            case .field(let number)?: "field \(number)"
            case .created?: "createdAt"
            case .updated?: "updatedAt"
            default: nil
            }
        }
    }

    fileprivate func holds(_ entity: Entity) throws -> Bool {
        try expression.evaluate(PredicateBindings((variable, entity)))
    }

    /// Names it in the words of its query.
    var words: String { "predicate " + Array(SHA256.hash(data: identity).prefix(16)).hexadecimal }
}

extension QueryPredicate: Hashable {
    static func == (a: QueryPredicate, b: QueryPredicate) -> Bool { a.identity == b.identity }
    func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

extension RecordQuery {
    /// The entity of a record, if the query's predicates are true of it. The closure says whether an entity that it names is deleted.
    package typealias Evaluation =
        @Sendable (
            UUID, borrowing RecordView, _ isDeleted: (EntityReference) throws -> Bool
        ) throws -> (any TripEntity)?
}

extension Query {
    /// Evaluates the predicates on the decoded entity; nil if there are none. Throws `PredicateFailure`.
    var evaluation: RecordQuery.Evaluation? {
        guard !predicates.isEmpty else { return nil }
        return { [predicates] id, record, isDeleted in
            var entity = try Entity(id: Identifier(id), record: record)
            try entity.nullify(where: isDeleted)
            for predicate in predicates {
                do {
                    if try !predicate.holds(entity) { return nil }
                } catch {
                    throw PredicateFailure(entity: entity.reference, kind: Entity.kindName, cause: error)
                }
            }
            return entity
        }
    }
}

/// A predicate could not be evaluated for an entity.
package struct PredicateFailure: Error, CustomStringConvertible {
    package let entity: EntityReference
    let kind: String
    /// As a rule a `PredicateError`.
    package let cause: any Error

    package var description: String {
        "The query's predicate cannot be evaluated for the \(kind) \(entity.id.uuidString): \(cause). Unwrap "
            + "optional properties with if let or ??, or exclude such entities by a condition before it."
    }
}
