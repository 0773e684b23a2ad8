/// An app's own collection in a condition.
public struct QueryCollection<Entity: TripEntity, Element: OwnFieldValue> {
    private let field: QueriedField

    init(_ field: QueriedField) { self.field = field }

    /// Has an element; of a map, a key.
    public func contains(_ element: Element) -> Condition<Entity> { Condition(.contains(field, element.ownBytes)) }
}
