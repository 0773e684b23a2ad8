import Events
import Foundation
import LogExchange
import StoreSupport
import TestSupport
import Testing
import TripStoreTestSupport

@testable import TripStore

@Suite("What is written under an erased trip")
struct ErasingLateTests {
    /// A founder's store, and those of two members, with the same trip.
    private struct Group {
        let clocks = (1...3).map { ManualClock(seed: $0) }
        let phone: TripStore
        let laptop: TripStore
        let tablet: TripStore
        let lisbon: Trip.ID
        let walk: Activity.ID

        var stores: [TripStore] { [phone, laptop, tablet] }

        init(schema: [any SchemaPart] = []) async throws {
            phone = try await .founded(clock: clocks[0], schema: schema)
            laptop = try await .test(journal: phone.journal, clock: clocks[1], schema: schema)
            tablet = try await .test(journal: phone.journal, clock: clocks[2], schema: schema)
            lisbon = try await phone.create(Trip(name: "Lisbon"), by: "ana")
            walk = try await phone.create(Activity(name: "Walk", in: lisbon), by: "ana")
            for store in [laptop, tablet] {
                try await phone.grant(.write, to: store.replica)
                try await store.exchange(with: .store(phone))
            }
        }

        func advance(days: Int) { for clock in clocks { clock.advance(by: Int64(days) * 86_400_000) } }

        /// Twice, so that each holds what the others stated meanwhile.
        func exchange() async throws {
            for _ in 0..<2 { for store in [laptop, tablet] { try await store.exchange(with: .store(phone)) } }
            for store in stores { try await store.catchUp() }
        }

        func expectInvariants() async throws {
            for store in stores {
                try await store.expectInvariants()
                try await phone.expectEqual(to: store)
            }
        }
    }

    @Test("What a member writes offline after the trip was erased is hidden everywhere, listed, and removed in time")
    func offline() async throws {
        let group = try await Group()
        let (phone, laptop, tablet) = (group.phone, group.laptop, group.tablet)
        try await phone.erase(phone.previewErasing(group.lisbon))
        group.advance(days: 1)
        let tram = try await laptop.create(Activity(name: "secret tram", in: group.lisbon), by: "ben")
        try await laptop.edit(group.lisbon, by: "ben") { $0.notes = "secret note" }
        try await laptop.edit(group.walk, by: "ben") { $0.notes = "secret walk" }
        try await laptop.edit(tram, by: "ben") { $0.notes = "secret seat" }
        let porto = try await laptop.create(Trip(name: "Porto"), by: "ben")
        try await laptop.exchange(with: .store(phone))
        // The phone, which others visit, sweeps before it answers the next.
        let report = try await tablet.exchange(with: .store(phone))
        #expect(report.erased.hidden.map(\.eraser) == [phone.replica])
        try await tablet.catchUp()
        #expect(try tablet.entity(tram) == nil && tablet.unfiledItems().isEmpty)
        #expect(try await laptop.exchange(with: .store(phone)).erased.hidden.map(\.events) == [4])
        try await group.exchange()
        for store in group.stores {
            #expect(try store.trip(group.lisbon) == nil && store.entity(group.walk) == nil)
            #expect(try store.entity(tram) == nil && store.unfiledItems().isEmpty)
            #expect(try store.trip(porto)?.name == "Porto" && store.logContains("secret"))
            let erasures = try store.erasures()
            #expect(erasures.reduce(0) { $0 + $1.events } == 6)
            #expect(erasures.allSatisfy { $0.eraser == phone.replica })
        }
        group.advance(days: 31)
        try await group.exchange()
        for store in group.stores {
            #expect(try !store.logContains("secret") && store.erasures().allSatisfy { $0.state == .removed })
        }
        try await group.expectInvariants()
    }

