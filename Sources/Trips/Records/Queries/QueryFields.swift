import Foundation

/// The fields of a kind of entity in a condition: each by the property that holds it, and apps' own fields by their declarations.
@dynamicMemberLookup
public struct QueryFields<Entity: TripEntity>: Sendable {
    /// For conditions that are made apart from a query.
    package init() {}

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

    /// The parts of a place, as in `$0.departure.code == "LIS"`.
    public subscript(dynamicMember property: KeyPath<Entity, TravelPlace>) -> QueryPlace<Entity> {
        QueryPlace(property)
    }

    /// Links and contacts, of which a condition asks whether one is there.
    public subscript<Element: OwnFieldValue>(
        dynamicMember property: KeyPath<Entity, [Element]>
    ) -> QueryCollection<Entity, Element> {
        QueryCollection(Self.field(property))
    }

    /// The elements of a set, without those that were deleted.
    public subscript<Element: OwnFieldValue>(
        dynamicMember property: KeyPath<Entity, Set<Element>>
    ) -> QueryCollection<Entity, Element> {
        QueryCollection(Self.field(property))
    }

    public subscript<Value>(field: OwnField<Entity, Value>) -> QueryField<Entity, Value> {
        QueryField(.field(field.number), field.asDeclared) { $0.orderedOwn }
    }

    /// An app's own set, of which a condition asks whether it has an element.
    public subscript<Element>(field: OwnSet<Entity, Element>) -> QueryCollection<Entity, Element> {
        QueryCollection(.field(field.number), field.asDeclared)
    }

    /// An app's own list.
    public subscript<Element>(field: OwnList<Entity, Element>) -> QueryCollection<Entity, Element> {
        QueryCollection(.field(field.number), field.asDeclared)
    }

    /// An app's own map, of which a condition asks whether it has a key.
    public subscript<Key, Value>(field: OwnMap<Entity, Key, Value>) -> QueryCollection<Entity, Key> {
        QueryCollection(.field(field.number), field.asDeclared)
    }

    static func field(_ property: PartialKeyPath<Entity>) -> QueriedField {
        let schema = Entity.schema
        if let number = schema.number(of: property) ?? schema.added(of: property) { return .field(number) }
        if type(of: property).valueType == Identifier<Entity>.self { return .id }
        // Key paths of the protocol's properties and of the type's are different: a blank entity shows which it is.
        guard type(of: property).valueType == Date?.self else { return .unknown("\(property)") }
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
