public import Events
public import Foundation

/// An item of any kind, for lists that mix them.
public enum TripItem: Hashable, Sendable, Identifiable {
    case activity(Activity)
    case lodging(Lodging)
    case transportation(Transportation)

    /// The item, for code that takes any kind of them.
    public var item: any ItemEntity {
        switch self {
        case .activity(let item): item
        case .lodging(let item): item
        case .transportation(let item): item
        }
    }

    /// Reads an item in place from the bytes of its record; nil if the reference names no item.
    ///
    /// Throws `WireError` if the record cannot be read.
    public init?(_ reference: EntityReference, record: RecordView) throws(WireError) {
        switch reference.kind {
        case .activity: self = .activity(try Activity(id: Identifier(reference.id), record: record))
        case .lodging: self = .lodging(try Lodging(id: Identifier(reference.id), record: record))
        case .transportation: self = .transportation(try Transportation(id: Identifier(reference.id), record: record))
        default: return nil
        }
    }

    /// Reads an item from a record in memory; nil if the reference names no item.
    public init?(_ reference: EntityReference, record: EntityRecord) {
        switch reference.kind {
        case .activity: self = .activity(Activity(id: Identifier(reference.id), record: record))
        case .lodging: self = .lodging(Lodging(id: Identifier(reference.id), record: record))
        case .transportation: self = .transportation(Transportation(id: Identifier(reference.id), record: record))
        default: return nil
        }
    }

    private var storage: ItemStorage {
        switch self {
        case .activity(let item): item.storage
        case .lodging(let item): item.storage
        case .transportation(let item): item.storage
        }
    }

    /// The kind and the id, as the log names it.
    public var reference: EntityReference {
        switch self {
        case .activity(let item): item.reference
        case .lodging(let item): item.reference
        case .transportation(let item): item.reference
        }
    }

    public var id: UUID { reference.id }
    /// Which of the three it is.
    public var kind: EntityKind { reference.kind }
}

/// What all items have, as `ItemEntity` describes it.
extension TripItem {
    public var name: String { storage.fields.name }
    public var trip: Trip.ID? { storage.fields.trip }
    public var start: Moment? { storage.fields.start }
    public var end: Moment? { storage.fields.end }
    /// The end, taken as no earlier than the start.
    public var effectiveEnd: Moment? { storage.fields.effectiveEnd }
    public var cost: Money? { storage.fields.cost }
    public var paid: PaidStatus { storage.fields.paid }
    public var reservation: String { storage.fields.reservation }
    public var notes: String { storage.fields.notes }
    public var customLocationName: String { storage.fields.customLocationName }
    public var hidesLocation: Bool { storage.fields.hidesLocation }
    public var address: Address? { storage.fields.address }
    public var organization: Organization.ID? { storage.fields.organization }
    /// Nil for items that are no transportation.
    public var mode: TransportationMode? { kind == .transportation ? storage.fields.mode : nil }
    public var createdAt: Date? { item.createdAt }
    public var updatedAt: Date? { item.updatedAt }
}
