import Foundation

/// The fields of a kind of entity in a condition: each by the property that holds it, and apps' own fields by their declarations.
@dynamicMemberLookup
public struct QueryFields<Entity: TripEntity>: Sendable {
    /// For conditions that are made apart from a query.
    public init() {}

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

    /// The parts of a place, as in `$0.departure.code == "LIS"`.
    public subscript(dynamicMember property: KeyPath<Entity, TravelPlace>) -> QueryPlace<Entity> {
        QueryPlace(property)
    }

    /// Links and contacts, of which a condition asks whether one is there.
    public subscript<Element: OwnFieldValue>(
        dynamicMember property: KeyPath<Entity, [Element]>
    ) -> QueryCollection<Entity, Element> {
        QueryCollection(Self.list(property).map { .field($0) } ?? .unknown("\(property)"))
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
        if let number = Entity.schema.number(of: property) { return .field(number) }
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

    /// The number of the list that a property shows. Key paths of the protocol's properties and of the type's are different: an element in an
    /// entity that is otherwise blank shows which it is.
    private static func list<Element: OwnFieldValue>(_ property: KeyPath<Entity, [Element]>) -> UInt64? {
        if let number = Entity.schema.list(of: property) { return number }
        let lists = Entity.schema.erased.added.filter {
            $0.collection?.shape == .list && $0.type == Element.coding.type
        }
        return lists.map(\.number).first { number in
            var probe = Entity(id: Identifier(.blank))
            probe.own[ElementKey(.listElement, [0]).path(in: number)] = []
            return !probe[keyPath: property].isEmpty
        }
    }
}
