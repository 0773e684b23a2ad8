import EventLog
import Events
import Foundation
import ProjectionEngine
public import Trips

extension TripStore {
    /// Edits that superseded concurrent ones: of a field, of an entity that was deleted meanwhile, and of what was put under a parent that was
    /// deleted meanwhile. The newest winners first.
    ///
    /// Those of an entity and of all that were ever under it, O(their events), or of everything, O(events of the log). Conflicts that were
    /// resolved since, knowingly or not, by overwriting the winner, are only included on request. Two equal writes are no conflict.
    ///
    /// Throws `TripStoreError.Code.unknownEntity` if nothing is held of the entity.
    public func conflicts(
        under root: EntityReference? = nil, includingResolved: Bool = false
    ) throws -> Rows<Conflict> {
        try withAuditor { auditor, _ in
            let found = try auditor.conflicts(under: root)
            return try auditor.listed(Self.sorted(found.filter { includingResolved || $0.isOpen }))
        }
    }

    /// The conflicts of an entity and of all that were ever under it. O(their events). Throws like the others.
    public func conflicts<Entity: TripEntity>(
        of id: Identifier<Entity>, includingResolved: Bool = false
    ) throws -> Rows<Conflict> {
        try conflicts(under: id.reference, includingResolved: includingResolved)
    }

    /// The open conflicts over fields of some entities, for marks beside what is shown; entities without any are left out. O(their events).
    public func openConflicts(of entities: some Sequence<EntityReference>) throws -> [EntityReference: [Conflict]] {
        try withAuditor { auditor, _ in
            var found: [EntityReference: [Conflict]] = [:]
            for entity in entities {
                let open = try auditor.conflicts(ofAlone: entity).filter { conflict in
                    if case .field = conflict.subject { conflict.isOpen } else { false }
                }
                if !open.isEmpty { found[entity] = Self.sorted(open) }
            }
            return found
        }
    }

    /// The conflicts of which the later edit to arrive is after a position, and not after another.
    ///
    /// O(events between, and of the entities that they touch).
    func conflicts(
        includingResolved: Bool, since position: Position, upTo last: Position = Position(.max)
    ) throws -> Rows<Conflict> {
        try withAuditor { auditor, _ in
            var touched: Set<EntityReference> = []
            try auditor.log.forEachCommit(after: position, upTo: last) { commit in
                commit.forEachEvent { event, _ in touched.insert(event.entity) }
                return true
            }
            // A conflict over a parent's deletion is found with the parent.
            for entity in touched { touched.formUnion(try auditor.parents(everOf: entity)) }
            var seen: Set<Conflict.ID> = []
            let found = try auditor.conflicts(of: touched).filter { conflict in
                let arrival = max(conflict.winner.commit.position, conflict.superseded.commit.position)
                return (includingResolved || conflict.isOpen) && seen.insert(conflict.id).inserted
                    && arrival > position && arrival <= last
            }
            return try auditor.listed(Self.sorted(found))
        }
    }

    static func sorted(_ conflicts: [Conflict]) -> [Conflict] {
        conflicts.sorted { a, b in
            if a.winner.commit.timestamp != b.winner.commit.timestamp {
                return a.winner.commit.timestamp > b.winner.commit.timestamp
            }
            return "\(a.id)" < "\(b.id)"
        }
    }

    /// The conflict with a name that may have only the first digits of the hash, at least four, as people write it.
    ///
    /// Throws `TripStoreError.Code.unknownConflict` if there is none, or if the digits fit several commits. O(commits).
    package func conflict(named name: String) throws -> Conflict {
        guard Conflict.ID.mayBeName(name), let (hash, event, place) = Conflict.ID.parts(of: name) else {
            throw TripStoreError(
                .unknownConflict,
                "'\(name)' names no conflict: they are called like 4db085cc213b.0-1, as 'conflicts' lists them.")
        }
        let found = try readLog { try $0.hashes(beginningWith: hash.lowercased()) }
        guard let commit = found.first, found.count == 1 else {
            throw TripStoreError(
                .unknownConflict,
                found.isEmpty
                    ? "There is no conflict \(name). 'conflicts' lists those that there are."
                    : "\(found.count) commits have hashes that begin with \(hash). Give more of its digits.")
        }
        return try conflict(Conflict.ID(commit, event, place))
    }

