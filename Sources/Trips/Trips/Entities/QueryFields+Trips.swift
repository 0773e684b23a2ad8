extension QueryFields where Entity == Trip {
    /// The items of a trip, of all kinds. Their conditions are on the fields that all kinds have.
    public var items: QueryRelation<Trip, Activity> { QueryRelation(.children, KnownKind.items) }
    public var activities: QueryRelation<Trip, Activity> { QueryRelation(.children, [KnownKind(Activity.self)]) }
    public var lodgings: QueryRelation<Trip, Lodging> { QueryRelation(.children, [KnownKind(Lodging.self)]) }
    public var transportations: QueryRelation<Trip, Transportation> {
        QueryRelation(.children, [KnownKind(Transportation.self)])
    }
}

extension QueryFields where Entity == Organization {
    /// The items of an organization, of all kinds. Their conditions are on the fields that all kinds have.
    public var items: QueryRelation<Organization, Activity> {
        QueryRelation(.naming(by: Activity.schema.number(of: \.organization) ?? 0), KnownKind.items)
    }
}

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

extension PredicateIdentity {
    /// The computed properties of trips' kinds that have a name in every process.
    static var ofEntities: [AnyKeyPath: String] {
        [
            \Transportation.departure: "departure", \Transportation.arrival: "arrival",
            \TravelPlace.name: "name of place", \TravelPlace.code: "code of place",
            \TravelPlace.terminal: "terminal of place", \TravelPlace.gate: "gate of place",
            \TravelPlace.address: "address of place",
        ]
    }
}

extension PaidStatus: PredicateConstant {}
extension PlanningStage: PredicateConstant {}
extension TransportationMode: PredicateConstant {}
