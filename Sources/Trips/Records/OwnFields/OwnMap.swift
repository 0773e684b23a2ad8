import Events

/// An app's own map on one kind of entity, of which each entry is merged by itself: answers by question, shares by person.
///
/// ```swift
/// extension Book {
///     static let answers = OwnMap<Book, String, Bool>("org.example.reading", 5, "answers")
/// }
///
/// try await store.edit(dune) { $0[Book.answers]["worth reading"] = true }
/// ```
///
/// Of concurrent writes to one entry the later counts, and the history shows the conflict.
public struct OwnMap<Entity: TripEntity, Key: OwnFieldValue, Value: OwnFieldValue>: DeclaredField {
    let field: EntitySchema.Field

    init(_ field: EntitySchema.Field) { self.field = field }

    /// Declares a field as `OwnField` does. `isValid` is the rule of a value that is written here. The bytes of a key are at most 1,023.
    public init(
        _ namespace: Namespace, _ number: UInt16, _ name: String, isSearched: Bool = false,
        isValid: (@Sendable (Value) -> Bool)? = nil
    ) {
        self.init(
            declaring: number, in: namespace, name, Value.self, .map(Key.self), isSearched: isSearched, isValid: isValid
        )
    }

    fileprivate func path(of key: Key) -> FieldPath {
        ElementKey(.entry, Key.coding.encode(key)).path(in: number)
    }
}

extension TripEntity {
    /// The entries of an app's own map. What cannot be read here stays whatever is set. O(entries).
    public subscript<Key, Value>(field: OwnMap<Self, Key, Value>) -> [Key: Value] {
        get {
            var entries: [Key: Value] = [:]
            for (key, value, _) in own.entries(of: field) { entries[key] = value }
            return entries
        }
        set {
            var missing = newValue
            var changes: [(FieldPath, [UInt8]?)] = []
            // Two keys may be read as one, as two forms of a letter are: the last is what is shown.
            for (key, value, path) in own.entries(of: field).reversed() {
                guard let new = missing.removeValue(forKey: key) else {
                    changes.append((path, nil))
                    continue
                }
                if new != value { changes.append((path, Value.coding.encode(new))) }
            }
            for (key, value) in missing { changes.append((field.path(of: key), Value.coding.encode(value))) }
            own.replace(changes)
        }
    }
}

extension FieldChange {
    /// An entry of an app's own map gets a value; nil removes it. Of a key that was written in several forms, as letters with accents may
    /// be, this is the one form.
    public static func set<Key, Value>(
        _ field: OwnMap<Entity, Key, Value>, _ key: Key, _ value: Value?
    ) -> FieldChange {
        FieldChange(field.path(of: key), value: value.map(Value.coding.encode))
    }
}

extension OwnValues {
    fileprivate func entries<Entity, Key, Value>(
        of field: OwnMap<Entity, Key, Value>
    ) -> [(key: Key, value: Value, path: FieldPath)] {
        elements(.entry, of: field.number).compactMap { entry in
            guard let key = entry.path.element.flatMap({ Key.coding.decoded($0.name) }),
                let value = Value.coding.decoded(entry.bytes)
            else { return nil }
            return (key, value, entry.path)
        }
    }
}
