public import Events

/// What distinguishes activities, lodgings and transportations: little enough for one generic type to serve them all.
public protocol ItemKind: Sendable {
    /// The number of the kind in the log.
    static var entityKind: EntityKind { get }
    /// Whether items of this kind have a mode of transportation.
    static var hasMode: Bool { get }
    /// What people call the booking number.
    static var reservationName: String { get }
}

extension ItemKind {
    public static var hasMode: Bool { false }
    public static var reservationName: String { "reservation" }
}

/// Something to do at one place.
public enum ActivityKind: ItemKind {
    public static var entityKind: EntityKind { .activity }
}

/// Somewhere to sleep; its ends are check-in and check-out.
public enum LodgingKind: ItemKind {
    public static var entityKind: EntityKind { .lodging }
}

/// A journey between two places.
public enum TransportationKind: ItemKind {
    public static var entityKind: EntityKind { .transportation }
    public static var hasMode: Bool { true }
    public static var reservationName: String { "confirmation" }
}

/// Something to do at one place.
public typealias Activity = Item<ActivityKind>
/// Somewhere to sleep; its ends are check-in and check-out.
public typealias Lodging = Item<LodgingKind>
/// A journey between two places.
public typealias Transportation = Item<TransportationKind>

/// The fields of an item. Numbers are shared by all kinds of items; only transportations have a mode.
public enum ItemField: UInt32, EntityField {
    case name = 1
    /// What it belongs to: 2 in every kind.
    case trip
    case start
    case end
    case cost
    case paid
    case reservation
    case notes
    case customLocationName
    case hidesLocation
    case address
    case organization
    case mode

    static let shared: [ItemField] = allCases.filter { $0 != .mode }
    static let all: [ItemField] = Array(allCases)
    static let sharedSet = Set(shared)
    static let allSet = Set(all)
}

extension ItemField: SchemaField {
    var isJudgedWithOthers: Bool { self == .start || self == .end }

    var isName: Bool { self == .name }

    var isRequired: Bool { self == .name || self == .trip }

    var valueType: any FieldValue.Type {
        switch self {
        case .name, .reservation, .notes, .customLocationName: String.self
        case .trip: Trip.ID.self
        case .start, .end: Moment.self
        case .cost: Money.self
        case .paid: PaidStatus.self
        case .hidesLocation: Bool.self
        case .address: Address.self
        case .organization: Organization.ID.self
        case .mode: TransportationMode.self
        }
    }
}
