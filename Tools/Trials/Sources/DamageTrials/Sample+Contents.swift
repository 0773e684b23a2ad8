import Foundation

@testable import EventLog
@testable import TripStore
@testable import TripStoreCommands
@testable import TripStoreTestSupport

extension Sample {
    /// The paths below the folder of the trials.
    struct Places {
        let root: String

        var store: String { root + "/store" }
        /// Holds the whole log of the store, as it was closed.
        var bundle: String { root + "/trips.bundle" }
        /// Holds commits of the replica that the store lacks.
        var news: String { root + "/news.bundle" }
        /// A dump of the other replica's log.
        var dump: String { root + "/log.jsonl" }
        /// An export of Traveling Snails.
        var export: String { root + "/export.json" }
        /// A calendar of another program, and a table with its mapping.
        var calendar: String { root + "/calendar.ics" }
        var table: String { root + "/table.csv" }
        var mapping: String { root + "/mapping.json" }
        var others: String { root + "/others" }
        /// Another replica of the journal. Each of the two holds commits that the other lacks.
        var peer: String { others + "/peer" }
        /// A store of another journal.
        var stranger: String { others + "/stranger" }
        /// Links to all files, as they are put back.
        var originals: String { root + "/originals" }
        /// The output of a command.
        func out(_ name: String) -> String { root + "/out/" + name }
    }

    /// The arguments of the commands.
    struct Subjects {
        /// A trip with items.
        var trip = ""
        /// A trip that is edited, deleted, and moved into.
        var otherTrip = ""
        var deletedTrip = ""
        /// An activity of `trip`.
        var item = ""
        /// An open conflict.
        var conflict = ""
        /// The other replica.
        var replica = ""
        /// The code of an invitation.
        var invitation = ""
        /// A commit's position in the middle of the log.
        var position = ""
    }

    struct Contents {
        var subjects = Subjects()
        /// The commits of the other stores.
        var peer: [Digest] = []
        var stranger: [Digest] = []
    }

