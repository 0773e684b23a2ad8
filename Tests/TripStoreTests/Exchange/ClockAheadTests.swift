import Foundation
import StoreSupport
import Testing
import TripStore

@Suite("A clock that was far ahead and is right again")
struct ClockAheadTests {
    private static let hour: Int64 = 3_600_000

    /// A founder's store and a member's, with the same trips, and the member's clock.
    private struct Devices {
        let clock = ManualClock(seed: 2)
        let phone: TripStore
        let laptop: TripStore
        let trip: Trip.ID

        init() async throws {
            phone = try await TripStore.founded(clock: ManualClock(seed: 1))
            trip = try await phone.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
            laptop = try await TripStore.test(journal: phone.journal, clock: clock)
            try await phone.grant(.write, to: laptop.replica)
            try await laptop.exchange(with: .store(phone))
            try await laptop.create(Trip(name: "Porto"))
            try await laptop.exchange(with: .store(phone))
        }

        func expectEqual() async throws {
            try await phone.expectEqual(to: laptop)
            for store in [phone, laptop] { try await store.expectInvariants() }
        }
    }

    @Test(
        "What was written then is exchanged at once, and later edits are shown over it everywhere",
        arguments: [8 * 24 * hour, 400 * 24 * hour], [true, false])
    func newestIsShown(lead: Int64, isExchangedFirst: Bool) async throws {
        let devices = try await Devices()
        let (phone, laptop, trip) = (devices.phone, devices.laptop, devices.trip)
        devices.clock.advance(by: lead)
        try await laptop.edit(trip) { $0.notes = "under the wrong clock" }
        let attachment = try await laptop.attach(Data("ticket".utf8), to: trip.reference, as: "ticket")
        devices.clock.advance(by: -lead)
        let former = laptop.replica
        if isExchangedFirst {
            let report = try await laptop.exchange(with: .store(phone))
            #expect(report.identityChange?.previous == former && report.attachments?.sent.contents == 1)
            #expect(try phone.trip(trip)?.notes == "under the wrong clock")
        }
        try await laptop.edit(trip) { $0.notes = "later" }
        #expect(try laptop.trip(trip)?.notes == "later")
        try await laptop.exchange(with: .store(phone))
        #expect(try phone.trip(trip)?.notes == "later" && laptop.replica != former)
        let received = try #require(try phone.attachments(of: trip).first { $0.id == attachment })
        #expect(try await phone.data(of: received) == Data("ticket".utf8))
        try await devices.expectEqual()
        // A third device gets all of it from the one whose clock was wrong.
        let tablet = try await TripStore.test(journal: phone.journal, clock: ManualClock(seed: 3))
        try await phone.grant(.write, to: tablet.replica)
        try await laptop.exchange(with: .store(phone))
        try await tablet.exchange(with: .store(laptop))
        try await tablet.expectEqual(to: laptop)
        try await devices.expectEqual()
    }

    @Test("A revocation that keeps what had arrived means the same where replaced commits are held and where not")
    func revocation() async throws {
        let clocks = (ManualClock(seed: 1), ManualClock(seed: 2))
        let phone = try await TripStore.founded(clock: clocks.0)
        let laptop = try await TripStore.test(journal: phone.journal, clock: clocks.1)
        let tablet = try await TripStore.test(journal: phone.journal, clock: ManualClock(seed: 3))
        for store in [laptop, tablet] { try await phone.grant(.write, to: store.replica) }
        let member = laptop.replica
        try await laptop.exchange(with: .store(phone))
        let porto = try await laptop.create(Trip(name: "Porto"))
        try await laptop.exchange(with: .store(phone))
        // The phone takes in what was written ahead, because its own clock is wrong as well.
        for clock in [clocks.0, clocks.1] { clock.advance(by: 400 * 24 * Self.hour) }
        let lisbon = try await laptop.create(Trip(name: "Lisbon"))
        try await laptop.exchange(with: .store(phone))
        for clock in [clocks.0, clocks.1] { clock.advance(by: -400 * 24 * Self.hour) }
        try await laptop.exchange(with: .store(phone))
        #expect(laptop.replica != member)
        try await phone.revoke(member, keepingUpTo: phone.status().position)
        try await tablet.exchange(with: .store(phone))
        for store in [phone, tablet] {
            #expect(try store.trip(porto) != nil && store.trip(lisbon) != nil)
            try await store.expectInvariants()
        }
        try await tablet.expectEqual(to: phone)
    }

    @Test("A plan to erase what a wrong clock dated is refused when that is written anew, and the next one works")
    func erasing() async throws {
        let devices = try await Devices()
        let (phone, laptop) = (devices.phone, devices.laptop)
        devices.clock.advance(by: 400 * 24 * Self.hour)
        let secret = try await laptop.create(Trip(name: "Secret"))
        devices.clock.advance(by: -400 * 24 * Self.hour)
        let plan = try await laptop.previewErasing(secret)
        let error = await #expect(throws: TripStoreError.self) { try await laptop.erase(plan) }
        #expect(error?.code == .versionConflict)
        #expect(try laptop.trip(secret)?.name == "Secret" && laptop.erasures().isEmpty)
        let again = try await laptop.previewErasing(secret)
        #expect(again.commits.count == 2)
        try await laptop.erase(again)
        #expect(try laptop.trip(secret) == nil)
        try await laptop.exchange(with: .store(phone))
        #expect(try phone.trip(secret) == nil)
        try await devices.expectEqual()
    }

    @Test("What is refused of one device keeps no attachment of another back")
    func refusedCommits() async throws {
        let clocks = (ManualClock(seed: 1), ManualClock(seed: 2))
        let phone = try await TripStore.founded(clock: clocks.0)
        let trip = try await phone.create(Trip(name: "Lisbon"))
        let laptop = try await TripStore.test(journal: phone.journal, clock: clocks.1)
        let tablet = try await TripStore.test(journal: phone.journal, clock: ManualClock(seed: 3))
        for store in [laptop, tablet] {
            try await phone.grant(.write, to: store.replica)
            try await store.exchange(with: .store(phone))
        }
        clocks.0.advance(by: 20 * Self.hour)
        try await phone.attach(Data("ticket".utf8), to: trip.reference, as: "ticket")
        clocks.1.advance(by: 40 * Self.hour)
        let ahead = try await laptop.create(Trip(name: "ahead"))
        // Twenty hours apart both are plausible.
        try await phone.exchange(with: .store(laptop))
        let error = await #expect(throws: TripStoreError.self) { try await tablet.exchange(with: .store(phone)) }
        #expect(error?.code == .implausibleTime)
        let received = try #require(try tablet.attachments(of: trip).first)
        #expect(try await tablet.data(of: received) == Data("ticket".utf8))
        #expect(try tablet.trip(ahead) == nil && phone.trip(ahead) != nil)
        for store in [phone, laptop, tablet] { try await store.expectInvariants() }
    }
}
