/// How far a plan has come, of a trip or of an item. Records of earlier versions, which have none, are planned.
///
/// A cancelled item counts only what is paid: see `Item.countedCost`. The stage of a trip changes nothing in its items.
public enum PlanningStage: OpenEnumeration, DefaultedFieldValue {
    /// The plan is to happen, and not booked, or needs no booking.
    case planned
    /// The plan may happen: nothing is decided.
    case idea
    case booked
    /// The plan will not happen.
    case cancelled
    /// The plan has happened.
    case done
    /// A stage that this version does not know, by its number. The store reads a known number as its case.
    case unknown(UInt32)

    package static let known: [(value: PlanningStage, name: String)] = [
        (.planned, "planned"), (.idea, "idea"), (.booked, "booked"), (.cancelled, "cancelled"), (.done, "done"),
    ]

    package var unknownNumber: UInt32? { if case .unknown(let number) = self { number } else { nil } }
}

/// How much of an item's cost is paid.
public enum PaidStatus: OpenEnumeration, DefaultedFieldValue {
    case none, deposit, inFull
    /// A status that this version does not know, by its number. The store reads a known number as its case.
    case unknown(UInt32)

    package static let known: [(value: PaidStatus, name: String)] = [
        (.none, "none"), (.deposit, "deposit"), (.inFull, "inFull"),
    ]

    package var unknownNumber: UInt32? { if case .unknown(let number) = self { number } else { nil } }
}

/// The means of transportation.
public enum TransportationMode: OpenEnumeration, DefaultedFieldValue {
    case other, train, plane, boat, car, bicycle, walking
    /// A mode that this version does not know, by its number. The store reads a known number as its case.
    case unknown(UInt32)

    package static let known: [(value: TransportationMode, name: String)] = [
        (.other, "other"), (.train, "train"), (.plane, "plane"), (.boat, "boat"), (.car, "car"),
        (.bicycle, "bicycle"), (.walking, "walking"),
    ]

    package var unknownNumber: UInt32? { if case .unknown(let number) = self { number } else { nil } }
}
