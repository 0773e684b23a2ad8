/// An app's own field on one kind of entity: with history, undo, merge, exchange and live queries like the built-in ones.
///
/// ```swift
/// extension Book {
///     static let rating = OwnField<Book, Int>("org.example.reading", 1, "rating") { 1...5 ~= $0 }
/// }
///
/// try await store.edit(dune) { $0[Book.rating] = 5 }
/// ```
///
/// The number is what the log has: it never changes its meaning, and never its type. The name is for people, and may change from one
/// version of the app to the next. Fields are added at any time: a store is opened with those that it is to know
/// (`TripStore.Options.schema`), and describes them in its log before it first writes one. A store that does not know a field keeps it, and
/// histories there have the hash of the namespace with the number, or the name that the log has for it.
public struct OwnField<Entity: TripEntity, Value: OwnFieldValue>: DeclaredField {
    let field: EntitySchema.Field

    init(_ field: EntitySchema.Field) { self.field = field }

    /// - Parameters:
    ///   - namespace: the app's.
    ///   - number: 1 to 65,535, each once on one kind of entity: another field with it stops the program.
    ///   - name: for people and JSON.
    ///   - upcaster: reads the fields that it replaces.
    ///   - isSearched: whether full-text searches look at it: its values are text. A store whose options name the field has it in its index
    ///     of words; the description in the log says so to other replicas and the tool.
    ///   - isValid: the rule of a value that is written here. What others wrote is shown whether it meets the rule or not.
    public init(
        _ namespace: Namespace, _ number: UInt16, _ name: String, replacing upcaster: Upcaster<Entity, Value>? = nil,
        isSearched: Bool = false, isValid: (@Sendable (Value) -> Bool)? = nil
    ) {
        upcaster?.check(namespace.number(number), name)
        self.init(
            declaring: number, in: namespace, name, Value.self, former: upcaster?.former, isSearched: isSearched,
            isValid: isValid)
    }

    /// The fields that it replaces; nil if it replaces none.
    var former: FormerFields? { field.former }
}

extension TripEntity {
    /// The value of an app's own field; nil if it is cleared, or if what was written there is no value of the type.
    ///
    /// Nil clears the field, and so does a value without bytes, as empty text. What cannot be read here stays when nil is set, for a
    /// form that shows nothing sets nothing: `FieldChange.set(_:_:)` clears it.
    public subscript<Value>(field: OwnField<Self, Value>) -> Value? {
        get { shown(field).flatMap { Value.coding.decoded($0) } }
        set {
            let held = self[field].map(Value.coding.encode)
            let new = newValue.map(Value.coding.encode)
            // The bytes that are there may have parts that this version does not know: they stay if the value is the same.
            guard new != held else { return }
            if field.former == nil {
                own[field.number] = new
            } else {
                own.set(overOthers: field.number, new, showing: shown(field))
            }
        }
    }

    /// The bytes of the value that a field shows.
    private func shown<Value>(_ field: OwnField<Self, Value>) -> [UInt8]? {
        guard let former = field.former else { return own[field.number] }
        return former.shown(field.number, own.register)?.value
    }
}

extension FieldChange {
    /// An app's own field gets a value; nil clears it.
    public static func set<Value>(_ field: OwnField<Entity, Value>, _ value: Value?) -> FieldChange {
        FieldChange(field: field.number, value: value.map(Value.coding.encode).flatMap { $0.isEmpty ? nil : $0 })
    }
}
