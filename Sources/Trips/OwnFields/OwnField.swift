import Events
import Synchronization

/// An app's own field on one kind of entity: with history, undo, merge, exchange and live queries like the built-in ones.
///
/// ```swift
/// extension Trip {
///     static let rating = OwnField<Trip, Int>("org.example.trips", 1, "rating") { 1...5 ~= $0 }
/// }
///
/// try await store.edit(lisbon) { $0[Trip.rating] = 5 }
/// ```
///
/// The number is what the log has: it never changes its meaning, and never its type. The name is for people, and may change from one
/// version of the app to the next. Fields are added at any time; a store that does not know one keeps it. Histories have the name of a
/// field from its first use in the process on; before, they have the hash of the namespace with the number. The tool has it once
/// `TripStore.describe(_:by:)` has written it into the log.
public struct OwnField<Entity: TripEntity, Value: OwnFieldValue>: DescribedField {
    var declaration: OwnDeclaration
    /// The fields that it replaces; nil if it replaces none.
    let former: FormerFields?

    /// - Parameters:
    ///   - namespace: the app's.
    ///   - number: 1 to 65,535, each once on one kind of entity: another field with it stops the program.
    ///   - name: for people and JSON.
    ///   - upcaster: reads the fields that it replaces.
    ///   - isValid: the rule of a value that is written here. What others wrote is shown whether it meets the rule or not.
    public init(
        _ namespace: Namespace, _ number: UInt16, _ name: String, replacing upcaster: Upcaster<Entity, Value>? = nil,
        isValid: (@Sendable (Value) -> Bool)? = nil
    ) {
        former = upcaster?.former
        upcaster?.check(namespace.number(number), name)
        declaration = OwnDeclaration(
            namespace, number, name, of: Entity.self, Value.self, nil, former: upcaster?.former, isValid)
    }

    /// The same field, which full-text searches look at: its values are text. Name it so among the `kinds` of a store's options, which has
    /// it in its index of words then; `describe` tells other replicas and the tool of it.
    public func searched() -> Self {
        var field = self
        field.declaration.ask(for: Value.self)
        return field
    }

    public var namespace: Namespace { declaration.namespace }
    public var name: String { declaration.name }

    /// The number in the log.
    var number: UInt64 { declaration.number }

    public var fieldDescriptions: [FieldDescription] { [declaration.description(on: Entity.self, Value.self)] }
}

extension TripEntity {
    /// The value of an app's own field; nil if it is cleared, or if what was written there is no value of the type.
    ///
    /// Nil clears the field, and so does a value without bytes, as empty text. What cannot be read here stays when nil is set, for a
    /// form that shows nothing sets nothing: `FieldChange.clear(_:)` clears it.
    public subscript<Value>(field: OwnField<Self, Value>) -> Value? {
        get {
            let former = field.former
            let bytes = former == nil ? own[field.number] : former?.shown(field.number, own.register)?.value
            return bytes.flatMap { Value.coding.decoded($0) }
        }
        set {
            let held = self[field].map(Value.coding.encode)
            let new = newValue.map(Value.coding.encode)
            // The bytes that are there may have parts that this version does not know: they stay if the value is the same.
            guard new != held else { return }
            if field.former == nil { own[field.number] = new } else { own.set(overOthers: field.number, new) }
        }
    }
}

extension FieldChange {
    /// An app's own field gets a value; nil clears it.
    public static func set<Value>(_ field: OwnField<Entity, Value>, _ value: Value?) -> FieldChange {
        FieldChange(field: field.number, value: value.map(Value.coding.encode).flatMap { $0.isEmpty ? nil : $0 })
    }

    /// An app's own field is cleared.
    public static func clear<Value>(_ field: OwnField<Entity, Value>) -> FieldChange {
        FieldChange(field: field.number, value: nil)
    }
}

/// The own fields that this process knows, by kind and number: for names, for rules, and for values in words.
///
/// One for the process: a field describes what the log has under its number, whatever store it is read from.
final class OwnFieldRegistry: Sendable {
    static let shared = OwnFieldRegistry()

