import EventLog
import Events
import Foundation
import TripFormats
import TripStore

/// The trips under way and to come, what happens today, and what waits, in a few lines.
struct NextText {
    /// The most lines: they fit on a terminal without scrolling.
    static let mostLines = 20
    /// Up to so many commits all conflicts are counted, which reads the log; in a longer one those of the trip that is next.
    private static let mostCommitsRead: UInt64 = 5_000
    private static let mostShown = 2

    let store: TripStore
    let today: Day

    /// The lines, no wider than the terminal, or than 80 columns.
    func lines() throws -> [String] {
        var (head, agenda, after) = ([String](), [String](), [String]())
        do { (head, agenda, after) = try trips() } catch let error as TripStoreError
            where [.notBuilt, .beingBuilt, .outdated, .viewsDamaged].contains(error.code)
        {
            head = ["The views are not built, and show nothing: 'tripstore trips' builds them."]
        }
        let peers = try peers()
        after += peers + ["'tripstore help' lists the commands."]
        let room = Self.mostLines - head.count - after.count - 1
        if agenda.count > room {
            agenda = agenda.prefix(room - 1) + ["  and more: 'tripstore agenda' shows all of today"]
        }
        let layout = Console.current.layout
        let now = head + agenda
        return (now.isEmpty ? after : now + [""] + after).map { layout.cut(layout.shown($0), to: layout.columns ?? 80) }
    }

    // MARK: Trips

    private typealias Parts = (head: [String], agenda: [String], after: [String])

    private func trips() throws -> Parts {
        let underWay = try store.tripsToHappen(.overlapping(today...today))
        let coming = try store.tripsToHappen(.starting(in: min(today.advanced(by: 1), .last)...Day.last))
        var parts: Parts = ([], [], [])
        for trip in underWay.prefix(Self.mostShown) { parts.head.append(words(trip) + part(of: trip)) }
        parts.head += rest(of: underWay, "under way")
        for trip in coming.prefix(Self.mostShown) { parts.after.append("Next: " + words(trip) + distance(to: trip)) }
        parts.after += rest(of: coming, "to come")
        if underWay.isEmpty && coming.isEmpty { parts.head = try last() }
        parts.agenda = try agenda(underWay)
        parts.after += try [conflicts(of: underWay.first ?? coming.first)].compactMap(\.self)
        let (position, shown) = (try store.peers().position, try store.read { $0.position })
        if shown < position {
            parts.after.append("The newest commits are not shown yet: 'tripstore trips' shows them.")
        }
        return parts
    }

    private func rest(of trips: [Trip], _ state: String) -> [String] {
        guard trips.count > Self.mostShown else { return [] }
        return ["More trips are \(state): 'tripstore trips --from \(today) --overlapping'"]
    }

    /// The name and the days.
    private func words(_ trip: Trip) -> String {
        let ends = [trip.startDay, trip.effectiveEndDay].compactMap(\.self)
        guard let first = ends.first, let last = ends.last else { return short(trip.name) }
        return "\(short(trip.name)), \(DayText.words(first...max(first, last)))"
    }

    /// A name that leaves room for what follows.
    private func short(_ name: String) -> String {
        let layout = Console.current.layout
        return layout.cut(layout.shown(name), to: 24)
    }

    /// The day of the trip that today is, as in ", day 3 of 8".
    private func part(of trip: Trip) -> String {
        guard let departure = trip.startDay, let last = trip.effectiveEndDay, departure < last else { return "" }
        return ", day \(departure.distance(to: today) + 1) of \(departure.distance(to: last) + 1)"
    }

    private func distance(to trip: Trip) -> String {
        guard let days = trip.startDay.map({ today.distance(to: $0) }) else { return "" }
        return days == 1 ? ", tomorrow" : ", in \(days.counted("day"))"
    }

    private func last() throws -> [String] {
        let query = Query<Trip>.starting(in: Day.first...today).reversed
        if let trip = try store.trips(query, limit: 1).first?.trip {
            return ["No trip is under way or to come.", "The last was \(words(trip))."]
        }
        return try store.trips(.undated, limit: 1).isEmpty
            ? ["No trips yet: 'tripstore add trip --name Lisbon' makes one."]
            : ["No trip has days yet: 'tripstore trips' lists them."]
    }

    /// Today's agenda, and what cannot work; nothing where nobody travels.
    private func agenda(_ underWay: [Trip]) throws -> [String] {
        let agenda = try store.agenda(today)
        if underWay.isEmpty && agenda.isEmpty { return [] }
        let names = try agenda.trips(in: store)
        let isOfOneTrip = underWay.count == 1 && Set(names.keys).isSubset(of: underWay.map(\.id))
        let text = AgendaText(
            agenda: agenda, names: AgendaNames(names, isOfOneTrip: isOfOneTrip), hasFindingsOnly: false)
        // Below its trip, so that it is narrower.
        var console = Console.current
        console.layout = TextLayout(columns: (console.layout.columns ?? 80) - 2, isASCII: console.layout.isASCII)
        return Console.$current.withValue(console) { text.lines.filter { !$0.isEmpty }.map { "  \($0)" } }
    }

    // MARK: What waits

    private func conflicts(of trip: Trip?) throws -> String? {
        let countsAll = try store.read { $0.position.rawValue } <= Self.mostCommitsRead
        guard countsAll || trip != nil else { return nil }
        let count = try store.conflicts(under: countsAll ? nil : trip?.reference).count
        guard count > 0 else { return nil }
        let place = countsAll ? "" : " in \(short(trip?.name ?? ""))"
        return "\(count.counted("conflict"))\(place): 'tripstore conflicts'"
    }

    /// The commits that other replicas lack.
    private func peers() throws -> [String] {
        let waiting = try store.peers().filter { $0.commitsToSend > 0 }.sorted { $0.commitsToSend > $1.commitsToSend }
        guard !waiting.isEmpty else { return [] }
        let names = try store.namedReplicas()
        let zone = try Configuration.zone()
        let lines = waiting.prefix(Self.mostShown).map { peer in
            let name = names[peer.replica] ?? peer.name
            let met = peer.lastExchange.map { ", last met \(Day($0, in: zone))" } ?? ""
            let who = name.isEmpty ? "replica \(peer.replica.description.prefix(8))" : short(name)
            let (what, hint) = (
                "\(peer.commitsToSend.counted("commit")) to send to \(who)", ": 'tripstore sync PEER'"
            )
            // The day goes first where there is little room.
            let line = what + met + hint
            return line.columns <= Console.current.layout.columns ?? 80 ? line : what + hint
        }
        return lines + (waiting.count > Self.mostShown ? ["Other replicas lack some as well: 'tripstore peers'"] : [])
    }
}
