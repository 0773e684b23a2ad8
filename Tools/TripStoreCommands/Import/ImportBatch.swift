import Foundation
import Synchronization
import TripStore

/// The records of one commit of an import, and what is to happen to their entities: decided again if another writer commits before it
/// is stored.
final class ImportBatch: ComputedCommit, Sendable {
    private struct State {
        var decisions: [ImportDecision]
        var computed: ComputedEvents
        /// Why the store refused what was decided for some entities.
        var refusals: [EntityReference: String] = [:]
    }

    private let records: [ImportRecord]
    private let store: TripStore
    private let basis: ImportBasis
    private let tally: ImportTally
    private let state: Mutex<State>

    init(_ draft: ImportDraft, _ store: TripStore, _ basis: ImportBasis, _ tally: ImportTally) {
        records = draft.records
        self.store = store
        self.basis = basis
        self.tally = tally
        // Versions are expected only once another writer has committed in between.
        state = Mutex(
            State(
                decisions: draft.decisions,
                computed: ComputedEvents(draft.decisions.flatMap(\.events), at: draft.position)))
    }

    var computed: ComputedEvents { state.withLock { $0.computed } }

    /// Decides again on the current state, without what the store refused for another reason than a conflict with another writer.
    ///
    /// Throws the refusal on if it names none of the entities.
    func compute(without refusal: (any Error)?) throws -> ComputedEvents {
        if let refusal { try leaveOut(refusal) }
        let current = try ImportState(records.map(\.entity) + records.compactMap(\.owner), basis, in: store)
        let refusals = state.withLock { $0.refusals }
        var decisions = try current.decide(records)
        for (index, record) in records.enumerated() {
            if let fault = refusals[record.entity] ?? record.owner.flatMap({ refusals[$0] }) {
                decisions[index] = .rejected(fault)
            }
        }
        let written = zip(records, decisions).filter { !$1.events.isEmpty }.map(\.0.entity)
        let computed = ComputedEvents(
            decisions.flatMap(\.events), at: current.position,
            expecting: Dictionary(written.map { ($0, current.version($0)) }) { version, _ in version })
        state.withLock { [decisions] state in
            state.decisions = decisions
            state.computed = computed
        }
        return computed
    }

    private func leaveOut(_ refusal: any Error) throws {
        guard let entity = (refusal as? TripStoreError)?.entity ?? (refusal as? ValidationError)?.entity,
            records.contains(where: { $0.entity == entity || $0.owner == entity })
        else { throw refusal }
        let isKnown = state.withLock { $0.refusals.updateValue("\(refusal)", forKey: entity) != nil }
        if isKnown { throw refusal }
    }

    func stored() {
        let decisions = state.withLock { $0.decisions }
        tally.count(records, decisions)
    }
}
