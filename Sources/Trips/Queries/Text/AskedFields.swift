import Events
import Foundation

/// The fields of a kind by their names in a question.
///
/// A name is one of the kind's own schema first, then of a field that an app in this process declares, then of one that the log describes.
struct AskedFields {
    /// That of the kind; of several the first.
    let schema: EntitySchema
    private let name: String
    private let builtIn: [AskedField]
    private let own: [AskedField]

    init(_ schema: EntitySchema) {
        self.schema = schema
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
        own = schema.ownFields.map { AskedField($0, on: schema.kind) }
    }

    /// Of those that several kinds have, by the names and numbers of the first.
    init(_ schemas: [EntitySchema]) {
        let first = AskedFields(schemas[0])
        let others = schemas.dropFirst().map { AskedFields($0) }
        schema = first.schema
        name = others.isEmpty ? first.name : "item"
        builtIn = first.builtIn.filter { field in others.allSatisfy { $0.builtIn.contains { $0.isSame(as: field) } } }
        own = first.own.filter { field in others.allSatisfy { $0.own.contains { $0.isSame(as: field) } } }
    }

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
        let taken = Dictionary(grouping: columns.map(\.name) + own.map(\.name) + ["created", "updated"]) { $0 }
        for field in own {
            let isClear = taken[field.name]?.count == 1
            columns.append((isClear ? field.name : field.longName ?? field.name, field.field))
        }
        return columns + [("created", .created), ("updated", .updated)]
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

extension EntitySchema {
    /// The own fields of the kind that have a name here, in the order of their numbers: those that are declared, and others that a log
    /// describes with a type of this version.
    fileprivate var ownFields: [Field] {
        let kind = ConcreteKind(self)
        let registry = OwnFieldRegistry.shared
        let described = registry.descriptions(of: kind).filter { FieldPath(field: $0.number).isOwn }.compactMap {
            Field(described: $0)
        }
        let fields = Dictionary(described.map { ($0.number, $0) }) { $1 }
        return fields.merging((registry.declared(of: kind) + added).map { ($0.number, $0) }) { $1 }.values
            .sorted { $0.number < $1.number }
    }
}
