import Events
import Foundation
import TripFormats
import TripStore

/// An entity of an app's kind in words and in JSON, by what the log says of its fields.
struct OwnEntityText {
    let entity: DescribedEntity
    /// The name of what it belongs to; "" if that has none.
    let parentName: String
    let children: [DescribedEntity]

    var lines: [String] {
        let name = entity.shownName
        var facts = name.isEmpty ? [] : [entity.reference.kindWords]
        for (number, field) in zip(entity.own.numbers, entity.ownRenderings(in: Console.current.known))
        where number != 1 || name.isEmpty {
            facts.append("\(field.name)  \(number == FieldPath.parent.field ? parentWords : field.text)")
        }
        facts += children.map(Self.line)
        facts.append("\(entity.id)")
        return ItemText.lines(name.isEmpty ? entity.reference.kindWords : name, facts)
    }

    private var parentWords: String {
        guard let parent = entity.parent else { return "" }
        return EntityText.words(parent, parentName)
    }

    /// A row for each, with its parent.
    static func rows(of entities: [DescribedEntity], in source: any TripQuerying) throws -> [String] {
        let marks = try ConflictMarks(entities.map(\.reference), in: source)
        marks.explain()
        let rows = try zip(entities, ShortIDs.shown(entities.map(\.reference.id), in: source)).map { entity, id in
            [
                id, entity.reference.kindWords, try entity.parent.map { try source.name(of: $0) } ?? "",
                marks.shown(
                    try StoreKindText.title(of: entity, in: source) ?? entity.shownName, of: entity.reference),
            ]
        }
        let table = TextTable(cutting: [2, 3], dropping: [1, 2], naming: 3) { row, column in
            [0: TextStyle.id, 1: .kind][column] ?? (column == 3 ? marks.style(of: entities[row].reference) : nil)
        }
        return table.lines(rows)
    }

    /// As in "packing socks".
    static func line(_ entity: DescribedEntity) -> String {
        let name = entity.shownName
        return "\(entity.reference.kindWords) \(name.isEmpty ? "\(entity.id)" : name)"
    }

    var json: JSON {
        .object([("entity", Self.object(entity)), ("children", .array(children.map { Self.object($0) }))])
    }

    static func object(_ entity: DescribedEntity) -> JSON { .object(members(entity)) }

    /// An entity in a list, with the id or the cursor after which the list goes on, if it was cut there.
    static func row(_ entity: DescribedEntity, _ marks: ConflictMarks, next: String?) -> JSON {
        .object(members(entity) + EntityJSON.listed(entity.reference, marks, next: next))
    }

    private static func members(_ entity: DescribedEntity) -> [(String, JSON)] {
        EntityText.members(entity.reference, entity.shownName) + [
            ("parent", entity.parent.map(Self.parent) ?? .null),
            ("fields", entity.ownValues(in: Console.current.known).ordered),
            ("createdAt", .optional(entity.createdAt?.utcText)), ("updatedAt", .optional(entity.updatedAt?.utcText)),
        ]
    }

    private static func parent(_ entity: EntityReference) -> JSON {
        .object([("kind", entity.kindJSON), ("id", .string(entity.id.uuidString))])
    }
}

extension DescribedEntity {
    /// The name by which people know it.
    var shownName: String { name(in: Console.current.known) }
}

/// Entities of the store's own kinds in a line, by more than their names.
enum StoreKindText {
    /// Nil for entities of apps' kinds, and for what is not there.
    static func title(of entity: DescribedEntity, in source: any TripQuerying) throws -> String? {
        guard let kind = OwnKind(of: entity.reference), kind.isOfStore else { return nil }
        let id = entity.id.uuid
        if kind == Traveller.schema.ownKind { return try source.entity(Traveller.ID(id)).map(title) }
        if kind == Budget.schema.ownKind { return try source.entity(Budget.ID(id)).map(title) }
        if kind == CurrencyRate.schema.ownKind { return try source.entity(CurrencyRate.ID(id)).map(title) }
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

    /// As in "NOK/EUR 0.0875, from Sat 1 May 2027 on, bank".
    static func title(of rate: CurrencyRate) -> String {
        let facts = [rate.day.map { "from \(DayText.words($0)) on" }, rate.source.isEmpty ? nil : rate.source]
        return (["\(rate.pair) \(rate.rate)"] + facts.compactMap { $0 }).joined(separator: ", ")
    }

    /// As in "[x] passport, Ana, until Fri 30 Apr 2027".
    static func title(of entry: ChecklistEntry, assignee: Traveller?) -> String {
        let facts = [assignee?.name, entry.dueDay.map { "until \(DayText.words($0))" }].compactMap { $0 }
        return ([(entry.isDone ? "[x] " : "[ ] ") + entry.name] + facts).joined(separator: ", ")
    }
}
