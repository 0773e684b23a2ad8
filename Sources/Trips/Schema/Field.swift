/// A field of a kind of entity, described once: its number in the log, its name, the property that holds its value, and
/// its rule. How it is encoded, decoded, checked, compared, named and printed follows from this.
///
/// A cleared field is a property that is nil or has its type's default: "" for text, false for a flag, the number 0 of
/// a choice.
public struct Field<Entity>: Sendable {
    let property: any PartialKeyPath<Entity> & Sendable
    let field: EntitySchema.Field
    /// Of an app's kind, the fields that it replaced.
    var former: [EntitySchema.Field] = []

    /// A field whose property is nil where it is cleared. `help` is what the tool says of its option; nil if it has none.
    init<Value: FieldValue>(
        _ number: UInt64, _ name: String, _ property: any WritableKeyPath<Entity, Value?> & Sendable,
        _ rule: FieldRule? = nil, help: String? = nil
    ) {
        self.init(number, name, property, EntitySchema.FieldRules(Value.self, rule), FieldStorage(property, rule), help)
    }

    /// A field whose property has its type's default where it is cleared.
    init<Value: DefaultedFieldValue>(
        _ number: UInt64, _ name: String, _ property: any WritableKeyPath<Entity, Value> & Sendable,
        _ rule: FieldRule? = nil, help: String? = nil
    ) {
        self.init(number, name, property, EntitySchema.FieldRules(Value.self, rule), FieldStorage(property, rule), help)
    }

    /// The same for a property that only passes on what another one stores: that one is quicker to set.
    init<Value: DefaultedFieldValue>(
        _ number: UInt64, _ name: String, _ property: any WritableKeyPath<Entity, Value> & Sendable,
        storedAs stored: any WritableKeyPath<Entity, Value> & Sendable, help: String? = nil
    ) {
        self.init(number, name, property, EntitySchema.FieldRules(Value.self, nil), FieldStorage(stored, nil), help)
    }

    /// The same with what the tool says of its option.
    func help(_ text: String) -> Field { Field(property, field.help(text), former: former) }

    /// The same, looked at by searches.
    func asSearched() -> Field { Field(property, field.searched(), former: former) }

    /// A field that few entities have: `fields` has it, in `stored`, and `property` is what callers see.
    init<Values: RareValues, Value: FieldValue>(
        _ number: UInt64, _ name: String, _ property: any WritableKeyPath<Entity, Value?> & Sendable,
        in fields: any WritableKeyPath<Entity, RareFields<Values>> & Sendable,
        _ stored: any WritableKeyPath<Values, Value?> & Sendable, help: String? = nil
    ) {
        self.init(
            number, name, property, EntitySchema.FieldRules(Value.self, nil), FieldStorage(fields, stored), help)
    }

    /// The same for a property that has its type's default where it is cleared.
    init<Values: RareValues, Value: DefaultedFieldValue>(
        _ number: UInt64, _ name: String, _ property: any WritableKeyPath<Entity, Value> & Sendable,
        in fields: any WritableKeyPath<Entity, RareFields<Values>> & Sendable,
        _ stored: any WritableKeyPath<Values, Value> & Sendable, help: String? = nil
    ) {
        self.init(
            number, name, property, EntitySchema.FieldRules(Value.self, nil), FieldStorage(fields, stored), help)
    }

    init(
        _ property: any PartialKeyPath<Entity> & Sendable, _ field: EntitySchema.Field,
        former: [EntitySchema.Field] = []
    ) {
        self.property = property
        self.field = field
        self.former = former
    }

    private init(
        _ number: UInt64, _ name: String, _ property: any PartialKeyPath<Entity> & Sendable,
        _ rules: EntitySchema.FieldRules, _ storage: FieldStorage, _ help: String?
    ) {
        self.property = property
        field = EntitySchema.Field(number: number, name: name, help: help, rules: rules, storage: storage)
    }
}
