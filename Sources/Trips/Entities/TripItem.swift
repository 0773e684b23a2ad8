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

    public var reference: EntityReference { item.reference }
    public var id: UUID { reference.id }
    public var kind: EntityKind { reference.kind }
    public var name: String { item.name }
    public var trip: Trip.ID? { item.trip }
    public var start: Moment? { item.start }
    public var end: Moment? { item.end }
    /// The end, taken as no earlier than the start.
    public var effectiveEnd: Moment? { item.effectiveEnd }
    public var cost: Money? { item.cost }
    public var paid: PaidStatus { item.paid }
    public var reservation: String { item.reservation }
    public var notes: String { item.notes }
    public var customLocationName: String { item.customLocationName }
    public var hidesLocation: Bool { item.hidesLocation }
    public var address: Address? { item.address }
    public var organization: Organization.ID? { item.organization }
    public var createdAt: Date? { item.createdAt }
    public var updatedAt: Date? { item.updatedAt }
    /// Nil for items that are no transportation.
    public var mode: TransportationMode? {
        guard case .transportation(let item) = self else { return nil }
        return item.mode
    }
}
