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

/// The content of one commit of an import, as it is gathered.
struct ImportDraft: Sendable {
    /// The approximate number of events of the first commit, and the maximum for any; a trip stays together with its
    /// items. Each commit gets a quarter more than the one before. Small ones come first, so that the writer does not
    /// wait long for the first, and the reader is not done long before the writer with a short file; later ones are
    /// large, because they cost least.
    private static let firstEvents = 100
    private static let mostEvents = 1_000
    /// The size in bytes from which a commit gets no further trip, however few its events.
    private static let fullBytes = 1 << 20
    /// The size in bytes from which even the items of one trip go into the next commit. An item has at most four texts
    /// of 1 MiB, so that the commit stays well below the log's 16 MiB.
    private static let largeBytes = 11 << 20
    /// The bytes of an event, and of each of its writes, in the log beside the value: tags, lengths, an id, timestamps.
    /// Rather too many.
    private static let bytesPerEvent = 64
    private static let bytesPerWrite = 32

    private let fullEvents: Int
    private(set) var records: [ImportRecord] = []
    /// The fate of the entity of each record.
    private(set) var decisions: [ImportDecision] = []
    /// Up to which commit of the log the decisions hold, at least.
    private(set) var position = Position(.max)
    private var eventCount = 0
    private var byteCount = 0

    /// The first.
    init() { fullEvents = Self.firstEvents }

    /// The one after another.
    init(after draft: ImportDraft) {
        fullEvents = min(draft.fullEvents + draft.fullEvents / 4, Self.mostEvents)
    }

    mutating func append(_ record: ImportRecord, _ decision: ImportDecision, at position: Position) {
        records.append(record)
        decisions.append(decision)
        self.position = min(self.position, position)
        eventCount += decision.events.count
        for event in decision.events {
            byteCount += Self.bytesPerEvent
            for write in event.writes { byteCount += Self.bytesPerWrite + (write.value?.count ?? 0) }
        }
    }

    /// Whether the next trip should begin another commit.
    var isFull: Bool { eventCount >= fullEvents || byteCount >= Self.fullBytes }
    /// Whether even the items of one trip should go into the next commit.
    var isLarge: Bool { byteCount >= Self.largeBytes }
}
