@testable import EventLog
@testable import Events
@testable import TripStore
@testable import TripStoreTestSupport

extension Simulation {
    /// Undoes the last commit of an author, one commit, or the newest edits of a trip, of any author.
    func undo(_ number: Int, _ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let author = ["ana", "ben", "eve"].randomElement(using: &random) ?? ""
        let trip = writer.trips.randomElement(using: &random)
        try await edit(number) { store in
            let position = try store.status().position
            guard position > .start else { return }
            let drawn = Position(UInt64.random(in: 1...position.rawValue, using: &random))
            let target: UndoTarget =
                switch Int.random(in: 0..<4, using: &random) {
                case 0: .commit(drawn)
                case 1: trip.map { .trip($0, since: drawn) } ?? .last(by: author)
                default: .last(by: author)
                }
            guard try await !store.undo(target, by: Authorship(author: author)).receipts.isEmpty else { return }
            outcome.undos += 1
        }
    }

    func redo(_ number: Int, _ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let author = ["ana", "ben", "eve"].randomElement(using: &random) ?? ""
        try await edit(number) { store in
            guard try await !store.redo(by: Authorship(author: author)).receipts.isEmpty else { return }
            outcome.undos += 1
        }
    }

    /// Resolves up to three conflicts, which are closed afterwards.
    func resolve(_ number: Int, _ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        guard let conflicts = try await writable(number)?.conflicts(), !conflicts.isEmpty else { return }
        for conflict in conflicts.shuffled(using: &random).prefix(3) {
            let side: TripStore.ConflictSide = random.once(in: 2) ? .superseded : .winner
            var isResolved = false
            guard let store = try await writable(number) else { continue }
            let isAmbiguous = try isAmbiguous(conflict, in: store)
            try await edit(number) { store in
                do {
                    try await store.resolve(conflict, taking: side, by: "ana")
                    isResolved = true
                } catch let error as TripStoreError where error.code == .unknownConflict && !isAmbiguous {
                    throw SimulationFault(
                        "the conflict \(conflict.id) was listed, and is unknown when it is to be resolved")
                }
            }
            guard isResolved else { continue }
            outcome.resolutions += 1
            guard !isAmbiguous else { continue }
            guard try !store.conflict(conflict.id).isOpen else {
                throw SimulationFault("the conflict \(conflict.id) is open after it was resolved")
            }
        }
    }

    /// If two branches of a replica have writes of one time, it is undecidable which of them was seen, so that later
    /// writes resolve nothing. What a deletion saw of a branch is given by the newest time there.
    private func isAmbiguous(_ conflict: Conflict, in store: TripStore) throws -> Bool {
        if try store.hasTwin(of: conflict.winner.commit) { return true }
        guard case .field = conflict.subject else { return try store.hasTwins(of: conflict.superseded.commit.replica) }
        return false
    }

    /// Erases a commit that the replica wrote, or some of it.
    func erase(_ number: Int, _ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        guard let store = try await writable(number), let commit = try store.ownCommits().randomElement(using: &random)
        else { return }
        let leaves: ErasedLeaves =
            switch Int.random(in: 0..<6, using: &random) {
            case 0: .all
            case 1: .some(LeafSet([0]))
            default: .some(LeafSet(events: (0...3).map { _ in Int.random(in: 0..<6, using: &random) }))
            }
        let before = try store.status().position
        try await store.erase(leaves, in: commit)
        try acknowledge(store, after: before)
        outcome.erasures += 1
    }

    /// Lets a store write something, if it can; a write that does not fit its state is refused.
    private func edit(_ number: Int, _ body: (TripStore) async throws -> Void) async throws {
        guard let store = try await writable(number) else { return }
        let before = try store.status().position
        do { try await body(store) } catch let error as TripStoreError
            where error.cause == nil || error.code == .invalidValue
        {}
        try acknowledge(store, after: before)
    }
}
