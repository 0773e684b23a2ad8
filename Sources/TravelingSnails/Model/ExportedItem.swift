public import Foundation

/// One booking of a trip: a transportation, a lodging or an activity.
///
/// The reader checks the form of the fields and not their sense: an end may lie before its start.
public struct ExportedItem: Sendable, Hashable {
    /// The three lists of a trip.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// From `embeddedTransportation`.
        case transportation
        /// From `embeddedLodging`.
        case lodging
        /// From `embeddedActivities`.
        case activity
    }

    /// The list that the item stands in.
    public let kind: Kind
    /// The identity of the item.
    public let id: UUID
    /// The name; empty when the file gives none.
    public let name: String
    /// The `type` of a transportation as written, such as `plane`; nil if missing or empty.
    public let mode: String?
    /// Departure, check-in or begin; a placeholder if ``hasStart`` is false.
    public let start: Date
    /// Arrival, check-out or end; a placeholder if ``hasEnd`` is false.
    public let end: Date
    /// Whether there is a start, under the key `hasStart` that the app does not know: it has no items without.
    public let hasStart: Bool
    /// Whether there is an end, under the key `hasEnd` that the app does not know: it has no items without.
    public let hasEnd: Bool
    /// The time zone of the start as an IANA name, unchecked; nil when missing or empty.
    public let startTimeZone: String?
    /// The time zone of the end as an IANA name, unchecked; nil when missing or empty.
    public let endTimeZone: String?
    /// The cost in a currency that the app's files do not name, negative for a refund; nil when missing.
    public let cost: DecimalNumber?
    /// The currency of the cost, as "EUR", under the key `currency` that the app does not know. A cost of 0 without one is no cost.
    public let currency: String?
    /// How far it is paid, as written: `infull`, `deposit` or `none`; nil if missing or empty.
    public let paid: String?
    /// The number of the booking: `confirmation` of a transportation, `reservation` of the others; empty when missing.
    public let reservation: String
    /// Free text; empty when the file gives none.
    public let notes: String
    /// The organization it is booked with; nil when missing or empty.
    public let organizationID: UUID?
    /// The name of a location that is no organization; empty if the file has none.
    public let customLocationName: String
    /// Whether the app hides the location.
    public let hidesLocation: Bool
    /// The place in the file at which the item begins.
    public let place: Place

    /// Makes an item from its parts.
    public init(
        kind: Kind, id: UUID, name: String, mode: String? = nil, start: Date, end: Date, hasStart: Bool = true,
        hasEnd: Bool = true, startTimeZone: String? = nil, endTimeZone: String? = nil, cost: DecimalNumber? = nil,
        currency: String? = nil, paid: String? = nil, reservation: String = "", notes: String = "",
        organizationID: UUID? = nil, customLocationName: String = "", hidesLocation: Bool = false,
        place: Place = .start
    ) {
        self.kind = kind
        self.id = id
        self.name = name
        self.mode = mode
        self.start = start
        self.end = end
        self.hasStart = hasStart
        self.hasEnd = hasEnd
        self.startTimeZone = startTimeZone
        self.endTimeZone = endTimeZone
        self.cost = cost
        self.currency = currency
        self.paid = paid
        self.reservation = reservation
        self.notes = notes
        self.organizationID = organizationID
        self.customLocationName = customLocationName
        self.hidesLocation = hidesLocation
        self.place = place
    }
}
