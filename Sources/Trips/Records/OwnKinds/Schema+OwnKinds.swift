public import Events
import Foundation

extension Schema where Entity: OwnEntity {
    /// The schema of an app's own kind.
    ///
    /// Numbers are what the log has: that of the kind and those of its fields never change their meaning, and never their type. Names are
    /// for people. It is made once, in a `static let`, and named in the options of each store that is to know the kind. A mistake of the declaration
    /// stops the program: a number that occurs twice, or a field without a name.
    ///
    /// - Parameters:
    ///   - namespace: the app's.
    ///   - number: 1 to 255, each once in a namespace.
    ///   - name: of one entity, for people and JSON, as in "book".
    ///   - fields: in the order in which people read them. Number 1 is what tools call an entity by: give it to its name, if it has one.
    public init(_ namespace: Namespace, _ number: UInt8, _ name: String, _ fields: [Field<Entity>]) {
        precondition(
            namespace != .store,
            "The kind '\(name)' is in the namespace '\(namespace.name)', which is the store's. Take a domain of yours, "
                + "backwards.")
        self.init(checking: namespace, number, name, fields)
    }

    /// The schema of a kind of the store's own namespace.
    init(store number: UInt8, _ name: String, _ fields: [Field<Entity>]) {
        self.init(checking: .store, number, name, fields)
    }

    private init(checking namespace: Namespace, _ number: UInt8, _ name: String, _ fields: [Field<Entity>]) {
        precondition(number > 0, "The kind '\(name)' has the number 0. Number the kinds of a namespace from 1 on.")
        let all = fields.map(\.field) + Self.former(fields)
        let numbers = all.map(\.number)
        precondition(!name.isEmpty, "A kind has no name. Give it one.")
        let taken = all.map(\.name).first { ["id", "own", "createdAt", "updatedAt"].contains($0) }
        precondition(
            taken == nil, "'\(name)' has a field '\(taken ?? "")', which every entity has in JSON. Name it otherwise.")
        for (number, field) in zip(numbers, all) {
            precondition(
                !field.name.isEmpty && all.count { $0.name == field.name } == 1,
                "'\(name)' has a field without a name of its own: '\(field.name)'. Give each another.")
            precondition(
                number > 0 && number <= OwnKindField.highestNumber,
                "The field '\(field.name)' has the number \(number). Number the fields from 1 to "
                    + "\(OwnKindField.highestNumber).")
            precondition(
                numbers.count { $0 == number } == 1,
                "The field '\(field.name)' has the number \(number), as another of '\(name)' has. Give it another.")
        }
        self.init(OwnKind(namespace, number), of: namespace, name, fields)
    }
}

enum OwnKindField {
    /// Schemas are arrays by number.
    static let highestNumber: UInt64 = 1023
}

extension Field where Entity: OwnEntity {
    /// A field whose property is nil where it is cleared.
    ///
    /// - Parameters:
    ///   - number: in the log: 1, or 3 to 1,023. 2 is the parent's.
    ///   - name: for people and JSON.
    ///   - isRequired: whether it must have a value: text with a visible character.
    ///   - isNullified: of a field that names another entity, whether it reads as nil while that one is not there to be read because it, or what
    ///     it belongs to, is deleted. The log keeps what it names.
    ///   - upcaster: reads the fields that it replaces.
    ///   - isSearched: whether full-text searches look at it: its values are text. A store whose options name the schema has the field in its
    ///     index of words; the description in the log says so to other replicas and the tool.
    ///   - isValid: the rule of a value that is written here. What others wrote is shown whether it meets the rule or not.
    public init<Value: OwnFieldValue>(
        _ number: UInt16, _ name: String, _ property: any WritableKeyPath<Entity, Value?> & Sendable,
        isRequired: Bool = false, isNullified: Bool = false, replacing upcaster: Upcaster<Entity, Value>? = nil,
        isSearched: Bool = false, isValid: (@Sendable (Value) -> Bool)? = nil
    ) {
        Self.checkNumber(number, name)
        precondition(
            !isNullified || Value.coding.type is any ReferenceValue.Type,
            "The field '\(name)' is nullified and names no entity of one kind.")
        self.init(
            optional: UInt64(number), name, property, isRequired, isNullified: isNullified, replacing: upcaster,
            isSearched: isSearched, isValid: isValid)
    }

