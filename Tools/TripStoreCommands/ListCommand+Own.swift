import ArgumentParser
import TripStore

/// What apps have added, whose kinds only the log describes.
extension ListCommand {
    /// Those of one kind that a query finds.
    func queryOwn(_ store: TripStore, _ source: any TripQuerying) throws {
        guard let name = ownKind else { return }
        let kind = try store.ownKind(named: name)
        let query = Query(of: kind, in: store.knownSchema)
        // The ids of apps' kinds are in no order.
        let all = asked.sort == nil ? query.sorted(by: \.createdAt) : query
        var list = try QueryList(
            all, called: noun, asked, in: store, from: source, isJSON: options.json)
        if trip != nil || !named.isEmpty { list.restrict(to: try wanted(kind, of: store, source).map(\.id)) }
        try show(list)
    }

    /// Those of all kinds, or of one, in the order of their creation.
    func listOwn(_ store: TripStore, _ source: any TripQuerying) throws {
        let last = try after.map { try store.entity($0, of: [.own]) }
        let wanted = try wanted(ownKind.map { try store.ownKind(named: $0) }, of: store, source)
        let found = try rest(of: wanted, after: last) { $0.reference }
        let shown = Array(found.prefix(limits.count))
        if options.json {
            let marks = try ConflictMarks(shown.map(\.reference), in: source)
            for entity in shown {
                let next = next(found.count, shown.last, entity).map { "\($0.id)" }
                Console.current.out(OwnEntityText.row(entity, marks, next: next).text)
            }
        } else {
            if shown.isEmpty { Console.current.out("No \(more)\(noun).") }
            Console.current.show(try OwnEntityText.rows(of: shown, in: source))
        }
        noteIfCut(found.count, shown.last.map { "\($0.id)" })
    }

    /// The name of the kind that is listed; nil for all kinds of apps.
    private var ownKind: String? { subject.ownKind ?? kind }

    /// What is listed, for people.
    private var noun: String { subject.ownKind == nil ? "\(kind ?? "entities") from apps" : subject.rawValue }

    /// Those under the trip and of the name that options give.
    private func wanted(
        _ kind: OwnKind?, of store: TripStore, _ source: any TripQuerying
    ) throws -> [DescribedEntity] {
        let trip = try trip.map { try store.trip($0).reference }
        return try source.read { views in
            try views.ownEntities(kind).filter { entity in
                // Of all kinds those that apps have added.
                if kind == nil, OwnKind(of: entity.reference)?.isOfStore == true { return false }
                let isUnder = try trip.map { try views.ancestors(of: entity.reference).contains($0) } ?? true
                if try trip == nil && views.isInTemplate(entity.reference) { return false }
                return isUnder && entity.shownName.lowercased().hasPrefix(named.lowercased())
            }
        }
    }
}
