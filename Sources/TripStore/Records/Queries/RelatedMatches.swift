import Events
import Foundation
import TripProjections
import Trips

/// Asks the entities that belong to one, or that it names, whether they meet a condition.
///
/// A class, for it keeps what it found of entities that many others name; it is used by one query alone.
final class RelatedMatches {
    private struct Key: Hashable {
        let condition: ObjectIdentifier
        let target: EntityReference
    }

    private var answers: [Key: Bool] = [:]
    private var deleted: [EntityReference: Bool] = [:]
    /// By the identity of conditions, which live as long as the query.
    private var runs: [ObjectIdentifier: [RelatedRun]] = [:]

    /// Whether an entity that others name, or what that belongs to, is deleted.
    func isDeleted(_ target: EntityReference, _ views: borrowing TripViews) throws -> Bool {
        if let known = deleted[target] { return known }
        let isDeleted = try views.isDeleted(target)
        deleted[target] = isDeleted
        return isDeleted
    }

    /// Whether one of them meets the condition; `target` returns what a field of the entity names.
    func holds(
        _ condition: RelatedCondition, for entity: EntityReference, _ views: borrowing TripViews,
        _ target: (UInt64) -> EntityReference?
    ) throws -> Bool {
        switch condition.link {
        case .named(let number):
            guard let target = target(number) else { return false }
            if number == FieldPath.parent.field, try views.isCut(entity, from: target) { return false }
            return try isMet(condition, by: target, views)
        case .naming:
            return try condition.kinds.contains { try views.exists($0.type, condition, entity, sharing: self) }
        case .children:
            var isFound = false
            for kind in condition.childKinds where !isFound {
                try ChildrenByParent.forEachChild(of: entity, kind, in: views.snapshot) { child in
                    isFound = try !views.isCut(child, from: entity) && isMatch(condition, child, views)
                    return !isFound
                }
            }
            return isFound
        }
    }

    /// The answer for an entity that many may name is kept.
    private func isMet(
        _ condition: RelatedCondition, by target: EntityReference, _ views: borrowing TripViews
    ) throws -> Bool {
        let key = Key(condition: ObjectIdentifier(condition), target: target)
        if let known = answers[key] { return known }
        let answer = try isMatch(condition, target, views)
        answers[key] = answer
        return answer
    }

    private func isMatch(
        _ condition: RelatedCondition, _ target: EntityReference, _ views: borrowing TripViews
    ) throws -> Bool {
        for run in try runs(condition, views) where run.kind.covers(target) {
            guard let record = try views.snapshot.record(of: target) else { return false }
            return try run.isMatch(target.id, record, views)
        }
        return false
    }

    /// One run for each kind, so that the condition is compiled once.
    private func runs(_ condition: RelatedCondition, _ views: borrowing TripViews) throws -> [RelatedRun] {
        if let known = runs[ObjectIdentifier(condition)] { return known }
        var found: [RelatedRun] = []
        for kind in condition.kinds { found.append(RelatedRun(try views.run(condition, on: kind.type, sharing: self))) }
        runs[ObjectIdentifier(condition)] = found
        return found
    }
}

/// A query of which single entities are asked whether they are among its rows.
private final class RelatedRun {
    private var run: QueryRun

    init(_ run: QueryRun) { self.run = run }

    var kind: ConcreteKind { run.query.kind }

    func isMatch(_ id: UUID, _ record: borrowing RecordView, _ views: borrowing TripViews) throws -> Bool {
        try run.match(id, record, views) != nil
    }
}

extension TripViews {
    fileprivate func run<Target: TripEntity>(
        _ condition: RelatedCondition, on kind: Target.Type, sharing related: RelatedMatches
    ) throws -> QueryRun {
        // Single entities are asked: by no index.
        let query = try compiled(condition.query(of: kind))
        // Where parents are of one kind, they were found to be there, and nothing is above them.
        return QueryRun(
            query, by: .scan, sharing: related, isShown: condition.link == .children && query.parents != .any)
    }

    /// Whether an entity of a kind of which a field names another one meets a condition.
    fileprivate func exists<Entity: TripEntity>(
        _ kind: Entity.Type, _ condition: RelatedCondition, _ target: EntityReference, sharing related: RelatedMatches
    ) throws -> Bool {
        let query = try compiled(condition.query(of: kind, naming: target))
        var run = try QueryRun(query, limit: 1, in: self, sharing: related)
        return try run.hasMatch(in: self)
    }
}