    private struct Key: Hashable {
        let kind: ConcreteKind
        let number: UInt64
    }

    private let fields = Mutex<[Key: EntitySchema.Field]>([:])
    /// Those that replace others, by kind.
    private let evolved = Mutex<[ConcreteKind: [UInt64: EntitySchema.Field]]>([:])
    /// What logs say of fields.
    private let descriptions = Mutex<[Key: FieldDescription]>([:])
    private let changes = Atomic(0)

    /// How often something new was declared or described.
    var changeCount: Int { changes.load(ordering: .relaxed) }

    /// A number has one meaning and one type of value for as long as there are logs: two declarations of it that differ are a mistake of
    /// the program.
    func add(_ kind: ConcreteKind, _ field: EntitySchema.Field) {
        TripEvent.note(field.former)
        if field.former != nil { evolved.withLock { $0[kind, default: [:]][field.number] = field } }
        fields.withLock { fields in
            let key = Key(kind: kind, number: field.number)
            let known = fields[key]
            if known.map({ field.decides(over: $0) }) ?? true {
                fields[key] = field
                let isSame =
                    (known?.former == nil) == (field.former == nil) && known?.declaredType == field.declaredType
                if known == nil || !isSame { changes.add(1, ordering: .relaxed) }
            }
            precondition(
                known.map {
                    $0.name == field.name && $0.type == field.type
                        && CollectionForm.agree($0.collection, field.collection)
                } ?? true,
                "The own field '\(field.name)' has the number of '\(known?.name ?? "")', which is declared as "
                    + "\(known?.declared ?? ""), and not as \(field.declared). Give it another number.")
        }
    }

    /// The field of a number; of several declarations the one that decides over the others.
    func field(_ kind: ConcreteKind, _ number: UInt64) -> EntitySchema.Field? {
        fields.withLock { $0[Key(kind: kind, number: number)] }
    }

    /// The fields of a kind that replace others, by number.
    func evolved(_ kind: ConcreteKind) -> [EntitySchema.Field] {
        evolved.withLock { $0[kind]?.sorted { $0.key < $1.key }.map(\.value) ?? [] }
    }

    func note(_ description: FieldDescription) {
        let key = Key(kind: description.concreteKind, number: description.number)
        descriptions.withLock { descriptions in
            if descriptions.updateValue(description, forKey: key) != description { changes.add(1, ordering: .relaxed) }
        }
    }

    /// The fields of a kind that this process declares, without those of the schema of an app's own kind.
    func declared(of kind: ConcreteKind) -> [EntitySchema.Field] {
        fields.withLock { $0.filter { $0.key.kind == kind }.map(\.value) }
    }

    /// What logs say of the fields of a kind, and of the kind itself.
    func descriptions(of kind: ConcreteKind) -> [FieldDescription] {
        descriptions.withLock { $0.filter { $0.key.kind == kind }.map(\.value) }
    }

    /// The kinds of apps that logs describe.
    var describedKinds: [FieldDescription] { descriptions.withLock { $0.values.filter(\.isOfKind) } }

    /// What a log says of a field that this process does not declare.
    func description(_ kind: ConcreteKind, _ number: UInt64) -> FieldDescription? {
        descriptions.withLock { $0[Key(kind: kind, number: number)] }
    }
}

extension EntitySchema.Field {
    /// Which of two declarations says how queries read the field, in whatever order they are made: one that replaces others, for a further one may
    /// say nothing of these; then one whose type has a value wherever the bytes have one; then the one whose type has the lesser name.
    fileprivate func decides(over other: EntitySchema.Field) -> Bool {
        if (former == nil) != (other.former == nil) { return former != nil }
        if (isReadable == nil) != (other.isReadable == nil) { return isReadable == nil }
        return declaredType.utf8.lexicographicallyPrecedes(other.declaredType.utf8)
            || declaredType.utf8.elementsEqual(other.declaredType.utf8)
    }
}
