import Events
import Foundation

/// The description of a kind of entity: its number in the log, its name, and its fields, each described once.
public struct Schema<Entity: TripEntity>: Sendable {
    /// One reference: generic code copies the schema of a type each time that it reads it.
    private let contents: SchemaContents<Entity>

    /// Fields are listed in the order in which people read them. `spans` name a start and an end each, the first those of the entity;
    /// `unlisted` is the flag with which an entity is in no list.
    init(
        _ kind: EntityKind, _ name: String, _ reader: EntityReader<Entity> = .generic,
        spans: [(PartialKeyPath<Entity>, PartialKeyPath<Entity>)] = [], unlisted: UInt64? = nil,
        _ fields: [Field<Entity>]
    ) {
        let numbers = FieldNumbers(fields.filter { $0.field.own == nil })
        let spans = spans.compactMap { start, end -> EntitySchema.Span? in
            guard let start = numbers[start], let end = numbers[end] else { return nil }
            return EntitySchema.Span(start: start, end: end)
        }
        contents = SchemaContents(
            EntitySchema(kind, name, fields.map(\.field), spans, of: Entity.self, unlisted: unlisted), reader, numbers,
            FieldNumbers(fields.filter { $0.field.own != nil }))
    }

    /// The schema of an app's own kind.
    init(_ kind: OwnKind, of namespace: Namespace, _ name: String, _ fields: [Field<Entity>]) {
        contents = SchemaContents(
            EntitySchema(
                .own, name, fields.map(\.field), of: Entity.self, own: kind, namespace, former: Self.former(fields)),
            .generic, FieldNumbers(fields), FieldNumbers([]))
    }

    /// The fields that others replaced: each once, for several may have replaced one.
    static func former(_ fields: [Field<Entity>]) -> [EntitySchema.Field] {
        var former: [EntitySchema.Field] = []
        for field in fields.flatMap(\.former) where !former.contains(where: { $0.number == field.number }) {
            former.append(field)
        }
        return former
    }

    /// The schema of entities whose fields no other describes here: their values are kept by number.
    init(open kind: EntityKind) {
        contents = SchemaContents(
            EntitySchema(kind, "", [], of: Entity.self, isOpen: true), .generic, FieldNumbers([]), FieldNumbers([]))
    }

    /// The schema for code that meets kinds and fields as numbers.
    var erased: EntitySchema { contents.erased }

    /// The number of the kind in the log.
    var kind: EntityKind { contents.kind }

    var reader: EntityReader<Entity> { contents.reader }

    /// The properties that hold fields, in the order of their numbers.
    package var properties: [PartialKeyPath<Entity>] { contents.numbers.properties }

    /// The kind of an app that it belongs to; nil for the store's own.
    package var ownKind: OwnKind? { erased.own }

    /// The number of the field that a property holds; nil if it holds none.
    package func number(of property: PartialKeyPath<Entity>) -> UInt64? { contents.numbers[property] }

    /// The number of the field in a namespace that a property shows; nil if it shows none, or is one of a protocol.
    func added(of property: PartialKeyPath<Entity>) -> UInt64? { contents.added[property] }
}

private final class SchemaContents<Entity: TripEntity>: Sendable {
    let erased: EntitySchema
    let kind: EntityKind
    let reader: EntityReader<Entity>
    let numbers: FieldNumbers<Entity>
    /// The numbers of fields in a namespace by the properties that show them.
    let added: FieldNumbers<Entity>

    init(
        _ erased: EntitySchema, _ reader: EntityReader<Entity>, _ numbers: FieldNumbers<Entity>,
        _ added: FieldNumbers<Entity>
    ) {
        self.erased = erased
        kind = erased.kind
        self.reader = reader
        self.numbers = numbers
        self.added = added
    }
}

/// The numbers of fields by the properties that hold them.
///
/// `@unchecked` is sound: it never changes, and the key paths in it are `Sendable`, which the type of a dictionary of
/// them cannot say.
private struct FieldNumbers<Entity>: @unchecked Sendable {
    private let numbers: [PartialKeyPath<Entity>: UInt64]
    /// One of each field, in the order of their numbers.
    let properties: [PartialKeyPath<Entity>]

