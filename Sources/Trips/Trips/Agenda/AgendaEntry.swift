import Foundation

/// An item on one of its days.
public struct AgendaEntry: Hashable, Sendable, Identifiable {
    /// Which part of an item, or of a trip, falls on a day.
    public enum Role: Sendable {
        /// All of it: it begins and ends on that day.
        case whole
        /// It begins, and goes on beyond the day or has no known end: a departure, a check-in.
        case starts
        /// It has begun before, and goes on: a night of a stay, a day on the way.
        case continues
        /// It ends: an arrival, a check-out.
        case ends
    }

    /// An item is at most once on a day.
    public struct ID: Hashable, Sendable {
        package let item: TripItem.ID
        package let day: Day
    }

    public let item: TripItem
    public let day: Day
    public let role: Role
    /// When the item begins, in the traveller's zone, on this day or another; nil where no clock time is known. The item's own `start` has the
    /// zone of the place.
    public let begins: Moment?
    /// When it ends, likewise.
    public let ends: Moment?
    /// The zone in which the traveller is on that day, an IANA name; nil for whole days, which have none.
    public let zone: String?
    /// The night of a stay that follows the day, from 1 on; nil on the day of its end, and of what is no stay over a night.
    public let night: Int?
    /// How many nights a stay has; nil of what is none.
    public let nightCount: Int?
    /// How many days later the item ends than it begins.
    package let daysLater: Int
    /// Whether one only has the item, and is not in it: a rental car, parking, a pass.
    public let isHad: Bool
    /// Where one is in it on that day, in the order of time.
    package let places: [CoursePlace]

    public var id: ID { ID(item: item.id, day: day) }

    /// The trip of the item.
    package var trip: Trip.ID? { item.trip }

    /// Whether the item is cancelled: it is listed, but does not take place.
    public var isCancelled: Bool { item.stage == .cancelled }

    /// The moment of the day at which the item begins, or else ends; nil for what goes on, and for whole days.
    public var time: Moment? {
        switch role {
        case .whole, .starts: begins
        case .ends: ends
        case .continues: nil
        }
    }

    init(_ course: ItemCourse, _ day: Day, _ role: Role, namesZones: Bool) {
        item = course.item
        self.day = day
        self.role = role
        begins = course.begins
        ends = course.ends
        zone = course.zone(on: day)
        nightCount = course.nightCount
        night = course.nights.contains(day) ? course.nightCount(before: day) + 1 : nil
        daysLater = course.daysLater
        isHad = course.isHad
        places = course.places(role, namesZones: namesZones)
    }

    /// In the order of a day: what has no clock time on it, then by instant; an end before a beginning, a check-in behind what leads to it.
    static func inOrder(_ entries: [AgendaEntry]) -> [AgendaEntry] {
        var entries = entries.sorted(by: isBefore)
        entries.moveCheckIns()
        return entries
    }

    private static func isBefore(_ a: AgendaEntry, _ b: AgendaEntry) -> Bool {
        let (first, second) = (a.time?.milliseconds, b.time?.milliseconds)
        if first != second { return (first ?? .min, first == nil ? 0 : 1) < (second ?? .min, second == nil ? 0 : 1) }
        if (a.role == .ends) != (b.role == .ends) { return a.role == .ends }
        return a.item.name == b.item.name ? a.item.id.uuid < b.item.id.uuid : a.item.name < b.item.name
    }
}

extension AgendaEntry: CoursePart {
    package var isTimed: Bool { time != nil }
    package var isCheckIn: Bool { item.kind == .lodging && role == .starts }
    package var isCheckOut: Bool { item.kind == .lodging && role == .ends }
    package var isArrival: Bool { item.kind == .transportation && !isHad && (role == .ends || role == .whole) }
}
