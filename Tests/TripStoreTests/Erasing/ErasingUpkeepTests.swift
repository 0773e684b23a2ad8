import Events
import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStoreTestSupport

@testable import TripStore

@Suite("Removing erased bytes while a store stays open")
struct ErasingUpkeepTests {
    private static let days: Int64 = 86_400_000

    @Test(
        "What an admin erased of a member goes by the member's first write or catching up after its time",
        arguments: [true, false], [true, false])
    func due(byWriting: Bool, isServed: Bool) async throws {
        let clock = ManualClock(seed: 2)
        let phone = try await TripStore.founded(clock: ManualClock(seed: 1))
        let laptop = try await TripStore.test(journal: phone.journal, clock: clock)
        try await phone.grant(.write, to: laptop.replica)
        try await laptop.exchange(with: .store(phone))
        let lisbon = try await laptop.create(Trip(name: "Lisbon", notes: "secret"))
        try await laptop.attach(Data("scan of a passport".utf8), to: lisbon.reference, as: "passport.jpg")
        try await laptop.exchange(with: .store(phone))
        try await phone.erase(phone.previewErasing(lisbon))
        if isServed {
            try await phone.exchange(with: .store(laptop))
        } else {
            try await laptop.exchange(with: .store(phone))
        }
        try await laptop.catchUp()
        #expect(try laptop.trip(lisbon) == nil && laptop.logContains("secret"))

        clock.advance(by: 30 * Self.days - 1000)
        try await laptop.create(Trip(name: "Porto"))
        try await laptop.catchUp()
        #expect(try laptop.logContains("secret") && laptop.contentFiles().count == 1)
        clock.advance(by: 2000)
        if byWriting {
            try await laptop.create(Trip(name: "Faro"))
            try await eventually { try !laptop.logContains("secret") && laptop.contentFiles().isEmpty }
        } else {
            try await laptop.catchUp()
            #expect(try !laptop.logContains("secret") && laptop.contentFiles().isEmpty)
        }
        #expect(try laptop.erasures().map(\.state) == [.removed])
        try await laptop.expectInvariants()
        try await phone.expectInvariants()
    }

    @Test("Nothing is begun before something is due or stated, and each time it is begun once")
    func begun() {
        var idle = ErasingUpkeep()
        let never = [idle.begins(at: .max - 1), idle.begins(at: .max - 1, stated: .some(nil))]
        #expect(never == [false, false])
        var upkeep = ErasingUpkeep(stated: [1], next: 1000)
        let early = [upkeep.begins(at: 999), upkeep.begins(at: 999, stated: [1])]
        #expect(early == [false, false])
        let due = [upkeep.begins(at: 1000), upkeep.begins(at: 1000), upkeep.begins(at: 1000, stated: [1])]
        #expect(due == [true, false, false])
        // What failed is due again an hour later.
        let again = [upkeep.begins(at: 3_600_999), upkeep.begins(at: 3_601_000)]
        #expect(again == [false, true])
        let stated = [
            upkeep.begins(at: 0, stated: [2]), upkeep.begins(at: 0, stated: [2]),
            upkeep.begins(at: 0, stated: .some(nil)),
        ]
        #expect(stated == [true, false, true])
    }
}
