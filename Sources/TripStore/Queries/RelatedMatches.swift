import Events
import ProjectionEngine
import TripProjections
import Trips

/// Asks the entities that belong to one, or that it names, whether they meet a condition.
///
/// A class, for it keeps what it found of entities that many others name; it is used by one query alone.
final class RelatedMatches {
    private struct Question: Hashable {
        let condition: RelatedCondition
        let target: EntityReference
    }

    private var answers: [Question: Bool] = [:]
    private var runs: [RelatedCondition: [Any]] = [:]

    /// Whether one of them meets the condition.
    func holds(
        _ condition: RelatedCondition, for source: some TripEntity, _ views: borrowing TripViews
    ) throws -> Bool {
        let entity = source.reference
        switch condition.link {
        case .named(let number):
            guard let target = source.reference(inField: number) else { return false }
            return try isMet(condition, by: target, views)
        case .items:
            let kind = condition.kinds.count == 1 ? condition.kinds[0].type.kind : nil
            return try ItemsByTrip.items(of: Trip.ID(entity.id), kind: kind, in: views.snapshot).contains {
                try isMatch(condition, $0, views)
            }
        case .children:
            for kind in condition.kinds {
                let children = try OwnByParent.children(of: entity, kind: kind.own, in: views.snapshot)
                if try children.contains(where: { try isMatch(condition, $0, views) }) { return true }
            }
            return false
        case .itemsOfOrganization:
            return try views.exists(itemsOf: entity, condition)
        }
    }

    /// The answer for an entity that many may name is kept.
    private func isMet(
        _ condition: RelatedCondition, by target: EntityReference, _ views: borrowing TripViews
    ) throws -> Bool {
        let question = Question(condition: condition, target: target)
        if let known = answers[question] { return known }
        let answer = try isMatch(condition, target, views)
        answers[question] = answer
        return answer
    }

    private func isMatch(
        _ condition: RelatedCondition, _ target: EntityReference, _ views: borrowing TripViews
    ) throws -> Bool {
        for kind in condition.kinds where kind.covers(target) {
            if try isMatch(condition, target, of: kind.type, views) { return true }
        }
        return false
    }

    private func isMatch<Target: TripEntity>(
        _ condition: RelatedCondition, _ target: EntityReference, of kind: Target.Type, _ views: borrowing TripViews
    ) throws -> Bool {
        guard let id = Identifier<Target>(target), let record = try views.snapshot.record(of: target) else {
            return false
        }
        let run = try run(condition, kind, views)
        return try run.isMatch(id, record, views)
    }

    /// One run for each kind, so that the condition is compiled once.
    private func run<Target: TripEntity>(
        _ condition: RelatedCondition, _ kind: Target.Type, _ views: borrowing TripViews
    ) throws -> RelatedRun<Target> {
        for run in runs[condition] ?? [] { if let run = run as? RelatedRun<Target> { return run } }
        let run = RelatedRun(try views.run(condition.query(of: kind)))
        runs[condition, default: []].append(run)
        return run
    }
}

/// A query of which single entities are asked whether they are among its rows.
private final class RelatedRun<Target: TripEntity> {
    private var run: QueryRun<Target>

    init(_ run: QueryRun<Target>) { self.run = run }

    func isMatch(
        _ id: Identifier<Target>, _ record: borrowing RecordView, _ views: borrowing TripViews
    ) throws -> Bool {
        try run.match(id, record, views) != nil
    }
}

extension TripViews {
    /// Whether an organization has an item that meets a condition.
    fileprivate func exists(itemsOf organization: EntityReference, _ condition: RelatedCondition) throws -> Bool {
        let id = Organization.ID(organization.id)
        for kind in condition.kinds {
            switch kind.type {
            case is Activity.Type:
                if try exists(condition.query(of: Activity.self).where { $0.organization == id }) { return true }
            case is Lodging.Type:
                if try exists(condition.query(of: Lodging.self).where { $0.organization == id }) { return true }
            case is Transportation.Type:
                if try exists(condition.query(of: Transportation.self).where { $0.organization == id }) { return true }
            default: continue
            }
        }
        return false
    }
}
