import EventLog
import Events
import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

@Suite("Agendas of a store")
struct AgendaQueryTests {
    private static func time(_ text: String, _ zone: String = "Europe/Lisbon") throws -> Moment {
        try Moment(parsing: text, in: zone)
    }

    @Test("It has what happens on a day in all trips, whatever their own days say")
    func day() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 3)))
        let undated = try await store.create(Trip(name: "Some day"))
        try await store.create(
            Activity(
                name: "Tram", in: lisbon, from: try Self.time("2027-05-02T10:00"),
                until: try Self.time("2027-05-02T11:00")))
        // A year before, and still going on.
        try await store.create(
            Lodging(
                name: "Flat", in: undated, from: try Self.time("2026-05-02T10:00"),
                until: try Self.time("2027-06-01T10:00")))
        try await store.create(Activity(name: "Fair", in: undated, days: Day(2027, 4, 1)...Day(2027, 5, 31)))
        try await store.create(Activity(name: "Elsewhere", in: undated, from: try Self.time("2027-05-04T10:00")))
        let day = Day(2027, 5, 2)
        let agenda = try store.agenda(day)
        #expect(agenda.days.map(\.day) == [day])
        #expect(agenda.entries.map(\.item.name) == ["Fair", "Flat", "Tram"])
        #expect(agenda.entries.map(\.role) == [.continues, .continues, .whole])
        #expect(try store.agenda(day..<day.advanced(by: 1)) == agenda)
        #expect(try store.agenda(day...day, of: lisbon).entries.map(\.item.name) == ["Tram"])
        #expect(try store.agenda(of: lisbon).days.map(\.day) == [Day(2027, 5, 1), day, Day(2027, 5, 3)])
        #expect(try store.agenda(Day(2027, 5, 1)).days.first?.trips.map(\.trip.name) == ["Lisbon"])
        #expect(try store.agenda(day...day, of: .new()).isEmpty && store.agenda(of: .new()).days.isEmpty)
        try await store.delete(undated)
        #expect(try store.agenda(day).entries.map(\.item.name) == ["Tram"])
        try await store.expectInvariants()
    }

    @Test("In every range it is the agenda of all trips, which are found by the views alone", arguments: Seeds.some(6))
    func complete(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let store = try await TripStore.test()
        let start = Day(2027, 1, 1)
        let trips = try await Self.fill(store, from: start, &generator)
        let plans = try trips.filter { try store.trip($0) != nil }.map { id -> Agenda.Plan in
            (try store.trip(id), try store.items(of: id).rows)
        }
        let past = try await store.asOf(store.status().position)
        for _ in 0..<30 {
            let first = start.advanced(by: Int.random(in: -400...400, using: &generator))
            let days = first...first.advanced(by: [0, 0, 1, 6, 40][Int.random(in: 0...4, using: &generator)])
            let expected = try Agenda(days, of: plans)
            #expect(try store.agenda(days) == expected, "\(days)")
        }
        let days = start.advanced(by: -200)...start.advanced(by: 200)
        #expect(try past.agenda(days) == store.agenda(days) && !past.agenda(days).isEmpty)
        try await store.expectInvariants()
    }

    /// Trips with and without days, and items that take minutes, years, and whole days, within the days of the trip and far from them.
    private static func fill(
        _ store: TripStore, from start: Day, _ generator: inout SeededGenerator
    ) async throws -> [Trip.ID] {
        var trips: [Trip.ID] = []
        for number in 0..<12 {
            var trip = Trip(name: "Trip \(number)")
            let first = start.advanced(by: Int.random(in: -300...300, using: &generator))
            if number % 3 != 0 { (trip.startDay, trip.endDay) = (first, first.advanced(by: 9)) }
            trip.isTemplate = number == 7
            let id = try await store.create(trip)
            for _ in 0..<8 {
                let day = first.advanced(by: Int.random(in: -20...20, using: &generator))
                let zone = ["Europe/Lisbon", "Pacific/Kiritimati", "Etc/GMT+12"][
                    Int.random(in: 0...2, using: &generator)]
                let begin = Int64(day.daysSince1970) * 86_400_000 + Int64.random(in: 0..<86_400_000, using: &generator)
                let minutes = [90, 1_400, 2_900, 5_000, 600_000][Int.random(in: 0...4, using: &generator)]
                let moment = Moment(milliseconds: begin, zone: zone)
                let end = Moment(milliseconds: begin + Int64(minutes) * 60_000, zone: zone)
                switch Int.random(in: 0...7, using: &generator) {
                case 0:
                    try await store.create(Activity(name: "A", in: id, days: day...day.advanced(by: minutes / 1_440)))
                case 1: try await store.create(Activity(name: "B", in: id, until: end))
                case 2: try await store.create(Lodging(name: "C", in: id, from: moment))
                case 3: try await store.create(Lodging(name: "D", in: id, from: moment, until: end))
                case 4:
                    try await store.create(
                        Transportation(name: "E", mode: .train, in: id, from: moment, until: end))
                case 5, 6:
                    // Found by the check-in or the check-out.
                    var stay = Lodging(name: "G", in: id, from: Bool.random(using: &generator) ? moment : nil)
                    if stay.start == nil { stay.checkIn = Bool.random(using: &generator) ? moment : nil }
                    if stay.start == nil && stay.checkIn == nil || Bool.random(using: &generator) {
                        stay.checkOut = end
                    }
                    try await store.create(stay)
                default:
                    var mixed = Activity(name: "F", in: id, from: moment)
                    mixed.endDay = day.advanced(by: minutes / 1_440)
                    try await store.create(mixed)
                }
            }
            if number == 5 { try await store.delete(id) }
            if number != 7 { trips.append(id) }
        }
        return trips
    }

    @Test("Live it follows what is on its days, and nothing else")
    func live() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 3)))
        var agendas = store.live { try $0.agenda(Day(2027, 5, 2)...Day(2027, 5, 2)) }.makeAsyncIterator()
        #expect(try await agendas.next()?.entries.isEmpty == true)
        // Another year is none of its days.
        let other = try await store.create(Trip(name: "Porto", days: Day(2029, 5, 1)...Day(2029, 5, 3)))
        try await store.create(Activity(name: "Elsewhere", in: other, from: try Self.time("2029-05-02T10:00")))
        let tram = try await store.create(Activity(name: "Tram", in: trip, from: try Self.time("2027-05-02T10:00")))
        #expect(try await agendas.next()?.entries.map(\.item.name) == ["Tram"])
        try await store.edit(tram) { $0.name = "Tram 28" }
        #expect(try await agendas.next()?.entries.map(\.item.name) == ["Tram 28"])
        try await store.edit(tram) { $0.start = try Self.time("2027-05-03T10:00") }
        #expect(try await agendas.next()?.entries.isEmpty == true)
        var whole = store.live { try $0.agenda(of: trip) }.makeAsyncIterator()
        #expect(try await whole.next()?.days.count == 3)
        try await store.delete(trip)
        #expect(try await whole.next()?.days.isEmpty == true)
        try await store.expectInvariants()
    }

    @Test("As of a moment it is as it was")
    func past() async throws {
        let store = try await TripStore.test()
        let trip = try await store.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 1)))
        let tram = try await store.create(Activity(name: "Tram", in: trip, days: Day(2027, 5, 1)...Day(2027, 5, 1)))
        let before = try await store.asOf(store.status().position)
        try await store.delete(tram)
        #expect(try store.agenda(Day(2027, 5, 1)).entries.isEmpty)
        #expect(try before.agenda(Day(2027, 5, 1)).entries.map(\.item.name) == ["Tram"])
        #expect(try before.agenda(of: trip).entries.count == 1)
        try await store.expectInvariants()
    }

    @Test("Items whose trip never arrived are there by their own clocks")
    func unfiled() async throws {
        let store = try await TripStore.test()
        let missing = Trip.ID.new()
        let flight = Transportation(
            name: "Flight", mode: .plane, in: missing, from: try Self.time("2027-05-01T10:00"),
            until: try Self.time("2027-05-01T20:00", "Asia/Tokyo"))
        let stay = Lodging(name: "Inn", in: missing, days: Day(2027, 5, 1)...Day(2027, 5, 4))
        // A peer's: a store refuses to write them.
        let events = [TripEvent.created(flight), TripEvent.created(stay)].map { event in
            Event(
                verb: event.verb, entity: event.entity,
                changes: event.writes.map { Change(path: $0.path, value: $0.value) })
        }
        try await store.appendUnchecked(events)
        #expect(try store.unfiledItems().count == 2)
        #expect(try store.agenda(Day(2027, 5, 1)).entries.map(\.item.name) == ["Flight", "Inn"])
        #expect(try store.agenda(Day(2027, 5, 2)).entries.map(\.role) == [.continues])
        try await store.expectInvariants()
    }

    @Test("Too many days, and a range without any, are refused with what to do")
    func refused() async throws {
        let store = try await TripStore.test()
        let first = Day(2027, 5, 1)
        let trip = try await store.create(Trip(name: "Lisbon"))
        for body in [
            { _ = try store.agenda(first...first.advanced(by: Agenda.mostDays)) },
            { _ = try store.agenda(first...first.advanced(by: Agenda.mostDays), of: trip) },
            { _ = try store.agenda(first..<first) },
        ] as [() throws -> Void] {
            let error = #expect(throws: TripStoreError.self) { try body() }
            #expect(error?.code == .invalidValue && error?.message.contains("2027-05-01") == true)
            #expect((error?.cause as? ValidationError)?.code == .invalidRange)
        }
        try await store.expectInvariants()
    }
}
