import Foundation
import TripStore

/// The index of a report of several pages: what each of them has, and which trips are on which. The script `report-index.js` reads this
/// format.
struct ReportIndex {
    /// The bytes that the trips take at most, about: the newest are listed.
    private static let mostTripBytes = 1_200_000
    private static let longestName = 100

    private struct Trip {
        let name: String
        var events: Int
        var parts: [Int]
    }

    private var parts: [JSON] = []
    private var trips: [UUID: Trip] = [:]
    /// In the order of their last events.
    private var order: [UUID] = []
    private var tripBytes = 0
    private var areAllListed = true

    /// Adds the next page, the newest first.
    mutating func add(_ log: ReportLog, file: String) {
        let (positions, times) = (log.positions ?? 0...0, log.times ?? 0...0)
        parts.append(
            .array([
                .string(file), .integer(positions.upperBound), .integer(positions.lowerBound),
                .integer(times.lowerBound), .integer(times.upperBound), .integer(log.commits), .integer(log.events),
            ]))
        var events: [Int: Int] = [:]
        for (number, entity) in log.tables.entities.enumerated() {
            guard let count = log.eventsOf[number] else { continue }
            for trip in entity.reference.kind == .trip ? [number] : entity.trips { events[trip, default: 0] += count }
        }
        for (number, count) in events.sorted(by: { $0.key < $1.key }) {
            add(log.tables.entities[number], named: log.tables.strings, count)
        }
    }

    private mutating func add(_ trip: ReportTables.Entity, named strings: [String], _ events: Int) {
        let id = trip.reference.id
        if trips[id] == nil {
            guard tripBytes < Self.mostTripBytes else {
                areAllListed = false
                return
            }
            let name = String(String.UnicodeScalarView(strings[trip.name ?? 0].unicodeScalars.prefix(Self.longestName)))
            trips[id] = Trip(name: name, events: 0, parts: [])
            order.append(id)
            tripBytes += JSON.string(name).text(forMarkup: true).utf8.count + 56
        }
        trips[id]?.events += events
        trips[id]?.parts.append(parts.count)
        tripBytes += 5
    }

    /// The members of the data. A part is its file, its newest and oldest position, its first and last time, and how many commits and
    /// events it has; a trip its id, its name, its events, and the numbers of its parts.
    var members: [(String, JSON)] {
        let listed = order.compactMap { id in
            trips[id].map { trip in
                JSON.array(
                    [.string(id.uuidString), .string(trip.name), .integer(trip.events)]
                        + trip.parts.map { .integer($0) })
            }
        }
        let nothing = ["strings", "replicas", "entities", "log", "conflicts"].map { ($0, JSON.array([])) }
        return nothing + [
            ("parts", .array(parts)), ("trips", .array(listed)), ("areAllListed", .bool(areAllListed)),
        ]
    }
}
