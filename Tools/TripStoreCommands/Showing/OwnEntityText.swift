import Foundation
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
        let rows = try zip(entities, ShortIDs.shown(entities.map { "\($0.id)" })).map { entity, id in
            [
                id, entity.reference.kindWords, try entity.parent.map { try source.name(of: $0) } ?? "",
                try StoreKindText.title(of: entity, in: source) ?? entity.shownName,
            ]
        }
        return TextTable.lines(rows, cutting: [2, 3], dropping: [1, 2])
    }

    /// As in "packing socks".
    static func line(_ entity: DescribedEntity) -> String {
        let name = entity.shownName
        return "\(entity.reference.kindWords) \(name.isEmpty ? "\(entity.id)" : name)"
    }

    var json: JSON {
        .object([("entity", Self.object(entity)), ("children", .array(children.map { Self.object($0) }))])
    }

    static func object(_ entity: DescribedEntity, next: String? = nil, isRow: Bool = false) -> JSON {
        let members: [(String, JSON)] =
            EntityText.members(entity.reference, entity.shownName) + [
                ("parent", entity.parent.map(Self.parent) ?? .null),
                ("fields", entity.ownValues(in: Console.current.known).ordered),
                ("createdAt", .optional(entity.createdAt?.utcText)),
                ("updatedAt", .optional(entity.updatedAt?.utcText)),
            ]
        return .object(members + (isRow ? [("next", .optional(next))] : []))
    }

    private static func parent(_ entity: EntityReference) -> JSON {
        .object([("kind", entity.kindJSON), ("id", .string(entity.id.uuidString))])
    }
}

extension DescribedEntity {
    /// What people call it by.
    var shownName: String { name(in: Console.current.known) }
}
