/// A field in a condition.
public struct QueryField<Entity: TripEntity, Value: Hashable & Sendable> {
    let field: QueriedField
    private let declared: DeclaredFields
    let ordered: (Value) -> OrderedValue

    init(
        _ field: QueriedField, _ declared: DeclaredFields = DeclaredFields(),
        _ ordered: @escaping (Value) -> OrderedValue
    ) {
        self.field = field
        self.declared = declared
        self.ordered = ordered
    }

    /// A condition on the field.
    func condition(_ node: ConditionNode) -> Condition<Entity> { Condition(node, declared) }

    private func compare(_ relation: ConditionNode.Relation, _ value: Value) -> Condition<Entity> {
        condition(.compare(field, relation, ordered(value)))
    }

    public static func == (field: QueryField, value: Value) -> Condition<Entity> { field.compare(.equal, value) }
    /// Different from a value, or cleared.
    public static func != (field: QueryField, value: Value) -> Condition<Entity> { !(field == value) }

    /// Cleared.
    public static func == (field: QueryField, value: _OptionalNilComparisonType) -> Condition<Entity> {
        field.condition(.isNil(field.field))
    }
    public static func != (field: QueryField, value: _OptionalNilComparisonType) -> Condition<Entity> {
        !(field == value)
    }

    /// Less than a value; of money only in its currency.
    public static func < (field: QueryField, value: Value) -> Condition<Entity> { field.compare(.less, value) }
    public static func <= (field: QueryField, value: Value) -> Condition<Entity> { field.compare(.lessOrEqual, value) }
    public static func > (field: QueryField, value: Value) -> Condition<Entity> { field.compare(.greater, value) }
    public static func >= (field: QueryField, value: Value) -> Condition<Entity> {
        field.compare(.greaterOrEqual, value)
    }

    /// From a value to another, both included; of money only in their currency.
    public func isBetween(_ lower: Value, and upper: Value) -> Condition<Entity> { self >= lower && self <= upper }

    /// One of some values.
    public func isOne(of values: some Sequence<Value>) -> Condition<Entity> {
        condition(.isOne(field, of: Set(values.map(ordered))))
    }
}

extension QueryField where Value: Comparable {
    public func isIn(_ range: ClosedRange<Value>) -> Condition<Entity> {
        self >= range.lowerBound && self <= range.upperBound
    }

    public func isIn(_ range: Range<Value>) -> Condition<Entity> { self >= range.lowerBound && self < range.upperBound }
}

extension QueryField where Value == String {
    /// Has some text in it, regardless of case and of marks such as accents. No text is in every text.
    public func contains(_ text: String) -> Condition<Entity> {
        condition(.text(field, .contains, TextFolding.folded(text)))
    }

    /// Begins with some text, likewise.
    public func begins(with text: String) -> Condition<Entity> {
        condition(.text(field, .begins, TextFolding.folded(text)))
    }

    /// Is a text, likewise.
    public func isLike(_ text: String) -> Condition<Entity> {
        condition(.text(field, .equals, TextFolding.folded(text)))
    }
}

extension QueryField where Value == Address {
    /// Has coordinates that are at most so many metres away from a place, along the surface of the globe: a sphere of 6,371,008.8 m, from which
    /// the Earth differs by up to 0.5 %. Coordinates that are not on the globe, and distances below 0, are near nothing.
    ///
    /// Decided in integers, so that all devices find the same.
    public func isWithin(meters: Double, of place: Coordinates) -> Condition<Entity> {
        guard let center = GlobePoint(place), let distance = GlobeDistance(meters: meters) else {
            return Condition(.any([]))
        }
        return condition(.near(field, center, distance))
    }
}

extension OwnFieldValue {
    /// As the type that its bytes are of. Text without characters has no bytes.
    var orderedOwn: OrderedValue {
        let bytes = ownBytes
        return Self.coding.type.ordered(ofWritten: bytes)
    }
}

/// A start and an end in a condition.
public struct QuerySpan<Entity: TripEntity, Value: OwnFieldValue> {
    private let first: QueriedField
    private let last: QueriedField

    init(_ first: QueriedField, _ last: QueriedField) { (self.first, self.last) = (first, last) }

    /// Has something in common with a range that includes both of its ends.
    public func overlap(_ first: Value, _ last: Value) -> Condition<Entity> {
        Condition(.overlaps(self.first, self.last, first.orderedOwn, last.orderedOwn))
    }
}

extension QuerySpan where Value: Comparable {
    public func overlap(_ range: ClosedRange<Value>) -> Condition<Entity> {
        overlap(range.lowerBound, range.upperBound)
    }
}

/// An app's own collection in a condition.
public struct QueryCollection<Entity: TripEntity, Element: OwnFieldValue> {
    private let field: QueriedField
    private let declared: DeclaredFields

    init(_ field: QueriedField, _ declared: DeclaredFields = DeclaredFields()) {
        self.field = field
        self.declared = declared
    }

    /// Has an element; of a map, a key.
    public func contains(_ element: Element) -> Condition<Entity> {
        Condition(.contains(field, element.ownBytes), declared)
    }
}
