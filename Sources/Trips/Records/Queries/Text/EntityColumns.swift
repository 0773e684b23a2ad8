package import Events
import Foundation

/// Chosen fields of a kind's entities, for people and programs.
package struct EntityColumns<Entity: TripEntity>: Sendable {
    private let columns: [(name: String, field: QueriedField)]
    private let known: KnownSchema?

    /// Of the entities of a query, from names with commas between them. Throws `QueryTextError` for one that the kind does not have, or that is
    /// there twice.
    package init(parsing text: String, of query: Query<Entity>) throws(QueryTextError) {
        let fields = AskedFields(query.kind)
        var columns: [(name: String, field: QueriedField)] = []
        for name in try FieldList.names(text) {
            let field = try fields.field(name.token, in: text)
            if case .span = field.shape {
                throw QueryTextError(
                    .unfitOperator, "'\(field.name)' is two fields. Name each of them.", in: text, at: name.token.offset
                )
            }
            guard !columns.contains(where: { $0.name == name.token.text }) else {
                throw .twice(name.token.text, in: text, at: name.start)
            }
            columns.append((name.token.text, field.field))
        }
        self.columns = columns
        known = query.kind.known
    }

    /// All that an entity of the query has: its id, its fields, those of apps, and its times.
    package init(allOf query: Query<Entity>) {
        columns = AskedFields(query.kind).columns
        known = query.kind.known
    }

    package var names: [String] { columns.map(\.name) }

    /// The values of an entity; a cleared field has what its property has then, or is empty. The text of a reference is the name that
    /// `naming` has for it, unless that is empty.
    package func values(
        of entity: Entity, naming: (EntityReference) throws -> String = { _ in "" }
    ) rethrows -> [FieldRendering] {
        try columns.map { name, field in
            switch field {
            case .field(let number):
                try entity.rendering(of: number, named: name, in: known).naming(entity.encoded(number), naming)
            case .id: FieldRendering(name: name, text: "\(entity.id)", value: .string("\(entity.id)"))
            case .created: Self.rendering(of: entity.createdAt, named: name)
            case .updated: Self.rendering(of: entity.updatedAt, named: name)
            case .creation, .either, .unknown: FieldRendering(name: name, text: "", value: .null)
            }
        }
    }

    private static func rendering(of date: Date?, named name: String) -> FieldRendering {
        FieldRendering(name: name, text: date?.text ?? "", value: date?.json ?? .null)
    }
}

extension TripEntity {
    fileprivate func rendering(of number: UInt64, named name: String, in known: KnownSchema?) -> FieldRendering {
        guard let field = Self.schema.erased.fields.first(where: { $0.number == number }) else {
            return rendering(of: number, of: own, in: known)
        }
        let value = value(of: field)
        return FieldRendering(
            name: name, text: value?.text ?? field.type.clearedText, value: value?.json ?? field.type.clearedJSON)
    }
}

extension FieldRendering {
    /// With the name of what the bytes refer to, if they are a reference that has one.
    fileprivate func naming(_ bytes: [UInt8]?, _ naming: (EntityReference) throws -> String) rethrows -> FieldRendering
    {
        // The text of a reference, and of nothing else of that size, is the id in it.
        guard let reference = bytes.flatMap({ EntityReference(fieldValue: $0) }), text == reference.id.uuidString else {
            return self
        }
        let found = try naming(reference)
        return found.isEmpty ? self : FieldRendering(name: name, text: found, value: value)
    }
}
