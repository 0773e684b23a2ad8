import Events
import Foundation
import TestSupport
import Testing

@testable import Trips

@Suite("Copies of trips")
struct TripContentsTests {
    private let ana = Traveller.ID.new()

    private func contents() throws -> TripContents {
        var trip = Trip(name: "Lisbon", days: Day(2027, 3, 27)...Day(2027, 3, 30), isProtected: true)
        trip.travellers = [ana]
        trip.cover = UUID(uuidString: "01A1FC91-080E-795C-9F28-740DC9B33B0D")
        trip.archivedAt = Date(timeIntervalSince1970: 1)
        var flight = Transportation(
            name: "TP361", mode: .plane, in: trip.id,
            from: try Moment(parsing: "2027-03-27T20:00", in: "America/New_York"),
            until: try Moment(parsing: "2027-03-28T08:00", in: "Europe/Lisbon"), cost: Money("500", "EUR"),
            paid: .inFull, confirmation: "ABC123")
        (flight.payer, flight.participants, flight.split) = (ana, [ana], .byParts([ana: 1]))
        (flight.stage, flight.paidAmount, flight.links) = (.booked, Money("500", "EUR"), [Link("https://example.org")])
        let list = Checklist(name: "Packing", in: trip.id, for: "packing")
        var passport = ChecklistEntry("passport", in: list.id, by: ana, until: Day(2027, 3, 20))
        passport.isDone = true
        passport.setTimes(created: Date(timeIntervalSince1970: 2), updated: nil)
        var socks = ChecklistEntry("socks", in: list.id)
        socks.setTimes(created: Date(timeIntervalSince1970: 3), updated: nil)
        return TripContents(
            trip: trip, items: [.transportation(flight)],
            budgets: [Budget(Money(minorUnits: 60_000, "EUR"), in: trip.id)], checklists: [list],
            entries: [socks, passport])
    }

    @Test("A split by a word that only a newer version knows is equal in a copy, as it is shown")
    func unknownSplit() throws {
        let trip = Trip(name: "Lisbon")
        var dinner = Activity(name: "Dinner", in: trip.id, cost: Money("40", "EUR"))
        dinner[OwnField<Activity, String>(.split)] = "thirds"
        let copy = TripContents(trip: trip, items: [.activity(dinner)]).copied()
        for event in copy.creations { try event.validate(on: nil) }
        #expect(copy.items[0].split == .equally && copy.items[0].cost == Money("40", "EUR"))
    }

    @Test("Shares below 0 of a cost that is no refund, as earlier versions wrote them, are not in a copy")
    func refusedShares() throws {
        let trip = Trip(name: "Lisbon")
        var dinner = Activity(name: "Dinner", in: trip.id, cost: Money("40", "EUR"))
        let (ana, ben) = (Traveller.ID.new(), Traveller.ID.new())
        dinner.split = .byAmounts([ana: Money(minorUnits: -500, "EUR"), ben: Money(minorUnits: 4_500, "EUR")])
        let copy = TripContents(trip: trip, items: [.activity(dinner)]).copied()
        for event in copy.creations { try event.validate(on: nil) }
        #expect(copy.items[0].split == .byAmounts([ben: Money(minorUnits: 4_500, "EUR")]))
    }

