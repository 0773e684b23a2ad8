import ArgumentParser
import Foundation
import TripStore

/// Deleted entities, to be restored.
extension ListCommand {
    /// A line each, the last deleted first: its id, its kind, when it was deleted, what it belongs to, and its name.
    func listDeleted(_ store: TripStore) throws {
        let trip = try trip.map { try store.trip($0) }
        let deleted = try store.read { views in
            try views.deletedEntities().filter { entity, name, _ in
                guard isOfSubject(entity), name.lowercased().hasPrefix(named.lowercased()) else { return false }
                return try trip.map { try views.isPart(entity, of: $0) } ?? true
            }
        }
        let shown = deleted.prefix(limits.count)
        if options.json {
            for (entity, name, time) in shown {
                Console.current.out(
                    JSON.object(EntityText.members(entity, name) + [("deletedAt", .string(time.utcText))]).text)
            }
            return
        }
        if shown.isEmpty { Console.current.out("Nothing is deleted.") }
        let ids = try ShortIDs.shown(shown.map(\.entity.id), in: store)
        let rows = try store.read { views in
            try zip(shown, ids).map { deleted, id in
                let parent = try views.ancestors(of: deleted.entity).first
                let place = try parent.flatMap { parent in
                    try views.record(of: parent).map { parent.name(of: $0, in: Console.current.known) }
                }
                return [id, deleted.entity.kindWords, AuditText.time(deleted.deleted), place ?? "", deleted.name]
            }
        }
        let table = TextTable(cutting: [3, 4], dropping: [3, 2, 1], naming: 4) { [0: TextStyle.id, 1: .kind][$1] }
        Console.current.show(table.lines(rows))
        if deleted.count > shown.count {
            Console.current.note("\(deleted.count - shown.count) more: --limit or --all lists them.")
        }
        if !shown.isEmpty { Console.current.note("'tripstore restore' takes a name or an id.") }
    }

    /// Whether an entity is of what is listed; of all kinds without a subject.
    private func isOfSubject(_ entity: EntityReference) -> Bool {
        guard let what else { return entity.kind != .schema }
        if what == .items || what == .unfiled { return TripItem.ID(entity) != nil }
        if what == .added { return OwnKind(of: entity).map { !$0.isOfStore } ?? false }
        return entity.type.map { type in QueriedKind(rawValue: what.rawValue)?.type == type } ?? false
    }
}
