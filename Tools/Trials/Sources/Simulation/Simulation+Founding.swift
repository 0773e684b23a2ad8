@testable import EventLog
@testable import LogExchange
@testable import TripStore
@testable import TripStoreTestSupport

extension Simulation {
    /// The first replica founds the journal, and grants all that exist at the beginning.
    func found() async throws {
        guard scenario.isFounded, let founder = replica(0) else { return }
        let store = try await founder.store()
        journal = store.journal
        for number in 1..<scenario.replicas {
            let device = SimulatedReplica(number: number, root: root, seed: scenario.seed, journal: journal)
            replicas[number] = device
            try await store.grant(.admin, to: device.store().replica)
            try await exchange(device.store(), store)
        }
    }

    /// Grants a later device, if the first replica may.
    func admit(_ device: SimulatedReplica) async throws {
        guard scenario.isFounded, let admin = try await replica(0)?.store() else { return }
        try await grant(device.store().replica, by: admin)
    }

    /// Grants all whose grants were lost with a restored store, or that were not granted yet: so that all commits count
    /// in the end.
    func admitAll() async throws {
        guard scenario.isFounded else { return }
        for _ in 0..<2 {
            for admin in replicas {
                guard try await admin.store().standing() == .member(.admin) else { continue }
                for device in replicas {
                    let store = try await device.store()
                    guard store.journal == journal else { continue }
                    for head in try store.logPeer.log.read({ try $0.newestCommits(of: journal) }) {
                        try await grant(head.replica, by: admin.store())
                    }
                    try await grant(store.replica, by: admin.store())
                }
                break
            }
            for replica in replicas.dropFirst() { try await exchange(replica.store(), replicas[0].store()) }
        }
    }

    private func grant(_ replica: ReplicaID, by admin: TripStore) async throws {
        do { try await admin.grant(.admin, to: replica) } catch let error as TripStoreError
            where error.code == .notAMember
        {}
    }
}