    @Test("The rates of a trip are in its copy, each of its day, but not in one without costs")
    func rates() throws {
        let trip = Trip(name: "Oslo", days: Day(2027, 3, 27)...Day(2027, 3, 30))
        var contents = TripContents(trip: trip)
        contents.rates = [CurrencyRate("NOK/EUR", "0.0875", on: Day(2027, 3, 28), from: "bank", in: trip.id)]
        let copy = contents.copied(shiftedByDays: 7)
        let rate = try #require(copy.rates.first)
        #expect(rate.id != contents.rates[0].id && rate.trip == copy.trip.id && copy.rates.count == 1)
        #expect(
            rate.pair == "NOK/EUR" && rate.rate == "0.0875" && rate.source == "bank" && rate.day == Day(2027, 3, 28))
        #expect(copy.creations.map(\.entity) == [copy.trip.reference, rate.reference])
        #expect(contents.copied(without: [.costs]).rates.isEmpty)
        #expect(contents.shifted(byDays: 7).rates == contents.rates)
    }

    @Test("A copy has ids of its own, the same fields and order, and nothing done in its checklists")
    func copied() throws {
        let contents = try contents()
        let copy = contents.copied(named: "Lisbon again")
        #expect(copy.trip.name == "Lisbon again" && copy.trip.archivedAt == nil && copy.trip.isProtected)
        #expect(copy.trip.travellers == [ana] && copy.trip.startDay == Day(2027, 3, 27) && !copy.trip.isTemplate)
        let (old, new) = (contents.creations.map(\.entity), copy.creations.map(\.entity))
        #expect(Set(old).isDisjoint(with: new) && Set(new).count == 6 && old.map(\.kind) == new.map(\.kind))
        #expect(copy.items[0].trip == copy.trip.id && copy.items[0].cost == contents.items[0].cost)
        #expect(copy.items[0].payer == ana && copy.items[0].paid == .inFull && copy.items[0].mode == .plane)
        #expect(copy.items[0].stage == .booked && copy.items[0].links == contents.items[0].links)
        #expect(copy.trip.cover == nil && contents.trip.cover != nil)
        #expect(copy.items[0].reservation == "ABC123" && copy.budgets[0].trip == copy.trip.id)
        #expect(copy.checklists[0].trip == copy.trip.id && copy.checklists[0].purpose == "packing")
        #expect(copy.entries.inOrder().map(\.name) == ["passport", "socks"])
        #expect(copy.entries.allSatisfy { !$0.isDone && $0.list == copy.checklists[0].id && $0.rank != nil })
        for event in copy.creations { try event.validate(on: nil) }
    }

    @Test("Days and local times are shifted, each end in its zone")
    func shifted() throws {
        let contents = try contents()
        #expect(contents.days(to: Day(2027, 3, 28)) == 1)
        let shifted = contents.shifted(byDays: 1)
        #expect(shifted.trip.startDay == Day(2027, 3, 28) && shifted.trip.endDay == Day(2027, 3, 31))
        #expect(shifted.items[0].start?.localISO8601 == "2027-03-28T20:00:00-04:00")
        #expect(shifted.items[0].end?.localISO8601 == "2027-03-29T08:00:00+01:00")
        #expect(shifted.entries[1].dueDay == Day(2027, 3, 21) && shifted.entries[0].dueDay == nil)
        #expect(contents.edits(to: shifted).map(\.writes.count) == [2, 2, 1])
        #expect(contents.edits(to: contents).isEmpty)
        #expect(shifted.shifted(byDays: -1) == contents)
    }

    @Test("An item whose start clocks skip does not end before it")
    func skipped() throws {
        let trip = Trip(name: "Lisbon")
        let nap = Activity(
            name: "Nap", in: trip.id, from: try Moment(parsing: "2027-03-27T01:50", in: "Europe/Lisbon"),
            until: try Moment(parsing: "2027-03-27T02:10", in: "Europe/Lisbon"))
        let moved = TripContents(trip: trip, items: [.activity(nap)]).shifted(byDays: 1).items[0]
        #expect(moved.start?.localISO8601 == "2027-03-28T02:50:00+01:00")
        #expect(moved.end?.localISO8601 == "2027-03-28T03:10:00+01:00")
    }

    @Test("A trip without any day gets the one on which it is to begin; else its items are counted from")
    func withoutDays() throws {
        let trip = Trip(name: "Lisbon")
        #expect(TripContents(trip: trip).shifted(to: Day(2027, 5, 1)).trip.startDay == Day(2027, 5, 1))
        let tram = Activity(name: "Tram", in: trip.id, from: try Moment(parsing: "2027-03-27T09:00", in: "Asia/Tokyo"))
        let shifted = TripContents(trip: trip, items: [.activity(tram)]).shifted(to: Day(2027, 5, 1))
        #expect(shifted.items[0].start?.localISO8601 == "2027-05-01T09:00:00+09:00" && shifted.trip.startDay == nil)
    }

    @Test("What is not wanted is left out", arguments: TripPart.allCases)
    func leftOut(part: TripPart) throws {
        let copy = try contents().copied(without: [part])
        let item = copy.items[0]
        #expect((item.cost == nil) == (part == .costs))
        #expect((item.paid == .none) == (part == .payments))
        #expect((item.stage == .planned) == (part == .payments) && (item.paidAmount == nil) == (part == .payments))
        #expect((item.payer == nil) == (part == .payments || part == .travellers))
        #expect(item.reservation.isEmpty == (part == .confirmations))
        #expect((copy.trip.travellers.isEmpty && item.participants.isEmpty) == (part == .travellers))
        #expect((item.split == .equally) == (part == .costs || part == .travellers))
        #expect(copy.budgets.isEmpty == (part == .budgets) && copy.checklists.isEmpty == (part == .checklists))
        #expect(copy.entries.isEmpty == (part == .checklists))
    }

    @Test(
        "Without payments what is booked, cancelled or done is planned, and ideas stay",
        arguments: [PlanningStage.planned, .idea, .booked, .cancelled, .done])
    func stages(stage: PlanningStage) throws {
        var contents = try contents()
        contents.trip.stage = stage
        var walk = Activity(name: "Walk", in: contents.trip.id)
        walk.stage = stage
        contents.items = [.activity(walk)]
        let copy = contents.copied(without: [.payments])
        let expected = stage == .idea ? PlanningStage.idea : .planned
        #expect(copy.trip.stage == expected && copy.items[0].stage == expected)
        let whole = contents.copied()
        #expect(whole.trip.stage == stage && whole.items[0].stage == stage)
    }

    @Test("A template is a copy, and a copy of a template is a trip")
    func templates() throws {
        let template = try contents().copied(as: .template, without: [.payments, .confirmations])
        #expect(template.trip.isTemplate && template.trip.name == "Lisbon")
        let trip = template.copied(shiftedByDays: template.days(to: Day(2028, 9, 4)), named: "Porto")
        #expect(!trip.trip.isTemplate && trip.trip.startDay == Day(2028, 9, 4) && trip.trip.endDay == Day(2028, 9, 7))
    }

    @Test("Values and counters of apps are copied")
    func appsFields() throws {
        let rating = OwnField<Trip, Int>("org.example.copies", 1, "rating")
        let visits = OwnCounter<Trip>("org.example.copies", 2, "visits")
        var trip = Trip(name: "Lisbon")
        trip[rating] = 5
        trip[visits] = 3
        let copy = TripContents(trip: trip).copied().trip
        #expect(copy[rating] == 5 && copy[visits] == 3)
    }
}
