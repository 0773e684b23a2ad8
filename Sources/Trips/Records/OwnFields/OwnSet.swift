import Events

/// An app's own set on one kind of entity, which gets all concurrent additions: tags, people, days.
///
/// ```swift
/// extension Book {
///     static let labels = OwnSet<Book, String>("org.example.reading", 4, "labels")
/// }
///
/// try await store.edit(dune) { $0[Book.labels].insert("desert") }
/// ```
///
/// A removal takes away the additions that its author saw: what another adds at the same time stays, also if it is the same element.
/// Adding what is there writes nothing.
public struct OwnSet<Entity: TripEntity, Element: OwnFieldValue>: DeclaredField {
    let field: EntitySchema.Field

    init(_ field: EntitySchema.Field) { self.field = field }

    /// Declares a field as `OwnField` does. `isValid` is the rule of an element that is written here.
    public init(
        _ namespace: Namespace, _ number: UInt16, _ name: String, isSearched: Bool = false,
        isValid: (@Sendable (Element) -> Bool)? = nil
    ) {
        self.init(declaring: number, in: namespace, name, Element.self, .set, isSearched: isSearched, isValid: isValid)
    }
}

extension TripEntity {
    /// The elements of an app's own set. What cannot be read here stays whatever is set. O(additions).
    public subscript<Element>(field: OwnSet<Self, Element>) -> Set<Element> {
        get {
            let additions = own.elements(.addition, of: field.number)
            return Set(additions.compactMap { Element.coding.decoded($0.bytes) })
        }
        set {
            var missing = newValue
            var changes: [(FieldPath, [UInt8]?)] = []
            for addition in own.elements(.addition, of: field.number) {
                guard let element = Element.coding.decoded(addition.bytes) else { continue }
                if newValue.contains(element) { missing.remove(element) } else { changes.append((addition.path, nil)) }
            }
            for element in missing {
                let path = ElementKey.fresh(.addition).path(in: field.number)
                changes.append((path, Element.coding.encode(element)))
            }
            own.replace(changes)
        }
    }
}

extension FieldChange {
    /// An app's own set gets an element, whether it has it or not.
    public static func insert<Element>(_ element: Element, into field: OwnSet<Entity, Element>) -> FieldChange {
        FieldChange(ElementKey.fresh(.addition).path(in: field.number), value: Element.coding.encode(element))
    }
}

extension OwnValues {
    /// The elements of one kind of a collection, by key.
    func elements(_ kind: ElementKey.Kind, of number: UInt64) -> [Value] {
        values(of: number).filter { $0.path.key.first == kind.rawValue }
    }
}
