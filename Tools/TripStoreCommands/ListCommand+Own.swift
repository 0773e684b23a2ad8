import ArgumentParser
import TripStore

/// What apps have added, whose kinds only the log describes.
extension ListCommand {
    func listOwn(_ store: TripStore, _ source: any TripQuerying) throws {
        let kind = try kind.map { try store.ownKind(named: $0) }
        let last = try after.map { try store.entity($0, of: [.own]) }
        let query = try kind.map { try DescribedQuery($0, where: asked.filter.condition, sortedBy: asked.sort) }
        let columns = try asked.columns.flatMap { try query?.columns($0) }
        let wanted = try wanted(kind, of: store, source)
        let matching = try query?.rows(of: wanted) ?? wanted
        if asked.count {
            Console.current.out(
                options.json ? JSON.object([("count", .integer(matching.count))]).text : "\(matching.count)")
            return
        }
        let found = try rest(of: matching, after: last) { $0.reference }
        let shown = Array(found.prefix(limits.count))
        if options.json {
            for entity in shown {
                let next = next(found.count, shown.last, entity).map { "\($0.id)" }
                let json =
                    try columns.map { try QueryList.json(entity, $0, next: next, in: source) }
                    ?? OwnEntityText.object(entity, next: next, isRow: true)
                Console.current.out(json.text)
            }
        } else {
            if shown.isEmpty { Console.current.out("No \(more)\(self.kind ?? "entities") from apps.") }
            let lines = try columns.map { try QueryList.lines(of: shown, $0, in: source) } ?? lines(of: shown, source)
            for line in lines { Console.current.out(line) }
        }
        noteIfCut(found.count, shown.last.map { "\($0.id)" })
    }

    /// Those under the trip and of the name that options give.
    private func wanted(
        _ kind: OwnKind?, of store: TripStore, _ source: any TripQuerying
    ) throws -> [DescribedEntity] {
        let trip = try trip.map { try store.trip($0).reference }
        return try source.read { views in
            try views.ownEntities(kind).filter { entity in
                let isUnder = try trip.map { try views.ancestors(of: entity.reference).contains($0) } ?? true
                return isUnder && entity.name.lowercased().hasPrefix(named.lowercased())
            }
        }
    }

    private func lines(of shown: [DescribedEntity], _ source: any TripQuerying) throws -> [String] {
        let rows = try zip(shown, ShortIDs.shown(shown.map { "\($0.id)" })).map { entity, id in
            [id, entity.reference.kindWords, try entity.parent.map { try source.name(of: $0) } ?? "", entity.name]
        }
        return TextTable.lines(rows, cutting: [2, 3], dropping: [1, 2])
    }
}
