public import TripStore

/// The times of an event that recurs, of which a file has one alone, or none: their names are numbers that it does not say.
public struct CalendarSeries: Hashable, Sendable {
    /// When an item starts.
    public enum Start: Hashable, Sendable {
        case day(Day)
        /// Milliseconds since 1970.
        case time(Int64)

        /// Nil without either.
        public init?(_ moment: Moment?, _ day: Day?) {
            if let moment {
                // Files have whole seconds.
                self = .time(Int64(moment.wholeSeconds) * 1000)
            } else if let day {
                self = .day(day)
            } else {
                return nil
            }
        }

        /// The milliseconds between two times; nil for days.
        func distance(to other: Start) -> UInt64? {
            guard case .time(let time) = self, case .time(let otherTime) = other else { return nil }
            return (time - otherTime).magnitude
        }
    }

    /// The UID of the event.
    public let uid: String
    /// The start that a file gave the item before; nil for all items of the series.
    public let start: Start?

    /// All times.
    init(_ uid: String) { (self.uid, start) = (uid, nil) }

    /// Nil for a time that is none.
    init?(_ uid: String, at time: CalendarTime, _ line: Int, _ resolver: inout ZoneResolver) {
        guard let start = Start(resolver.moment(time, line: line), time.isDay ? time.day : nil) else { return nil }
        (self.uid, self.start) = (uid, start)
    }

    /// The names that its times may have: as many as are read of an event.
    public var names: [String] { (0..<CalendarLimits().mostInstances).map { InstanceName.name(uid, $0) } }
}

/// What a calendar says of all of its events.
struct CalendarSource {
    /// Below so many characters a UID without an @ is a number that some program counts, and not unique.
    private static let shortest = 8

    /// Whether it says that they do not take place.
    let cancels: Bool
    /// The PRODID.
    let program: String
    /// What its UIDs are unique in, if they are not unique by themselves.
    private let name: String

    init(_ calendar: CalendarComponent) {
        program = calendar.property("PRODID")?.text ?? ""
        cancels = calendar.property("METHOD")?.value.trimmed.uppercased() == "CANCEL"
        name = ["NAME", "X-WR-CALNAME", "PRODID"].map { calendar.property($0)?.text.trimmed ?? "" }.joined(
            separator: "\u{1F}")
    }

    /// What names an event; empty if it has no UID.
    func uid(of event: CalendarEvent) -> String {
        let uid = event.uid
        guard !uid.isEmpty, uid.utf8.count < Self.shortest, !uid.contains("@") else { return uid }
        return "\(uid)\u{1F}\(name)"
    }
}
