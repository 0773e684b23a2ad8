import Foundation
import StoreSupport
import Testing
import TripStore
import TripStoreTestSupport

extension DiagnosisScenario {
    func replicas(_ code: StoreFinding.Code) async throws -> StoreDiagnosis {
        let blind = Self.options(clock, seesCopies: false)
        let store = try await TripStore.open(at: folder.url, options: blind)
        let journal = store.journal
        try await store.create(Trip(name: "Lisbon"))
        // Without `close` its newest commits are not signed.
        if code == .fork { await store.close() }
        let copy = DiagnosisScenario()
        try folder.copy(to: copy.folder)
        if code != .fork {
            try FileManager.default.removeItem(atPath: copy.folder.path("replica.key"))
            let other = try await TripStore.open(at: copy.folder.url, options: options)
            try await other.create(Trip(name: "Porto"))
            await other.close()
            await store.close()
            return try await copy.diagnose()
        }
        #expect(journal == store.journal)
        var stores: [TripStore] = []
        for (folder, name) in [(folder, "Porto"), (copy.folder, "Faro")] {
            let store = try await TripStore.open(at: folder.url, options: blind)
            try await store.create(Trip(name: name))
            stores.append(store)
        }
        try await stores[0].pass(to: stores[1])
        let diagnosis = await stores[1].diagnose(checks())
        for store in stores { await store.close() }
        return diagnosis
    }

    func members(_ code: StoreFinding.Code) async throws -> StoreDiagnosis {
        let admin = try await TripStore.founded(clock: clock)
        let invitation = try await admin.invite(.write)
        let guest = try await TripStore.test(clock: ManualClock(seed: 5))
        try await guest.join(invitation)
        switch code {
        case .membershipRequest:
            try await guest.pass(to: admin)
            return await admin.diagnose(checks())
        case .revokedMembership:
            try await guest.exchange(with: .store(admin))
            try await admin.revoke(guest.replica)
            try await admin.pass(to: guest)
            return await guest.diagnose(checks())
        default: return await guest.diagnose(checks())
        }
    }
}