    /// A field whose property has its default, that of a blank entity, where it is cleared. A later version of the app must have the same
    /// default: it is not written. A property of text or of data has no other than the empty one.
    public init<Value: OwnFieldValue>(
        _ number: UInt16, _ name: String, _ property: any WritableKeyPath<Entity, Value> & Sendable,
        isRequired: Bool = false, replacing upcaster: Upcaster<Entity, Value>? = nil, isSearched: Bool = false,
        isValid: (@Sendable (Value) -> Bool)? = nil
    ) {
        Self.checkNumber(number, name)
        let blank = Entity(id: Identifier(.blank))[keyPath: property]
        precondition(
            Value.coding.encode(blank).isEmpty
                || ![ObjectIdentifier(String.self), ObjectIdentifier(Data.self)]
                    .contains(ObjectIdentifier(Value.coding.type)),
            "The property of '\(name)' is \(blank) in a blank entity. Begin with an empty one, or with nil.")
        precondition(
            !isRequired || Value.coding.encode(blank).isEmpty,
            "The field '\(name)' is required and has a default, which would count as none. Begin with nil.")
        let form = CodedForm(default: blank)
        self.init(
            UInt64(number), name, property, FieldStorage(property, form), isRequired, cleared: form.cleared,
            replacing: upcaster, isSearched: isSearched, isValid: isValid)
    }

    /// The entity that an entity belongs to, of one kind. Unless another rule is named, it
    /// is hidden while its parent is deleted, and comes back with it. A replica without the app knows no other rule.
    ///
    /// In the log it is field 2, which every replica can read, with the app or without.
    public static func parent<Parent: TripEntity>(
        _ name: String, _ property: any WritableKeyPath<Entity, Identifier<Parent>?> & Sendable,
        isRequired: Bool = true, whenDeleted rule: ParentRule = .cascade
    ) -> Field {
        Field(
            optional: FieldPath.parent.field, name, property, isRequired, parentRule: rule,
            isNullified: rule == .nullify)
    }

    /// The entity, of any kind, that an entity belongs to.
    public static func parent(
        _ name: String, _ property: any WritableKeyPath<Entity, EntityReference?> & Sendable,
        isRequired: Bool = true, whenDeleted rule: ParentRule = .cascade
    ) -> Field {
        Field(
            optional: FieldPath.parent.field, name, property, isRequired, parentRule: rule,
            isNullified: rule == .nullify)
    }

    private init<Value: OwnFieldValue>(
        optional number: UInt64, _ name: String, _ property: any WritableKeyPath<Entity, Value?> & Sendable,
        _ isRequired: Bool, parentRule: ParentRule = .cascade, isNullified: Bool = false,
        replacing upcaster: Upcaster<Entity, Value>? = nil, isSearched: Bool = false,
        isValid: (@Sendable (Value) -> Bool)? = nil
    ) {
        self.init(
            number, name, property, FieldStorage(property, CodedForm<Value?, Value>()), isRequired,
            parentRule: parentRule, isNullified: isNullified, replacing: upcaster, isSearched: isSearched,
            isValid: isValid)
    }

    private init<Value: OwnFieldValue>(
        _ number: UInt64, _ name: String, _ property: any PartialKeyPath<Entity> & Sendable, _ storage: FieldStorage,
        _ isRequired: Bool, cleared: [UInt8]? = nil, parentRule: ParentRule = .cascade, isNullified: Bool = false,
        replacing upcaster: Upcaster<Entity, Value>?, isSearched: Bool = false, isValid: (@Sendable (Value) -> Bool)?
    ) {
        upcaster?.check(number, name)
        let field = EntitySchema.Field(
            number: number, name: name, help: nil,
            rules: EntitySchema.FieldRules(Value.coding.type, isRequired ? .required : nil),
            isAllowed: Value.coding.rule(isValid), storage: storage, cleared: cleared, parentRule: parentRule,
            isNullified: isNullified, former: upcaster?.former, isReadable: Value.coding.isReadable)
        self.init([property], isSearched ? field.searched() : field, former: upcaster?.fields ?? [])
    }

    private static func checkNumber(_ number: UInt16, _ name: String) {
        precondition(
            UInt64(number) != FieldPath.parent.field,
            "The field '\(name)' has the number 2, which is the parent's. Use .parent, or another number.")
    }
}
