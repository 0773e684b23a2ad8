/// The place of a transportation in a condition: each of its parts is a field.
@dynamicMemberLookup
public struct QueryPlace<Entity: TripEntity> {
    private let place: KeyPath<Entity, TravelPlace>

    init(_ place: KeyPath<Entity, TravelPlace>) { self.place = place }

    public subscript<Value: OwnFieldValue>(
        dynamicMember part: KeyPath<TravelPlace, Value>
    ) -> QueryField<Entity, Value> {
        QueryField(QueryFields.field(place.appending(path: part))) { $0.orderedOwn }
    }

    public subscript<Value: OwnFieldValue>(
        dynamicMember part: KeyPath<TravelPlace, Value?>
    ) -> QueryField<Entity, Value> {
        QueryField(QueryFields.field(place.appending(path: part))) { $0.orderedOwn }
    }
}
