import TripFormats
import TripStore

/// Entities of the store's own kinds in a line, by more than their names.
enum StoreKindText {
    /// Nil for entities of apps' kinds, and for what is not there.
    static func title(of entity: DescribedEntity, in source: any TripQuerying) throws -> String? {
        guard let kind = OwnKind(of: entity.reference), kind.isOfStore else { return nil }
        let id = entity.id.uuid
        if kind == Traveller.schema.ownKind { return try source.entity(Traveller.ID(id)).map(title) }
        if kind == Budget.schema.ownKind { return try source.entity(Budget.ID(id)).map(title) }
        if kind == ChecklistEntry.schema.ownKind {
            guard let entry = try source.entity(ChecklistEntry.ID(id)) else { return nil }
            return title(of: entry, assignee: try entry.assignee.flatMap { try source.entity($0) })
        }
        return entity.shownName
    }

    /// As in "Ana, ana@example.org".
    static func title(of traveller: Traveller) -> String {
        [traveller.name, traveller.email, traveller.phone].filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// As in "600.00 EUR for lodging".
    static func title(of budget: Budget) -> String {
        (budget.amount.map { "\($0)" } ?? "no amount") + (budget.category.isEmpty ? "" : " for \(budget.category)")
    }

    /// As in "[x] passport, Ana, until Fri 30 Apr 2027".
    static func title(of entry: ChecklistEntry, assignee: Traveller?) -> String {
        let facts = [assignee?.name, entry.dueDay.map { "until \(DayText.words($0))" }].compactMap { $0 }
        return ([(entry.isDone ? "[x] " : "[ ] ") + entry.name] + facts).joined(separator: ", ")
    }
}
