public import Foundation

/// One trip with everything in it.
public struct ExportedTrip: Sendable, Hashable {
    /// The identity of the trip.
    public let id: UUID
    /// The name; empty when the file gives none.
    public let name: String
    /// Free text; empty when the file gives none.
    public let notes: String
    /// When the trip was entered; nil when the file does not say.
    public let createdDate: Date?
    /// The first day; nil if missing or if `hasStartDate` is false, because the date beside it is then a placeholder. A
    /// date without the flag counts.
    public let startDate: Date?
    /// The last day, under the same rule with `hasEndDate`.
    public let endDate: Date?
    /// Whether the app locks the trip behind an unlock.
    public let isProtected: Bool
    /// The zone in which the days of the two dates count, under the key `timeZone` that the app does not know; nil if the file does not
    /// say it.
    public let timeZone: String?
    /// The sum that the app shows, in a currency the file does not name, with any sign; nil when missing.
    public let totalCost: DecimalNumber?
    /// The usable items: by list of the file, and in each list in file order.
    public let items: [ExportedItem]
    /// The items that were left out, and the ids that the trip lists without an object for them.
    public let problems: [ExportProblem]
    /// The place in the file at which the trip begins.
    public let place: Place

    /// Makes a trip from its parts.
    public init(
        id: UUID, name: String, notes: String = "", createdDate: Date? = nil, startDate: Date? = nil,
        endDate: Date? = nil, isProtected: Bool = false, timeZone: String? = nil, totalCost: DecimalNumber? = nil,
        items: [ExportedItem] = [], problems: [ExportProblem] = [], place: Place = .start
    ) {
        self.id = id
        self.name = name
        self.notes = notes
        self.createdDate = createdDate
        self.startDate = startDate
        self.endDate = endDate
        self.isProtected = isProtected
        self.timeZone = timeZone
        self.totalCost = totalCost
        self.items = items
        self.problems = problems
        self.place = place
    }
}
