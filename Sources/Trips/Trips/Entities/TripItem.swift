public import Events
package import Foundation

/// An item of any kind, for lists that mix them. It has the properties that all kinds have.
@dynamicMemberLookup
public enum TripItem: Hashable, Sendable, Identifiable {
    case activity(Activity)
    case lodging(Lodging)
    case transportation(Transportation)

    /// A property that items of all kinds have, as in `item.start`. One that depends on the kind, as on its schema, has the value that an
    /// activity with the same fields has.
    ///
    /// Inlined into other modules: reading a stored property takes 23 ns there, and 600 otherwise.
    @inlinable
    @inline(__always)
    public subscript<Value>(dynamicMember property: KeyPath<Activity, Value>) -> Value {
        switch self {
        case .activity(let item): item[keyPath: property]
        case .lodging(let item): Self.value(property, of: item)
        case .transportation(let item): Self.value(property, of: item)
        }
    }

    /// Sound, as `common` is: items of all kinds have the same stored properties, and their kind is only in the type.
    @inlinable
    @inline(__always)
    static func value<Kind, Value>(_ property: KeyPath<Activity, Value>, of item: Item<Kind>) -> Value {
        withUnsafePointer(to: item) { item in
            item.withMemoryRebound(to: Activity.self, capacity: 1) { $0.pointee[keyPath: property] }
        }
    }

    /// The item as if it were an activity, for what items of all kinds have: not for its kind, its schema or its id.
    var common: Activity {
        get {
            switch self {
            case .activity(let item): item
            case .lodging(let item): unsafeBitCast(item, to: Activity.self)
            case .transportation(let item): unsafeBitCast(item, to: Activity.self)
            }
        }
        set {
            switch self {
            case .activity: self = .activity(newValue)
            case .lodging: self = .lodging(unsafeBitCast(newValue, to: Lodging.self))
            case .transportation: self = .transportation(unsafeBitCast(newValue, to: Transportation.self))
            }
        }
    }

    /// The item, for code that takes any kind of entity.
    package var entity: any TripEntity {
        switch self {
        case .activity(let item): item
        case .lodging(let item): item
        case .transportation(let item): item
        }
    }

    /// The item that an entity is; nil for another type.
    package init?(_ entity: any TripEntity) {
        switch entity {
        case let item as Activity: self = .activity(item)
        case let item as Lodging: self = .lodging(item)
        case let item as Transportation: self = .transportation(item)
        default: return nil
        }
    }

    /// Changes the item, of whichever kind it is, in memory of its own.
    mutating func modify(_ change: (inout any TripEntity) -> Void) {
        var entity = entity
        change(&entity)
        if let changed = TripItem(entity) { self = changed }
    }

    /// Reads an item from a record in memory; nil if the reference names no item.
    package init?(_ reference: EntityReference, record: EntityRecord) {
        switch reference.kind {
        case .activity: self = .activity(Activity(id: Identifier(reference.id), record: record))
        case .lodging: self = .lodging(Lodging(id: Identifier(reference.id), record: record))
        case .transportation: self = .transportation(Transportation(id: Identifier(reference.id), record: record))
        default: return nil
        }
    }

    /// The kind and the id, as the log names it.
    public var reference: EntityReference { id.reference }

    /// The id, typed by the kind of the item.
    public var id: ID {
        switch self {
        case .activity(let item): .activity(item.id)
        case .lodging(let item): .lodging(item.id)
        case .transportation(let item): .transportation(item.id)
        }
    }

    /// The kind: one of the three.
    public var kind: EntityKind { reference.kind }
}

extension TripItem {
    /// The id of an item of any kind, which says of which one.
    public enum ID: Hashable, Sendable, Codable, CustomStringConvertible {
        case activity(Activity.ID)
        case lodging(Lodging.ID)
        case transportation(Transportation.ID)

        /// The typed form of a reference; nil if it names no item.
        public init?(_ reference: EntityReference) {
            switch reference.kind {
            case .activity: self = .activity(Identifier(reference.id))
            case .lodging: self = .lodging(Identifier(reference.id))
            case .transportation: self = .transportation(Identifier(reference.id))
            default: return nil
            }
        }

        /// The kind and the id, as the log names it.
        public var reference: EntityReference {
            switch self {
            case .activity(let id): id.reference
            case .lodging(let id): id.reference
            case .transportation(let id): id.reference
            }
        }

        /// The id without its kind.
        package var uuid: UUID { reference.id }

        /// The usual text of the UUID, in upper case.
        public var description: String { uuid.uuidString }
    }
}

/// Properties by the schema of the item's own kind.
extension TripItem {
    /// The item as a JSON object: see `TripEntity.json`.
    package var json: JSONValue { entity.json }
    package var fieldValues: [(name: String, value: JSONValue)] { entity.fieldValues }
    package var storeValues: [(name: String, value: JSONValue)] { entity.storeValues }
}

/// Computed properties that lists and sums read of every item. Without a key path, by which one took 420 ns.
extension TripItem {
    package var effectiveEnd: Moment? { common.effectiveEnd }
    package var effectiveEndDay: Day? { common.effectiveEndDay }
    package var startDay: Day? { common.startDay }
    package var endDay: Day? { common.endDay }
    package var category: String { common.category }
    package var payment: ItemPayment { common.payment }
    package var countedCost: Money? { common.countedCost }
    package var participants: Set<Traveller.ID> { common.participants }
    package var isForAllTravellers: Bool { common.isForAllTravellers }
    package var payer: Traveller.ID? { common.payer }
    package var own: OwnValues { common.own }
}

extension TripItem {
    /// The means of transportation; nil for items that are no transportation.
    public var mode: TransportationMode? {
        if case .transportation(let item) = self { item.mode } else { nil }
    }
}