    /// Writes the sample's content, and its environment: other stores, a bundle, an export.
    static func fill(
        _ store: TripStore?, _ places: Places, _ clock: ManualClock, _ seed: UInt64
    ) async throws -> Contents {
        guard let store else { return Contents() }
        let trips = try await fill(store, clock, seed)
        var contents = Contents()
        contents.subjects.trip = "\(trips[0])"
        contents.subjects.otherTrip = "\(trips[2])"
        contents.subjects.deletedTrip = "\(trips[8])"
        contents.subjects.item = try store.activities(of: trips[0]).first(where: { _ in true }).map { "\($0.id)" } ?? ""
        contents.subjects.position = "\(try store.status().position.rawValue / 2)"
        let peer = try await meet(store, places, clock, seed, trips)
        contents.subjects.replica = "\(peer.replica)"
        contents.subjects.conflict = try store.conflicts().first.map { "\($0.id)" } ?? ""

        contents.subjects.invitation = "\(try await store.invite())"

        // Commits that the replica lacks.
        let undoer = Authorship(author: Self.undoer)
        try await store.edit(trips[3], by: undoer) { $0.destination = "Elsewhere" }
        try await store.undo(.last(by: Self.undoer), by: undoer)
        // Commits that the store lacks.
        try await peer.create(Trip(name: "News", notes: "Of another replica"))
        try await peer.write(bundle: URL(fileURLWithPath: places.news), for: .anyone)
        try await DumpFile.write(peer, to: URL(fileURLWithPath: places.dump))
        contents.peer = try peer.commitHashes(after: .start)
        await peer.close()

        let stranger = try await TripStore.open(
            at: URL(fileURLWithPath: places.stranger),
            options: options(ManualClock(milliseconds: clock.now, seed: ~seed)))
        var samples = SampleTrips(seed: ~seed)
        try await samples.write(3, to: stranger)
        contents.stranger = try stranger.commitHashes(after: .start)
        await stranger.close()
        try Data(export(editing: trips[2]).utf8).write(to: URL(fileURLWithPath: places.export))
        for (path, text) in foreignFiles(places) { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
        return contents
    }

    private static func fill(_ store: TripStore, _ clock: ManualClock, _ seed: UInt64) async throws -> [Trip.ID] {
        var samples = SampleTrips(seed: seed)
        var trips: [Trip.ID] = []
        for part in 0..<6 {
            trips += try await samples.write(12, to: store)
            clock.advance(by: 3_600_000)
            // A record that takes pages of its own, and one that moves.
            try await store.edit(trips[part]) { $0.notes = String(repeating: "Notes \(part). ", count: 900) }
            try await store.edit(trips[0]) { $0.name = "Renamed \(part)" }
            try await store.delete(trips[12 * part + 8])
        }
        let subscription = try await store.createSubscription(subscription, from: .beginning)
        try await subscription.acknowledge(Position(7))
        return trips
    }

    /// Makes another replica, which edits the same entities as the store.
    private static func meet(
        _ store: TripStore, _ places: Places, _ clock: ManualClock, _ seed: UInt64, _ trips: [Trip.ID]
    ) async throws -> TripStore {
        var options = options(ManualClock(milliseconds: clock.now, seed: seed + 1))
        options.deviceName = "peer"
        let (peer, _) = try await TripStore.clone(
            .store(store), to: URL(fileURLWithPath: places.peer), options: options)
        try await peer.edit(trips[1]) { $0.name = "Named elsewhere" }
        clock.advance(by: 1000)
        try await store.edit(trips[1]) { $0.name = "Named here" }
        try await store.exchange(with: .store(peer))
        try await store.catchUp()
        return peer
    }

    /// Two trips, one of which the store holds. It lacks that one's items.
    private static func foreignFiles(_ places: Places) -> [(path: String, text: String)] {
        let calendar = """
            BEGIN:VCALENDAR
            X-WR-CALNAME:Classes
            BEGIN:VEVENT
            UID:class@school.example
            SUMMARY:Class
            DTSTART;TZID=Europe/Lisbon:20270503T090000
            DURATION:PT1H
            RRULE:FREQ=WEEKLY;COUNT=5
            END:VEVENT
            BEGIN:VEVENT
            UID:exam@school.example
            SUMMARY:Exam
            DTSTART;VALUE=DATE:20270601
            END:VEVENT
            END:VCALENDAR
            """
        let mapping = #"{"source": "hotels.example", "columns": {"name": "name", "start": "from", "end": "to"}}"#
        return [
            (places.calendar, calendar.replacing("\n", with: "\r\n") + "\r\n"), (places.mapping, mapping),
            (places.table, "name,from,to\nCasa,2027-05-01,2027-05-04\nFerry,2027-05-04 09:30,\n"),
        ]
    }

    private static func export(editing trip: Trip.ID) -> String {
        let trips = ["\(trip)", "00000000-0000-0000-0000-00000000000A"].enumerated().map { number, id in
            """
            {"id": "\(id)", "name": "Imported \(number)", "createdDate": "2026-12-01T12:00:00Z",
            "startDate": "2027-05-01T22:30:00Z", "endDate": "2027-05-02T10:00:00Z", "embeddedTransportation": [
            {"id": "00000000-0000-0000-0000-0000000000F\(number)", "name": "Flight", "start": "2027-05-01T22:30:00Z",
            "end": "2027-05-02T01:00:00Z", "startTZId": "Europe/Lisbon", "endTZId": "Europe/Lisbon", "cost": 12.5,
            "paid": "deposit", "organizationId": ""}], "embeddedActivities": []}
            """
        }
        return """
            {"exportInfo": {"version": "1.0", "format": "json"}, "trips": [\(trips.joined(separator: ", "))],
            "organizations": [], "addresses": [], "attachments": []}
            """
    }
}