    @Test(
        "What a member writes that knows of the erasure stays, whether it creates the trip anew alone or in a load",
        arguments: [false, true])
    func knowingly(loads: Bool) async throws {
        let group = try await Group()
        let (phone, laptop) = (group.phone, group.laptop)
        try await phone.erase(phone.previewErasing(group.lisbon))
        try await group.exchange()
        let tram = Activity(name: "Tram", in: group.lisbon)
        if loads {
            try await laptop.load(by: "ben") { load in
                try await load.append([.created(Trip(id: group.lisbon, name: "Lisbon again"))])
                try await load.append([.created(tram)])
            }
        } else {
            try await laptop.create(Trip(id: group.lisbon, name: "Lisbon again"), by: "ben")
            try await laptop.create(tram, by: "ben")
        }
        try await laptop.edit(group.lisbon, by: "ben") { $0.notes = "sunscreen" }
        let erasures = try phone.erasures()
        try await group.exchange()
        // The eraser itself writes there, too.
        try await phone.edit(tram.id, by: "ana") { $0.notes = "seats" }
        try await group.exchange()
        for store in group.stores {
            #expect(try store.trip(group.lisbon)?.notes == "sunscreen" && store.entity(tram.id)?.notes == "seats")
            #expect(try store.erasures().map(\.statement) == erasures.map(\.statement))
        }
        try await group.expectInvariants()
    }

    @Test("Items that name an erased organization stay, also after exchanges, and so does what is written there later")
    func organization() async throws {
        let group = try await Group()
        let (phone, laptop) = (group.phone, group.laptop)
        let airline = try await phone.create(Organization(name: "secret airline"), by: "ana")
        let flight = try await phone.create(Activity(name: "Flight", in: group.lisbon, organization: airline))
        try await group.exchange()
        try await phone.erase(phone.previewErasing(airline))
        group.advance(days: 1)
        let transfer = try await laptop.create(Activity(name: "Bus", in: group.lisbon, organization: airline))
        for _ in 0..<2 { try await group.exchange() }
        for store in group.stores {
            #expect(try store.entity(airline) == nil)
            #expect(try store.entity(flight)?.name == "Flight" && store.entity(transfer)?.name == "Bus")
        }
        try await group.expectInvariants()
    }

    @Test("An entity that by its schema outlives its trip stays, also where it is put into an erased one unknowingly")
    func outliving() async throws {
        let group = try await Group(schema: RelatedKinds.all)
        let (phone, laptop) = (group.phone, group.laptop)
        try await phone.erase(phone.previewErasing(group.lisbon))
        group.advance(days: 1)
        let ana = try await laptop.create(Person("Ana", of: group.lisbon), by: "ben")
        try await laptop.edit(ana, by: "ben") { $0.name = "Ana Lima" }
        let chore = try await laptop.create(Chore("secret", of: group.lisbon), by: "ben")
        for _ in 0..<2 { try await group.exchange() }
        for store in group.stores {
            #expect(try store.entity(ana)?.name == "Ana Lima" && store.entity(chore) == nil)
        }
        try await group.expectInvariants()
    }

    @Test("An item that was erased does not come back when a member changes its kind without knowing")
    func changedKind() async throws {
        let group = try await Group()
        let (phone, laptop) = (group.phone, group.laptop)
        try await laptop.edit(group.walk, by: "ben") { $0.notes = "secret" }
        try await group.exchange()
        try await phone.erase(phone.previewErasing(group.walk))
        group.advance(days: 1)
        try await laptop.changeKind(of: .activity(group.walk), to: .lodging, by: "ben")
        try await group.exchange()
        for store in group.stores {
            #expect(try store.items(of: group.lisbon).isEmpty && store.trip(group.lisbon)?.name == "Lisbon")
        }
        try await group.expectInvariants()
    }

