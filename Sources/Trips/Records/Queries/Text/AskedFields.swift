import Events
import Foundation

/// The fields of a kind by their names in a question.
///
/// A name is one of the kind's own schema first, then of a field that the store declares, then of one that its log describes.
struct AskedFields {
    /// Of several the first.
    let kind: KnownKind
    private let name: String
    private let builtIn: [AskedField]
    private let own: [AskedField]

    init(_ kind: KnownKind) {
        self.kind = kind
        let schema = kind.schema
        var fields = schema.fields.map { AskedField($0, on: schema.kind) }
        fields += [
            AskedField("id", .id, EntityReference.self, form: .reference(schema.kind)),
            AskedField("created", .created, Date.self), AskedField("updated", .updated, Date.self),
            AskedField("createdAt", .created, Date.self), AskedField("updatedAt", .updated, Date.self),
        ]
        if let span = schema.span, let first = schema.field(span.start) {
            let name = first.type == Day.self ? "days" : "time"
            fields.append(AskedField(name, .field(span.start), first.type, .span(last: .field(span.end))))
        }
        name = schema.name
        builtIn = fields
        own = kind.ownFields.map { AskedField($0, on: schema.kind) }
    }

    /// Of those that several kinds have, by the names and numbers of the first.
    init(_ kinds: [KnownKind]) {
        let first = AskedFields(kinds[0])
        let others = kinds.dropFirst().map { AskedFields($0) }
        kind = first.kind
        name = others.isEmpty ? first.name : EntitySchema.nameOfParts
        builtIn = first.builtIn.filter { field in others.allSatisfy { $0.builtIn.contains { $0.isSame(as: field) } } }
        own = first.own.filter { field in others.allSatisfy { $0.own.contains { $0.isSame(as: field) } } }
    }

    var schema: EntitySchema { kind.schema }

    /// Those that a question may name, each once.
    private var names: [String] {
        var names = builtIn.map(\.name)
        for field in own where !names.contains(field.name) { names.append(field.name) }
        return names
    }

    /// The columns of a table with all that an entity has: its id, the fields in the order of the schema, those of apps, and when it was created
    /// and last updated. Of several apps' fields with one name each has its long one.
    var columns: [(name: String, field: QueriedField)] {
        var columns = [(name: "id", field: QueriedField.id)]
        columns += schema.fields.map { ($0.name, QueriedField.field($0.number)) }
        let taken = Dictionary(grouping: columns.map(\.name) + own.map(\.name) + ["createdAt", "updatedAt"]) { $0 }
        for field in own {
            let isClear = taken[field.name]?.count == 1
            columns.append((isClear ? field.name : field.longName ?? field.name, field.field))
        }
        return columns + [("createdAt", .created), ("updatedAt", .updated)]
    }

    /// The field of a name. Throws `unknownField` with the nearest name, or `ambiguousField`.
    func field(_ token: QueryToken, in text: String) throws(QueryTextError) -> AskedField {
        let name = token.text
        if let field = builtIn.first(where: { $0.name == name }) { return field }
        let found = own.filter { $0.name == name || $0.longName == name }
        guard let field = found.first else {
            let nearest = NearestName.of(name, in: names).map { "Did you mean '\($0)'? " } ?? ""
            throw QueryTextError(
                .unknownField,
                "The kind \(self.name) has no field '\(name.prefix(60))'. \(nearest)It has \(names.joined(separator: ", ")).",
                in: text, at: token.offset)
        }
        guard found.count == 1 else {
            let numbers = found.compactMap(\.longName).joined(separator: ", ")
            throw QueryTextError(
                .ambiguousField, "The fields of several apps are called '\(name.prefix(60))'. Write one of \(numbers).",
                in: text, at: token.offset)
        }
        return field
    }
}
