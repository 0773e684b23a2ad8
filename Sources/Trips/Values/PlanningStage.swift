/// How far a plan has come, of a trip or of an item. Records of earlier versions, which have none, are planned.
///
/// A cancelled item counts only what is paid: see `ItemEntity.countedCost`. The stage of a trip changes nothing in its items.
public struct PlanningStage: OpenEnumeration, DefaultedFieldValue {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// It is to happen, and not booked, or needs no booking.
    public static let planned = PlanningStage(rawValue: 0)
    /// It may happen: nothing is decided.
    public static let idea = PlanningStage(rawValue: 1)
    public static let booked = PlanningStage(rawValue: 2)
    /// It will not happen.
    public static let cancelled = PlanningStage(rawValue: 3)
    /// It has happened.
    public static let done = PlanningStage(rawValue: 4)

    public static let known: [(value: PlanningStage, name: String)] = [
        (.planned, "planned"), (.idea, "idea"), (.booked, "booked"), (.cancelled, "cancelled"), (.done, "done"),
    ]
}

/// How much of an item's cost is paid.
public struct PaidStatus: OpenEnumeration, DefaultedFieldValue {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let none = PaidStatus(rawValue: 0)
    public static let deposit = PaidStatus(rawValue: 1)
    public static let inFull = PaidStatus(rawValue: 2)

    public static let known: [(value: PaidStatus, name: String)] = [
        (.none, "none"), (.deposit, "deposit"), (.inFull, "inFull"),
    ]
}

/// The means of transportation.
public struct TransportationMode: OpenEnumeration, DefaultedFieldValue {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let other = TransportationMode(rawValue: 0)
    public static let train = TransportationMode(rawValue: 1)
    public static let plane = TransportationMode(rawValue: 2)
    public static let boat = TransportationMode(rawValue: 3)
    public static let car = TransportationMode(rawValue: 4)
    public static let bicycle = TransportationMode(rawValue: 5)
    public static let walking = TransportationMode(rawValue: 6)

    public static let known: [(value: TransportationMode, name: String)] = [
        (.other, "other"), (.train, "train"), (.plane, "plane"), (.boat, "boat"), (.car, "car"),
        (.bicycle, "bicycle"), (.walking, "walking"),
    ]
}
