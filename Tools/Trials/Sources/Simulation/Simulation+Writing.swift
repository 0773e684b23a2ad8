import Foundation

@testable import Events
@testable import TripStore
@testable import TripStoreTestSupport

extension Simulation {
    /// A store that may be written to: not one that has yet to learn its journal.
    func writable(_ number: Int) async throws -> TripStore? {
        guard let replica = replica(number) else { return nil }
        let store = try await replica.store()
        if store.identityChange != nil { newIdentities.insert(store.replica) }
        return store.journal == journal ? store : nil
    }

    func write(_ number: Int, _ commits: Int, _ seed: UInt64) async throws {
        guard let store = try await writable(number) else { return }
        let before = try store.status().position
        writer.generator = SeededRandom(seed: seed)
        var random = SeededRandom(seed: seed &+ 1)
        // A write that does not fit the present state is refused, and another one tried.
        var position = before
        for _ in 0..<commits {
            for _ in 0..<4 {
                if let trip = writer.trips.randomElement(using: &random), random.once(in: 4) {
                    try await edit(store, SimulatedFields.edit(trip, &random))
                } else {
                    try await writer.write(to: store)
                }
                let reached = try store.status().position
                if reached > position {
                    position = reached
                    break
                }
            }
        }
        try acknowledge(store, after: before)
    }

    /// An edit of what may be deleted, or is not here.
    private func edit(_ store: TripStore, _ event: TripEvent) async throws {
        do { try await store.append([event], by: "ana") } catch let error as TripStoreError
            where [.unknownEntity, .deleted, .invalidValue].contains(error.code)
        {}
    }

    func writeUnknown(_ number: Int, _ seed: UInt64) async throws {
        guard let store = try await writable(number) else { return }
        let before = try store.status().position
        var random = SeededRandom(seed: seed)
        let trip =
            writer.trips.randomElement(using: &random)
            ?? Trip.ID.new(at: Date(timeIntervalSince1970: 0), using: &random)
        let value = (0..<8).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        let field = UInt64.random(in: 900...902, using: &random)
        try await store.appendUnchecked([
            Event(
                verb: .edited, entity: trip.reference,
                changes: [
                    Change(path: FieldPath(field: field), value: value),
                    Change(
                        path: FieldPath(field: field + 10, key: [1]), value: Bool.random(using: &random) ? value : nil),
                ]),
            Event(
                verb: Verb(rawValue: 77), entity: EntityReference(kind: EntityKind(rawValue: 500), id: trip.uuid),
                changes: [Change(path: FieldPath(field: 1), value: value)]),
        ])
        try acknowledge(store, after: before)
    }

    func acknowledge(_ store: TripStore, after position: Position) throws {
        if let fault = try store.timestampFault(after: position) { throw SimulationFault(fault) }
        let hashes = try store.commitHashes(after: position)
        acknowledged.formUnion(hashes)
        written.formUnion(hashes)
        outcome.commits += hashes.count
    }

    /// Writes some hundred events at once, and lets later writes conflict with some of them.
    func load(_ number: Int, _ commits: Int, _ seed: UInt64) async throws {
        guard let store = try await writable(number) else { return }
        let before = try store.status().position
        var draft = LoadedTrips(seed: seed)
        let pages = (0..<commits).map { _ in draft.page() }
        try await store.load(by: "ana") { load in
            for page in pages { try await load.append(page) }
        }
        writer.trips += draft.trips.prefix(2)
        writer.activities += draft.activities.prefix(2)
        let reached = try store.status().position
        // The first commit of a replica is one more: its introduction.
        let stored = reached.rawValue - before.rawValue
        guard stored == UInt64(commits) || stored == UInt64(commits) + 1 else {
            throw SimulationFault("a load of \(commits) commits went from position \(before) to \(reached)")
        }
        outcome.loads += 1
        outcome.events += pages.reduce(0) { $0 + $1.count }
        try acknowledge(store, after: before)
    }
}
