import Events
import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStoreTestSupport

@testable import TripStore

@Suite("Erasing what others wrote")
struct ErasingOthersTests {
    @Test("Limited to an author, what others wrote stays and is named")
    func author() async throws {
        let store = try await TripStore.test()
        let lisbon = try await store.create(Trip(name: "Lisbon", notes: "sunscreen"), by: "ana")
        try await store.edit(lisbon, by: "ben") { $0.notes = "secret" }
        let tram = try await store.create(Activity(name: "secret tram", in: lisbon), by: "ben")
        let walk = try await store.create(Activity(name: "Walk", in: lisbon), by: "ana")
        let preview = try await store.previewErasing(lisbon, author: "ben")
        #expect(preview.commits.map(\.author) == ["ben", "ben"])
        #expect(preview.others.map(\.author) == ["ana", "ana"] && preview.rewritten == 0)
        try await store.erase(preview)
        #expect(try store.trip(lisbon)?.notes == "sunscreen" && store.entity(walk)?.name == "Walk")
        #expect(try store.entity(tram) == nil && !store.logContains("secret"))
        try await store.expectInvariants()
    }

    @Test("In a journal without founder each replica erases what it wrote, and what it may not is named")
    func unfounded() async throws {
        let pair = try await ConflictPair()
        try await pair.ben.edit(pair.lisbon, by: "ben") { $0.notes = "ben's note" }
        try await pair.exchange()
        let preview = try await pair.ana.previewErasing(pair.lisbon)
        #expect(preview.commits.map(\.author) == ["ana"] && preview.refused.map(\.author) == ["ben"])
        let error = try await #require(throws: TripStoreError.self) { try await pair.ana.erase(preview) }
        #expect(error.code == .notErasable && error.entity == pair.lisbon.reference)
        #expect(error.message.contains("no founder") && error.message.contains("\(pair.ben.replica)"))
        #expect(try pair.ana.trip(pair.lisbon)?.notes == "ben's note")
        let allowed = preview.withoutRefused
        #expect(allowed.refused.isEmpty && allowed.commits.count == 1)
        try await pair.ana.erase(allowed)
        #expect(try pair.ana.trip(pair.lisbon) == nil && pair.ana.logContains("ben's note"))
        // The rest is erased where it was written.
        try await pair.exchange()
        try await pair.ben.erase(pair.ben.previewErasing(pair.lisbon))
        try await pair.exchange()
        #expect(try !pair.ben.logContains("ben's note"))
        #expect(throws: TripStoreError.self) { try pair.ana.history(of: pair.lisbon) }
        try await pair.expectInvariants()
    }

    @Test("An admin erases what members wrote, and a member does not what an admin wrote")
    func admin() async throws {
        let phone = try await TripStore.founded(clock: ManualClock(seed: 1))
        let lisbon = try await phone.create(Trip(name: "Lisbon"), by: "ana")
        let laptop = try await TripStore.test(journal: phone.journal, clock: ManualClock(seed: 2))
        try await phone.grant(.write, to: laptop.replica)
        try await laptop.exchange(with: .store(phone))
        try await laptop.edit(lisbon, by: "ben") { ($0.notes, $0.destination) = ("secret", "Lisboa") }
        try await laptop.exchange(with: .store(phone))
        let refused = try await laptop.previewErasing(lisbon)
        #expect(refused.commits.map(\.author) == ["ben"] && refused.refused.map(\.author) == ["ana"])
        let error = try await #require(throws: TripStoreError.self) { try await laptop.erase(refused) }
        #expect(error.code == .notErasable && error.message.contains("founder (\(phone.replica))"))

        let preview = try await phone.previewErasing(lisbon, fields: ["notes"])
        #expect(preview.refused.isEmpty && preview.commits.map(\.author) == ["ben"] && preview.rewritten == 1)
        try await phone.erase(preview)
        try await laptop.exchange(with: .store(phone))
        for store in [phone, laptop] {
            try await store.catchUp()
            #expect(try store.trip(lisbon)?.notes == "" && store.trip(lisbon)?.destination == "Lisboa")
            let erased = try #require(try store.erasures().first)
            #expect(erased.eraser == phone.replica && erased.events == 1 && erased.commits == 1)
            #expect(try store.conflicts().isEmpty)
            try await store.expectInvariants()
        }
        try await phone.expectEqual(to: laptop)
    }
}
