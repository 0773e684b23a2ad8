import EventLog
import Events
import Trips

/// A commit to append: all writes propose one, and it is checked when its turn comes.
struct ProposedCommit: Sendable {
    /// Its content.
    enum Contents: Sendable {
        /// Events as their author proposes them, with or without the writes that change nothing.
        case events(DraftedEvents, leavingOutUnchanged: Bool)
        /// Events that were computed from the log, unchanged. What they empty must have no children except the
        /// named ones.
        case computed([Event], ComputedEventRules, emptied: [EntityReference: Set<EntityReference>])
    }

    /// The result of planning it.
    struct Planned: Sendable {
        /// Nil if there is nothing to write.
        let payload: [UInt8]?
        let touched: TouchedEntities
    }

    let authorship: Authorship
    /// For comparison with the commit of an earlier attempt; nil if no append id is allowed.
    private let proposal: AppendProposal?
    private let expected: [EntityReference: EntityVersion]
    private let contents: Contents
    /// The kinds and fields that the store knows.
    private let known: KnownSchema

    init(
        _ contents: Contents, by authorship: Authorship, _ proposal: AppendProposal?,
        expecting versions: [EntityReference: EntityVersion], in known: KnownSchema
    ) {
        self.contents = contents
        self.authorship = authorship
        self.proposal = proposal
        expected = versions
        self.known = known
    }

    /// The events that are written as their author proposes them; nil if they were computed from the log.
    var draft: DraftedEvents? { if case .events(let draft, _) = contents { draft } else { nil } }

    /// The entities that it writes, each with the parent under which it puts it, and what it does to it.
    var written: [(entity: EntityReference, parent: EntityReference??, verb: Verb)] {
        switch contents {
        case .events(let draft, _): draft.entries.map { ($0.entity, $0.parent, $0.verb) }
        case .computed(let events, _, _): events.map { ($0.entity, EventRules.writtenParent($0), $0.verb) }
        }
    }

    /// The commit of an earlier attempt of the same append; nil if there was none. O(1,024) if it has an id.
    ///
    /// Throws `TripStoreError.Code.appendIDReused` if the commit with that id has other events.
    func earlierAttempt(_ log: borrowing LogSnapshot) throws -> EarlierAttempt? {
        guard let id = authorship.appendID, let proposal else { return nil }
        return try EarlierAttempt(of: proposal, id, log, in: known)
    }

    /// Checks and encodes the events. Throws the first fault.
    func plan(_ coordinator: WriteCoordinator, _ log: borrowing LogSnapshot) throws -> Planned {
        try coordinator.withState(log) { state in
            // An entity with the same hash as another has a hash of its own in the next memory.
            do { return try plan(on: state, log) } catch is EntityMemory.OutOfReach { return try plan(on: state, log) }
        }
    }

    private func plan(on state: borrowing StateInLog, _ log: borrowing LogSnapshot) throws -> Planned {
        switch contents {
        case .events(let draft, let leavesOutUnchanged):
            var planner = CommitPlanner(of: try log.replica(), leavesOutUnchanged: leavesOutUnchanged, in: known)
            var writer = writer(reservingCapacity: CommitPlanner.room(for: draft))
            try planner.check(expected, on: state)
            try planner.add(draft, on: state, to: &writer)
            let deletes = draft.entries.contains { $0.verb == .deleted }
            return try finish(planner, writer, deletes: deletes, log)
        case .computed(let events, let rules, let emptied):
            var planner = CommitPlanner(of: try log.replica(), leavesOutUnchanged: false, in: known)
            var writer = writer(reservingCapacity: 0)
            try planner.check(expected, on: state)
            for (parent, children) in emptied { try state.checkChildren(of: parent, children, in: known) }
            let parents = Self.lastParents(of: events)
            for event in events {
                try planner.add(event, by: rules, filedUnder: parents[event.entity], on: state, to: &writer)
            }
            return try finish(planner, writer, deletes: events.contains { $0.verb == .deleted }, log)
        }
    }

    /// The parents under which computed events leave the entities that they file. One by one they may restore an entity while
    /// its parent is no longer there, and move it after that.
    private static func lastParents(of events: [Event]) -> [EntityReference: EntityReference?] {
        var parents: [EntityReference: EntityReference?] = [:]
        for event in events {
            if let parent = EventRules.writtenParent(event) { parents[event.entity] = .some(parent) }
        }
        return parents
    }

    private func writer(reservingCapacity count: Int) -> PayloadWriter {
        PayloadWriter(
            author: authorship.author ?? "", causation: authorship.causation, correlation: authorship.correlation,
            appendID: proposal == nil ? nil : authorship.appendID, reservingCapacity: count)
    }

    /// A commit with deletions, or of what was erased, records what was held when it was written.
    private func finish(
        _ planner: borrowing CommitPlanner, _ writer: consuming PayloadWriter, deletes: Bool,
        _ log: borrowing LogSnapshot
    ) throws -> Planned {
        let touched = planner.touched ?? TouchedEntities()
        guard touched.eventCount > 0 else { return Planned(payload: nil, touched: touched) }
        let saysHeld = deletes ? true : try log.sweptEntities().areNamed(in: writer)
        return Planned(payload: writer.finish(holding: saysHeld ? try log.held() : VersionVector()), touched: touched)
    }
}
