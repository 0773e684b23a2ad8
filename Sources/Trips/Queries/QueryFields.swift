import Foundation

/// The fields of a kind of entity in a condition: each by the property that holds it, and apps' own fields by their declarations.
@dynamicMemberLookup
public struct QueryFields<Entity: TripEntity>: Sendable {
    init() {}

    public subscript<Value: OwnFieldValue>(
        dynamicMember property: KeyPath<Entity, Value>
    ) -> QueryField<Entity, Value> {
        QueryField(Self.field(property)) { $0.orderedOwn }
    }

    public subscript<Value: OwnFieldValue>(
        dynamicMember property: KeyPath<Entity, Value?>
    ) -> QueryField<Entity, Value> {
        QueryField(Self.field(property)) { $0.orderedOwn }
    }

    public subscript<Value: OpenEnumeration>(
        dynamicMember property: KeyPath<Entity, Value>
    ) -> QueryField<Entity, Value> {
        QueryField(Self.field(property)) { .integer(Int64($0.rawValue)) }
    }

    public subscript<Value>(field: OwnField<Entity, Value>) -> QueryField<Entity, Value> {
        QueryField(.field(field.number)) { $0.orderedOwn }
    }

    /// An app's own set, of which a condition asks whether it has an element.
    public subscript<Element>(field: OwnSet<Entity, Element>) -> QueryCollection<Entity, Element> {
        QueryCollection(.field(field.declaration.number))
    }

    /// An app's own list.
    public subscript<Element>(field: OwnList<Entity, Element>) -> QueryCollection<Entity, Element> {
        QueryCollection(.field(field.declaration.number))
    }

    /// An app's own map, of which a condition asks whether it has a key.
    public subscript<Key, Value>(field: OwnMap<Entity, Key, Value>) -> QueryCollection<Entity, Key> {
        QueryCollection(.field(field.declaration.number))
    }

    static func field(_ property: PartialKeyPath<Entity>) -> QueriedField {
        if let number = Entity.schema.number(of: property) { return .field(number) }
        // Key paths of the protocol's properties and of the type's are different.
        var probe = Entity(id: Identifier(.blank))
        let (created, updated) = (Date(timeIntervalSince1970: 1), Date(timeIntervalSince1970: 2))
        probe.setTimes(created: created, updated: updated)
        switch probe[keyPath: property] as? Date {
        case created: return .created
        case updated: return .updated
        default: return .unknown("\(property)")
        }
    }
}

/// A field in a condition.
public struct QueryField<Entity: TripEntity, Value: Hashable & Sendable> {
    let field: QueriedField
    let ordered: (Value) -> OrderedValue

    init(_ field: QueriedField, _ ordered: @escaping (Value) -> OrderedValue) {
        self.field = field
        self.ordered = ordered
    }

    private func compare(_ relation: ConditionNode.Relation, _ value: Value) -> Condition<Entity> {
        Condition(.compare(field, relation, ordered(value)))
    }

    public static func == (field: QueryField, value: Value) -> Condition<Entity> { field.compare(.equal, value) }
    /// Different from a value, or cleared.
    public static func != (field: QueryField, value: Value) -> Condition<Entity> { !(field == value) }

    /// Cleared.
    public static func == (field: QueryField, value: _OptionalNilComparisonType) -> Condition<Entity> {
        Condition(.isNil(field.field))
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

    /// One of some values.
    public func isOne(of values: some Sequence<Value>) -> Condition<Entity> {
        Condition(.isOne(field, of: Set(values.map(ordered))))
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
        Condition(.text(field, .contains, TextFolding.folded(text)))
    }

    /// Begins with some text, likewise.
    public func begins(with text: String) -> Condition<Entity> {
        Condition(.text(field, .begins, TextFolding.folded(text)))
    }

    /// Is a text, likewise.
    public func isLike(_ text: String) -> Condition<Entity> {
        Condition(.text(field, .equals, TextFolding.folded(text)))
    }
}

/// An app's own collection in a condition.
public struct QueryCollection<Entity: TripEntity, Element: OwnFieldValue> {
    private let field: QueriedField

    init(_ field: QueriedField) { self.field = field }

    /// Has an element; of a map, a key.
    public func contains(_ element: Element) -> Condition<Entity> { Condition(.contains(field, element.ownBytes)) }
}

extension QueryFields where Entity == Trip {
    /// The days of a trip, of which a condition asks whether they overlap others. A single day stands for both ends.
    public var days: QuerySpan<Trip, Day> { QuerySpan(Self.field(\Trip.startDay), Self.field(\Trip.endDay)) }
}

extension QueryFields where Entity: ItemEntity {
    /// From the start of an item to its end.
    public var time: QuerySpan<Entity, Moment> {
        // All kinds of items have the same numbers.
        QuerySpan(QueryFields<Activity>.field(\.start), QueryFields<Activity>.field(\.end))
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

extension OwnFieldValue {
    /// As the type that its bytes are of. Text without characters has no bytes.
    var orderedOwn: OrderedValue {
        let bytes = ownBytes
        return Self.coding.type.decoded(bytes)?.ordered ?? (Self.coding.type is String.Type ? .text("") : .bytes(bytes))
    }
}
