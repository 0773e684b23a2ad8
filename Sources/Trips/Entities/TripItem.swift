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

    /// The item of a kind; nil for another type.
    init?(_ item: any ItemEntity) {
        switch item {
        case let item as Activity: self = .activity(item)
        case let item as Lodging: self = .lodging(item)
        case let item as Transportation: self = .transportation(item)
        default: return nil
        }
    }

    /// Changes the item, of whichever kind it is, in memory of its own.
    mutating func modify(_ change: (inout any ItemEntity) -> Void) {
        var item = item
        change(&item)
        if let changed = TripItem(item) { self = changed }
    }

    /// Reads an item in place from the bytes of its record; nil if the reference names no item.
    ///
    /// Throws `WireError` if the record cannot be read.
    public init?(_ reference: EntityReference, record: borrowing RecordView) throws(WireError) {
        switch reference.kind {
        case .activity: self = .activity(try Activity(id: Identifier(reference.id), record: record))
        case .lodging: self = .lodging(try Lodging(id: Identifier(reference.id), record: record))
        case .transportation: self = .transportation(try Transportation(id: Identifier(reference.id), record: record))
        default: return nil
        }
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

    /// Which of the three it is.
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
        public var uuid: UUID { reference.id }

        /// The usual text of the UUID, in upper case.
        public var description: String { uuid.uuidString }
    }
}

/// The common fields of all items, as `ItemEntity` describes them.
extension TripItem {
    public var name: String { common(\.name, \.name, \.name) }
    public var trip: Trip.ID? { common(\.trip, \.trip, \.trip) }
    public var start: Moment? { common(\.start, \.start, \.start) }
    public var end: Moment? { common(\.end, \.end, \.end) }
    /// The end, but no earlier than the start.
    public var effectiveEnd: Moment? { common(\.effectiveEnd, \.effectiveEnd, \.effectiveEnd) }
    public var startDay: Day? { common(\.startDay, \.startDay, \.startDay) }
    public var endDay: Day? { common(\.endDay, \.endDay, \.endDay) }
    /// The last day, but no earlier than the first.
    public var effectiveEndDay: Day? { common(\.effectiveEndDay, \.effectiveEndDay, \.effectiveEndDay) }
    public var stage: PlanningStage { common(\.stage, \.stage, \.stage) }
    public var cost: Money? { common(\.cost, \.cost, \.cost) }
    public var paid: PaidStatus { common(\.paid, \.paid, \.paid) }
    public var paidAmount: Money? { common(\.paidAmount, \.paidAmount, \.paidAmount) }
    /// Its cost, the part of that which counts, and the amount paid.
    public var payment: ItemPayment { common(\.payment, \.payment, \.payment) }
    /// The part of its cost that sums over a trip count.
    public var countedCost: Money? { common(\.countedCost, \.countedCost, \.countedCost) }
    /// The amount paid of its cost.
    public var paidCost: Money? { common(\.paidCost, \.paidCost, \.paidCost) }
    public var category: String { common(\.category, \.category, \.category) }
    public var reservation: String { common(\.reservation, \.reservation, \.reservation) }
    public var notes: String { common(\.notes, \.notes, \.notes) }
    public var customLocationName: String {
        common(\.customLocationName, \.customLocationName, \.customLocationName)
    }
    public var hidesLocation: Bool { common(\.hidesLocation, \.hidesLocation, \.hidesLocation) }
    public var address: Address? { common(\.address, \.address, \.address) }
    public var organization: Organization.ID? { common(\.organization, \.organization, \.organization) }
    /// Nil for items that are no transportation.
    public var mode: TransportationMode? {
        if case .transportation(let item) = self { item.mode } else { nil }
    }
    public var status: ProcessingStatus { common(\.status, \.status, \.status) }
    public var links: [Link] { common(\.links, \.links, \.links) }
    public var contacts: [Contact] { common(\.contacts, \.contacts, \.contacts) }
    public var createdAt: Date? { common(\.createdAt, \.createdAt, \.createdAt) }
    public var updatedAt: Date? { common(\.updatedAt, \.updatedAt, \.updatedAt) }

    /// Without an existential, which would copy the item into memory of its own.
    @inline(__always)
    private func common<Value>(
        _ activity: (Activity) -> Value, _ lodging: (Lodging) -> Value, _ transportation: (Transportation) -> Value
    ) -> Value {
        switch self {
        case .activity(let item): activity(item)
        case .lodging(let item): lodging(item)
        case .transportation(let item): transportation(item)
        }
    }
}
