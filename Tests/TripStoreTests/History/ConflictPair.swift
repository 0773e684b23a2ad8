import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

/// Two replicas that have the same trip.
struct ConflictPair {
    let ana: TripStore
    let ben: TripStore
    let lisbon: Trip.ID

    init() async throws {
        let journal = JournalID(UUID())
        ana = try await .test(journal: journal, clock: ManualClock(seed: 1), schema: RelatedKinds.all)
        ben = try await .test(
            journal: journal, clock: ManualClock(milliseconds: 1_798_761_660_000, seed: 2), schema: RelatedKinds.all)
        lisbon = try await ana.create(Trip(name: "Lisbon"), by: "ana")
        try await ana.pass(to: ben)
    }

    func exchange() async throws {
        try await ana.pass(to: ben)
        try await ben.pass(to: ana)
        try await ana.catchUp()
        try await ben.catchUp()
    }

    func expectInvariants() async throws {
        try await ana.expectInvariants()
        try await ben.expectInvariants()
        try await exchange()
        #expect(try ana.digests() == ben.digests())
    }
}
