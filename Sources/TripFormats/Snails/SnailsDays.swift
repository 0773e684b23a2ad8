import Foundation
import TravelingSnails
import TripStore

/// Turns the days of a trip, which have no zone, into the instants that the format has: noon in the zone of the first item, where people
/// are on those days, or in UTC.
struct SnailsDays {
    /// As the file has it.
    let name: String
    private let zone: TimeZone

    static let utc = SnailsDays(name: "UTC", zone: .gmt)

    private init(name: String, zone: TimeZone) {
        self.name = name
        self.zone = zone
    }

    /// The zone of the first item by its start. UTC if it is not known here, skips one of the days, as Samoa did on 30 December 2011,
    /// or has noon of it beyond the year 9999.
    init(of items: [ExportedItem], from start: Day?, to end: Day?) {
        let first = items.filter { $0.hasStart && $0.startTimeZone != nil }.min { $0.start < $1.start }
        guard start != nil || end != nil, let name = first?.startTimeZone,
            let zone = Moment(milliseconds: 0, zone: name).timeZone
        else {
            self = .utc
            return
        }
        let days = SnailsDays(name: name, zone: zone)
        let isExact = [start, end].compactMap(\.self).allSatisfy { day in
            let date = days.date(day)
            return ExportedInstant.isRepresentable(date) && Day(date, in: zone) == day
        }
        self = isExact ? days : .utc
    }

    /// Noon of a day.
    func date(_ day: Day) -> Date {
        let noon = Date(timeIntervalSince1970: Double(day.daysSince1970) * 86_400 + 43_200)
        return noon.addingTimeInterval(-Double(zone.secondsFromGMT(for: noon)))
    }
}