    init(_ fields: [Field<Entity>]) {
        var numbers: [PartialKeyPath<Entity>: UInt64] = [:]
        for field in fields { for property in field.properties { numbers[property] = field.field.number } }
        self.numbers = numbers
        properties = fields.sorted { $0.field.number < $1.field.number }.compactMap { $0.properties.first }
    }

    subscript(property: PartialKeyPath<Entity>) -> UInt64? { numbers[property] }
}

/// Tells versions of the schema from each other by what they say of kinds and fields: views that were built by another one
/// are built anew.
package enum SchemaFingerprint {
    /// Every kind, and every field with its number, its name, and the type of its values.
    package static let current: String = EntitySchema.all.map(words).joined(separator: "\n")

    /// The words of an app's own kind, with what its properties have where a field is cleared; "" for the store's own kinds.
    package static func own<Entity: TripEntity>(_ type: Entity.Type) -> String {
        let schema = Entity.schema.erased
        guard let own = schema.own else { return "" }
        let defaults = schema.ordered.map { "\($0.cleared?.hexadecimal ?? "")" }
        let replacing = schema.evolved.map { " \($0.number)<\($0.former?.words ?? "")" }
        return "\(own.prefix.hexadecimal) \(words(schema)) \(defaults.joined(separator: ","))\(replacing.joined())"
    }

    static func words(_ schema: EntitySchema) -> String {
        let fields = schema.ordered.map { "\($0.number) \($0.name) \($0.type)" }
        return "\(schema.kind.rawValue) \(schema.name): \(fields.joined(separator: ", "))"
    }
}

/// A field of a kind of entity, described once: its number in the log, its name, the property that holds its value, and
/// its rule. How it is encoded, decoded, checked, compared, named and printed follows from this.
///
/// A cleared field is a property that is nil or has its type's default: "" for text, false for a flag, the number 0 of
/// a choice.
public struct Field<Entity>: Sendable {
    /// The properties that hold it, the first of them as it is stored; of a field in a namespace those that show it.
    let properties: [any PartialKeyPath<Entity> & Sendable]
    let field: EntitySchema.Field
    /// The fields that it replaced, of an app's kind.
    var former: [EntitySchema.Field] = []

    /// A field of a type of the store's own. `others` are further properties that pass on what `property` stores; `help` is what the tool says
    /// of its option, nil if it has none.
    init<Property: FieldProperty>(
        builtIn number: UInt64, _ name: String, _ property: any WritableKeyPath<Entity, Property> & Sendable,
        also others: [any PartialKeyPath<Entity> & Sendable] = [], _ rule: FieldRule? = nil,
        search: SearchField? = nil, help: FieldHelp? = nil
    ) {
        properties = [property] + others
        field = EntitySchema.Field(
            number: number, name: name, help: help, rules: EntitySchema.FieldRules(Property.Value.self, rule),
            storage: FieldStorage(property, BuiltInForm()), search: search)
    }

    /// A field that few entities have: `rare` has it, in `stored`, and `property` is what callers see.
    init<Values: RareValues, Property: FieldProperty>(
        builtIn number: UInt64, _ name: String, _ property: any WritableKeyPath<Entity, Property> & Sendable,
        in rare: any WritableKeyPath<Entity, Rare<Values>> & Sendable,
        _ stored: any WritableKeyPath<Values, Property> & Sendable, search: SearchField? = nil, help: FieldHelp? = nil
    ) {
        properties = [property]
        field = EntitySchema.Field(
            number: number, name: name, help: help, rules: EntitySchema.FieldRules(Property.Value.self, nil),
            storage: FieldStorage(rare, stored, BuiltInForm()), search: search)
    }

    /// A field in the store's namespace: its values are among `OwnValues`.
    static func added(
        _ field: EntitySchema.Field, as properties: [any PartialKeyPath<Entity> & Sendable] = []
    ) -> Field {
        Field(properties, field)
    }

    init(
        _ properties: [any PartialKeyPath<Entity> & Sendable], _ field: EntitySchema.Field,
        former: [EntitySchema.Field] = []
    ) {
        self.properties = properties
        self.field = field
        self.former = former
    }

    /// The field with what the tool says of its option, and what searches find in it.
    func help(_ help: FieldHelp, search: SearchField? = nil) -> Field {
        Field(properties, field.with(help: help, search: search), former: former)
    }
}