    @Test("What others write of a trip of which a member erased its own part stays, also once that member is an admin")
    func ownPart() async throws {
        let group = try await Group()
        let (phone, laptop, tablet) = (group.phone, group.laptop, group.tablet)
        try await laptop.edit(group.lisbon, by: "ben") { $0.notes = "secret" }
        try await group.exchange()
        let preview = try await laptop.previewErasing(group.lisbon)
        #expect(preview.refused.map(\.author) == ["ana", "ana"])
        try await laptop.erase(preview.withoutRefused)
        try await phone.grant(.admin, to: laptop.replica)
        try await laptop.exchange(with: .store(phone))
        group.advance(days: 1)
        try await tablet.edit(group.lisbon, by: "eve") { $0.destination = "Lisboa" }
        for _ in 0..<2 { try await group.exchange() }
        for store in group.stores {
            #expect(try store.trip(group.lisbon)?.destination == "Lisboa" && store.trip(group.lisbon)?.notes == "")
            #expect(try store.entity(group.walk) != nil)
        }
        try await group.expectInvariants()
    }

    @Test("What the last visitor of a store brought late is hidden when that is next opened, without an exchange")
    func opening() async throws {
        let (folder, clock) = (TemporaryFolder(), ManualClock(seed: 4))
        let group = try await Group()
        let (phone, tablet) = (group.phone, group.tablet)
        let home = try await TripStore.test(journal: phone.journal, clock: clock, at: folder.url)
        try await phone.grant(.admin, to: home.replica)
        try await home.exchange(with: .store(phone))
        try await home.erase(home.previewErasing(group.lisbon))
        let tram = try await tablet.create(Activity(name: "secret tram", in: group.lisbon), by: "ben")
        try await tablet.exchange(with: .store(home))
        try await home.catchUp()
        #expect(try !home.unfiledItems().isEmpty)
        await home.close()
        let opened = try await TripStore.test(clock: clock, at: folder.url)
        try await opened.catchUp()
        #expect(try opened.entity(tram) == nil && opened.unfiledItems().isEmpty && opened.logContains("secret"))
        #expect(try opened.erasures().reduce(0) { $0 + $1.events } == 3)
        try await opened.expectInvariants()
    }

    @Test("What is written after an erasure was taken back stays")
    func takenBack() async throws {
        let group = try await Group()
        let (phone, laptop) = (group.phone, group.laptop)
        let taxi = try await laptop.create(Activity(name: "Taxi", in: group.lisbon), by: "ben")
        try await group.exchange()
        let erasures = try await laptop.erase(laptop.previewErasing(taxi))
        try await group.exchange()
        #expect(try phone.entity(taxi) == nil)
        for erasure in erasures { try await phone.takeBack(erasure) }
        try await phone.edit(taxi, by: "ana") { $0.notes = "at ten" }
        try await laptop.exchange(with: .store(phone))
        try await group.exchange()
        for store in group.stores { #expect(try store.entity(taxi)?.notes == "at ten") }
        try await group.expectInvariants()
    }

    @Test("What was hidden late is listed with its erasure, and comes back with it on all devices")
    func comesBack() async throws {
        let group = try await Group()
        let (phone, laptop) = (group.phone, group.laptop)
        let porto = try await laptop.create(Trip(name: "Porto"), by: "ben")
        try await group.exchange()
        let erasure = try #require(try await phone.erase(phone.previewErasing(porto)).first)
        group.advance(days: 1)
        let tram = try await laptop.create(Activity(name: "Tram", in: porto), by: "ben")
        for _ in 0..<2 { try await group.exchange() }
        for store in group.stores { #expect(try store.trip(porto) == nil && store.entity(tram) == nil) }
        let late = try phone.erasures().filter { !$0.lateAfter.isEmpty }
        #expect(late.map(\.lateAfter) == [[erasure.position]] && late.map(\.events) == [1])
        try await phone.takeBack(erasure)
        for days in [0, 31] {
            group.advance(days: days)
            try await group.exchange()
            for store in group.stores {
                #expect(try store.trip(porto)?.name == "Porto" && store.entity(tram)?.name == "Tram")
                let states = try store.erasures().map(\.state)
                #expect(states == Array(repeating: .takenBack(by: [phone.replica]), count: 2))
            }
        }
        try await group.expectInvariants()
    }
}
