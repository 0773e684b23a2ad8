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
/// field from its first use in the process on, or once `TripStore.describe(_:by:)` has written it into the log; before, they have the
/// hash of the namespace with the number.
public struct OwnField<Entity: TripEntity, Value: OwnFieldValue>: Sendable {
    /// What stands in a field, or in those that it replaces.
    struct Reading: Sendable {
        /// Of the last write; nil if there was none.
        let order: UInt32?
        /// Whether that cleared it.
        var isCleared = false
        /// Nil as well for what cannot be read.
        let value: Value?
    }

    public let namespace: Namespace
    /// The number in the log.
    let number: UInt64
    public let name: String
    let read: @Sendable (OwnValues) -> Reading
    let write: @Sendable (Value?, inout OwnValues) -> Void

    /// - Parameters:
    ///   - namespace: the app's.
    ///   - number: 1 to 65,535, each once on one kind of entity: another field with it stops the program.
    ///   - name: for people and JSON.
    ///   - isValid: the rule of a value that is written here. What others wrote is shown whether it meets the rule or not.
    public init(
        _ namespace: Namespace, _ number: UInt16, _ name: String,
        isValid: (@Sendable (Value) -> Bool)? = nil
    ) {
        let number = Self.declare(namespace, number, name, isValid)
        self.init(
            namespace, number, name, read: { Self.reading(number, $0) },
            write: { value, own in own[number] = value.map(Value.coding.encode) })
    }

    /// A field in the place of another, which had values of another type or meaning. What was written to the old field is read as
    /// `upgrade` says, until the new one is written; of both the later write counts, also where it clears the old one. Where the new
    /// one is cleared alone, as by an undo of its first write, the old one is read again; setting nil clears both. So replicas with the
    /// old version of the app, and those with the new one, go on beside each other, and nothing in the log is written again.
    ///
    /// ```swift
    /// static let stars = OwnField<Trip, String>("org.example.trips", 1, "stars")
    /// static let rating = OwnField<Trip, Int>("org.example.trips", 4, "rating", replacing: stars, upgrade: { $0.count })
    /// ```
    ///
    /// A field that several others replace is split; each takes its part of it.
    ///
    /// - Parameters:
    ///   - old: the field that it replaces, which may replace another itself.
    ///   - upgrade: a pure function, and total: nil where the old value means nothing here.
    ///   - downgrade: what is written to the old field as well, for the old version of the app to show; nil to leave that as it is.
    public init<Old>(
        _ namespace: Namespace, _ number: UInt16, _ name: String, replacing old: OwnField<Entity, Old>,
        isValid: (@Sendable (Value) -> Bool)? = nil, upgrade: @escaping @Sendable (Old) -> Value?,
        downgrade: (@Sendable (Value) -> Old?)? = nil
    ) {
        let number = Self.declare(namespace, number, name, isValid)
        self.init(
            namespace, number, name,
            read: { own in
                let (new, previous) = (Self.reading(number, own), old.read(own))
                if let order = new.order, !new.isCleared, order >= previous.order ?? 0 { return new }
                guard let order = previous.order else { return new }
                return Reading(
                    order: order, isCleared: previous.isCleared, value: previous.value.flatMap(upgrade))
            },
            write: { value, own in
                guard let value else {
                    // Only what is read: an undo puts that back, and the later of two registers stays the later one.
                    let new = Self.reading(number, own)
                    if let order = new.order, order >= old.read(own).order ?? 0 { own[number] = nil }
                    return old.write(nil, &own)
                }
                own[number] = Value.coding.encode(value)
                if let downgraded = downgrade?(value) { old.write(downgraded, &own) }
            })
    }

    private init(
        _ namespace: Namespace, _ number: UInt64, _ name: String, read: @escaping @Sendable (OwnValues) -> Reading,
        write: @escaping @Sendable (Value?, inout OwnValues) -> Void
    ) {
        self.namespace = namespace
        self.number = number
        self.name = name
        self.read = read
        self.write = write
    }

    /// Makes the field known, and returns its number in the log.
    private static func declare(
        _ namespace: Namespace, _ number: UInt16, _ name: String, _ isValid: (@Sendable (Value) -> Bool)?
    ) -> UInt64 {
        precondition(
            number > 0, "The own field '\(name)' has the number 0. Number the fields of a namespace from 1 on.")
        precondition(
            Entity.fieldNumber(named: name) == nil,
            "The own field '\(name)' has the name of a built-in field of \(Entity.kind.name ?? "its kind"). Give it another name."
        )
        let number = namespace.number(number)
        OwnFieldRegistry.shared.add(
            Entity.kind,
            EntitySchema.Field(
                number: number, name: name, help: nil, rules: EntitySchema.FieldRules(Value.coding.type, nil),
                storage: FieldStorage(own: number, name, in: Entity.self, isValid)))
        return number
    }

    private static func reading(_ number: UInt64, _ own: OwnValues) -> Reading {
        guard let register = own.register(number) else { return Reading(order: nil, value: nil) }
        let isCleared = register.bytes.isEmpty
        let value = isCleared ? nil : register.bytes.withUnsafeBytes(Value.coding.decode)
        return Reading(order: register.order, isCleared: isCleared, value: value)
    }
}

extension TripEntity {
    /// The value of an app's own field; nil if it is cleared, or if what was written there is no value of the type.
    ///
    /// Nil clears the field, and so does a value without bytes, as empty text. What cannot be read here stays when nil is set, for a
    /// form that shows nothing sets nothing: `FieldChange.clear(_:)` clears it.
    public subscript<Value>(field: OwnField<Self, Value>) -> Value? {
        get { field.read(own).value }
        set {
            let held = self[field].map(Value.coding.encode)
            let new = newValue.map(Value.coding.encode)
            // The bytes that are there may have parts that this version does not know: they stay if the value is the same.
            if new != held { field.write(newValue, &own) }
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
        let kind: EntityKind
        let number: UInt64
    }

    private let fields = Mutex<[Key: EntitySchema.Field]>([:])
    /// What logs say of fields.
    private let descriptions = Mutex<[Key: FieldDescription]>([:])

    /// A number has one meaning and one type of value for as long as there are logs: two declarations of it that differ are a mistake of
    /// the program.
    func add(_ kind: EntityKind, _ field: EntitySchema.Field) {
        fields.withLock { fields in
            let known = fields.updateValue(field, forKey: Key(kind: kind, number: field.number))
            precondition(
                known.map { $0.name == field.name && $0.type == field.type } ?? true,
                "The own field '\(field.name)' has the number of '\(known?.name ?? "")', with values of the type "
                    + "\(known.map { "\($0.type)" } ?? ""). Give it another number.")
        }
    }

    func field(_ kind: EntityKind, _ number: UInt64) -> EntitySchema.Field? {
        fields.withLock { $0[Key(kind: kind, number: number)] }
    }

    func note(_ description: FieldDescription) {
        let key = Key(kind: description.kind, number: description.number)
        descriptions.withLock { $0[key] = description }
    }

    /// What a log says of a field that this process does not declare.
    func description(_ kind: EntityKind, _ number: UInt64) -> FieldDescription? {
        descriptions.withLock { $0[Key(kind: kind, number: number)] }
    }
}
