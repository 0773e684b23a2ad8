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
        search: SearchField? = nil, help: String? = nil
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
        _ stored: any WritableKeyPath<Values, Property> & Sendable, search: SearchField? = nil, help: String? = nil
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
    func help(_ text: String, search: SearchField? = nil) -> Field {
        Field(properties, field.with(help: text, search: search), former: former)
    }
}
