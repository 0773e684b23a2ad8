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

    /// A founder's store, and a member's that may write.
    private func group() async throws -> (phone: TripStore, laptop: TripStore) {
        let phone = try await TripStore.founded(clock: ManualClock(seed: 1))
        let laptop = try await TripStore.test(journal: phone.journal, clock: ManualClock(seed: 2))
        try await phone.grant(.write, to: laptop.replica)
        try await laptop.exchange(with: .store(phone))
        return (phone, laptop)
    }

    private func refusal(of erasure: ErasureStatus?, in store: TripStore) async throws -> TripStoreError {
        let erasure = try #require(erasure)
        return try await #require(throws: TripStoreError.self) { try await store.confirm(erasure) }
    }

    @Test("What a member erased of its own goes at once where an admin confirms it, with the bytes of attachments")
    func confirmed() async throws {
        let (phone, laptop) = try await group()
        let lisbon = try await laptop.create(Trip(name: "secret"))
        try await laptop.attach(Data("scan".utf8), to: lisbon.reference, as: "scan.txt")
        try await laptop.exchange(with: .store(phone))
        let own = try await laptop.erase(laptop.previewErasing(lisbon))
        try await laptop.exchange(with: .store(phone))
        let erasure = try #require(try phone.erasures().first)
        guard case .pending = erasure.state else { throw EarlyRemoval() }
        #expect(erasure.mayBeConfirmed && erasure.mayBeTakenBack && own.first?.state == .removed)
        #expect(try phone.logContains("secret") && phone.contentFiles().count == 1)

        try await phone.confirm(erasure)
        #expect(try !phone.logContains("secret") && phone.contentFiles().isEmpty)
        #expect(try phone.erasures().map(\.state) == [.removed, .removed])
        let again = try await refusal(of: phone.erasures().first, in: phone)
        #expect(again.code == .noEffect && again.message.contains("is final here"))
        try await laptop.exchange(with: .store(phone))
        for store in [phone, laptop] {
            try await store.catchUp()
            try await store.expectInvariants()
        }
        try await phone.expectEqual(to: laptop)
    }

    private struct EarlyRemoval: Error {}

    @Test("An erasure by an admin or one taken back is not confirmed, and none is by whom the eraser made an admin")
    func notConfirmed() async throws {
        let (phone, laptop) = try await group()
        let porto = try await laptop.create(Trip(name: "Porto"))
        try await laptop.exchange(with: .store(phone))
        let lisbon = try await phone.create(Trip(name: "Lisbon"))
        try await phone.exchange(with: .store(laptop))
        try await phone.erase(phone.previewErasing(lisbon))
        try await phone.exchange(with: .store(laptop))
        let member = try await refusal(of: laptop.erasures().first, in: laptop)
        #expect(member.code == .notAMember && member.message.contains("has the role write"))
        try await phone.grant(.admin, to: laptop.replica)
        try await phone.exchange(with: .store(laptop))
        let made = try await refusal(of: laptop.erasures().first, in: laptop)
        #expect(made.code == .noEffect && made.message.contains("made it an admin"))

        let erasure = try #require(try await phone.erase(phone.previewErasing(porto)).first)
        let admins = try await refusal(of: erasure, in: phone)
        #expect(admins.code == .noEffect && admins.message.contains("when its time"))
        try await phone.takeBack(erasure)
        let back = try await refusal(of: phone.erasures().last, in: phone)
        #expect(back.code == .noEffect && back.message.contains("taken back before"))
        for store in [phone, laptop] { try await store.expectInvariants() }
    }

    @Test("In a journal without founder nobody confirms an erasure, and only the eraser takes it back")
    func unfoundedConfirmation() async throws {
        let pair = try await ConflictPair()
        try await pair.ana.erase(pair.ana.previewErasing(pair.lisbon))
        try await pair.exchange()
        let erasure = try #require(try pair.ben.erasures().first)
        #expect(!erasure.mayBeConfirmed && !erasure.mayBeTakenBack)
        let error = try await refusal(of: erasure, in: pair.ben)
        #expect(error.code == .noEffect && error.message.contains("has no members"))
        try await pair.expectInvariants()
    }
}
