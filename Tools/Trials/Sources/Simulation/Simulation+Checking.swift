@testable import TripStore
@testable import TripStoreTestSupport

extension Simulation {
    /// What must hold once every replica has exchanged with every other.
    func check() async throws {
        guard let first = replicas.first else { return }
        let frontier = try await first.store().frontier()
        let hashes = try await first.store().commitHashes(after: .start)
        // Views are rebuilt after an erasure.
        for replica in replicas { try await replica.store().catchUp() }
        let digests = try await first.store().viewDigests()
        let erasures = try await first.store().erasureDigest()
        let forks = try await first.store().forks()
        let lost = Set(try await expectFilled().map(\.commit.hash))
        for replica in replicas {
            let store = try await replica.store()
            try await expectSound(store, replica, lacking: lost)
            let theirs = try await store.frontier()
            guard theirs == frontier else {
                throw SimulationFault("0 holds \(frontier.text) and \(replica.number) holds \(theirs.text)")
            }
            let found = try store.commitHashes(after: .start)
            guard Set(found) == Set(hashes) else {
                throw SimulationFault("\(replica.number) holds other commits than 0, at equal frontiers")
            }
            guard Set(found).count == found.count else {
                throw SimulationFault("\(replica.number) holds a commit twice")
            }
            if let wrong = found.first(where: refused.contains) {
                throw SimulationFault("\(replica.number) holds the commit \(wrong), which is to be refused")
            }
            try expectGenuine(store)
            guard try store.erasureDigest() == erasures else {
                throw SimulationFault("\(replica.number) knows of other erasures than 0")
            }
            guard try store.forks() == forks else {
                throw SimulationFault("\(replica.number) tells of other forks than 0")
            }
            let views = try store.viewDigests()
            for (name, digest) in digests where views[name] != digest {
                throw SimulationFault("the view \(name) of \(replica.number) differs from that of 0")
            }
        }
        for trip in writer.trips {
            let shown = try await first.store().trip(trip).map(SimulatedFields.shown)
            for replica in replicas {
                let store = try await replica.store()
                guard try store.trip(trip).map(SimulatedFields.shown) == shown else {
                    throw SimulationFault("\(replica.number) shows other fields of an app in \(trip) than 0")
                }
            }
        }
        if let lost = acknowledged.subtracting(hashes).first {
            throw SimulationFault("the acknowledged commit \(lost) is lost")
        }
        outcome.replicas += replicas.count
        outcome.identityChanges += newIdentities.count
        outcome.hostileCommits += hashes.count(where: forged.contains)
        outcome.forks += forks.count
    }

    private func expectSound(
        _ store: TripStore, _ replica: SimulatedReplica, lacking lost: Set<Digest>
    ) async throws {
        let hashes = try store.commitHashes(after: .start)
        let findings = try await TripStore.verify(at: store.folder).findings
        // A verification may report oddities of what a hostile writer signed, and bytes that are lost everywhere; that is no fault of the log.
        let expected = findings.filter { finding in
            guard let position = finding.position else { return false }
            return switch finding.code {
            case "malformedPayload": malformed.contains(hashes[Int(position.rawValue) - 1])
            case "payloadMissing": lost.contains(hashes[Int(position.rawValue) - 1])
            default: false
            }
        }
        if let finding = findings.first(where: { !expected.contains($0) }) {
            throw SimulationFault("the log of \(replica.number): \(finding)")
        }
        // Rebuilding all views takes longest: for one replica, and not in every short scenario.
        let chosen = scenario.seed % (scenario.steps.count > 100 ? UInt64(replicas.count) : 8)
        guard chosen == UInt64(replica.number) else { return }
        let named = Set(expected.map { "log: \($0)" })
        if let violated = try await store.violatedInvariants().first(where: { !named.contains($0) }) {
            throw SimulationFault("replica \(replica.number): \(violated)")
        }
    }
}

extension TripStore {
    /// The digest of every view.
    func viewDigests() throws -> [String: Digest] {
        Dictionary(
            uniqueKeysWithValues: try status(digests: true).views.compactMap { view in
                view.digest.map { (view.name, $0) }
            })
    }
}