    /// The conflict with that name. Throws `TripStoreError.Code.unknownConflict` if there is none. O(commits).
    public func conflict(_ id: Conflict.ID) throws -> Conflict {
        let found = try withAuditor { auditor, _ in try auditor.conflict(id) }
        guard let found else {
            throw TripStoreError(
                .unknownConflict, "There is no conflict \(id). 'conflicts' lists those that there are.")
        }
        return found
    }

    /// The side of a conflict that is to count.
    public enum ConflictSide: Sendable, CaseIterable {
        /// The superseded edit: its value is written again, or the deleted entity is restored.
        case superseded
        /// The edit that won: its value is written again, or the entity is deleted again, by an author who saw both.
        case winner
    }

    /// Resolves a conflict: writes one of the two values, in view of both. Writes nothing if it is resolved and that value stands.
    ///
    /// What no verb may write resolving does not write either: a field of what is deleted, and anything of an entity whose
    /// parent is deleted, or would be a deleted one. Restore that first.
    ///
    /// Throws `TripStoreError` (`.conflictResolved` if something else stands there by now, `.versionConflict` if another writer
    /// writes at the same moment, `.unknownEntity`, `.deleted`, `.unknownParent`, `.invalidValue` if the value does not fit
    /// the others), or what the log refuses. Nothing is written then.
    @discardableResult
    public func resolve(
        _ conflict: Conflict, taking side: ConflictSide, by authorship: Authorship = Authorship()
    ) async throws -> Receipt {
        try await resolve(conflict, .taking(side), by: authorship)
    }

    /// Resolves a conflict over a field by a value that is neither of the two, such as both texts.
    ///
    /// Throws as `resolve(_:taking:by:)`, and `TripStoreError.Code.unusableOption` if the conflict is over a deletion.
    @discardableResult
    public func resolve<Value: OwnFieldValue>(
        _ conflict: Conflict, writing value: Value, by authorship: Authorship = Authorship()
    ) async throws -> Receipt {
        try await resolve(conflict, .writing(value), by: authorship)
    }

    func resolve(
        _ conflict: Conflict, _ resolution: ConflictResolution, by authorship: Authorship
    ) async throws -> Receipt {
        try await awaitServedViews()
        let proposed = try withAuditor { auditor, _ in try auditor.events(resolving: conflict, resolution) }
        // Where a kind changed there are several: a repetition finds the conflict resolved.
        let proposal = proposed.count == 1 ? proposed.first.map { AppendProposal.resolving($0) } : nil
        if let proposal, let receipt = try receiptOfEarlierAttempt(proposal, authorship) { return receipt }
        // The write is based on the state in which the conflict was found, in one read.
        let (events, versions) = try withAuditor { auditor, _ -> ([Event], [EntityReference: EntityVersion]) in
            guard let current = try auditor.conflict(conflict.id), current.isOpen, current.hasSameSides(as: conflict)
            else {
                if case .taking(let side) = resolution, try auditor.stands(side, of: conflict) { return ([], [:]) }
                throw TripStoreError(
                    .conflictResolved,
                    "The conflict \(conflict.id) is resolved: something else stands there than what won it. "
                        + "The history of \(conflict.entity.words(in: knownSchema)) shows what.",
                    entity: conflict.entity)
            }
            var events = try auditor.events(resolving: current, resolution)
            var versions: [EntityReference: EntityVersion] = [:]
            for index in events.indices {
                let entity = events[index].entity
                let record = try auditor.timeline(of: entity).record(asOf: .position(Position(.max)))
                events[index].changes = events[index].changes.flatMap {
                    ShownFields.completing($0, of: entity, record, in: knownSchema)
                }
                versions[entity] = record.version
            }
            return (events, versions)
        }
        if events.isEmpty { return Receipt(unchangedAt: try read { $0.position }, entities: [conflict.entity]) }
        return try await write(computed: events, .resolving, by: authorship, expecting: versions, proposal)
    }
}

extension Conflict {
    /// Whether the same edits are in conflict: another may have won since.
    func hasSameSides(as other: Conflict) -> Bool {
        winner.commit.hash == other.winner.commit.hash && winner.event == other.winner.event
    }
}
