import EventLog
import Events
public import Trips

extension TripStore {
    /// The receipt of the write that created an entity: everything that `create` or `copy` wrote can be undone by the id that it returned.
    ///
    /// ```swift
    /// let copy = try await store.copy(lisbon, named: "Again")
    /// try await store.undo(try store.receipt(creating: copy))
    /// ```
    ///
    /// A copy that took several commits has each of them in the receipt's `positions`, whichever of its entities is named. So has a write under
    /// a correlation of the caller's: the commits that created the entity and what lies in it under that correlation. Commits are whole: what
    /// came by an import or an adoption was written together with others. Where several replicas created the entity, each on its own, this
    /// replica's write counts, or else the earliest.
    ///
    /// O(log n) for each entity of the write, and for each that was ever in it. Throws `TripStoreError.Code.unknownEntity` if no event is
    /// held that created the entity.
    public func receipt<Entity: TripEntity>(creating id: Identifier<Entity>) throws -> Receipt {
        let (appended, positions, entities, versions) = try withAuditor { auditor, log in
            let positions = try auditor.positions(ofWriteCreating: id.reference, by: replica)
            var newest: Appended?
            var entities: [EntityReference] = []
            var met: Set<EntityReference> = []
            for position in positions {
                guard let commit = try log.commit(at: position) else { continue }
                newest = commit.appended
                commit.forEachEvent { event, _ in
                    if met.insert(event.entity).inserted { entities.append(event.entity) }
                }
            }
            guard let newest else { throw TripStoreError.unknown(id.reference, in: knownSchema) }
            var versions: [EntityReference: EntityVersion] = [:]
            for entity in entities {
                versions[entity] = try auditor.timeline(of: entity).record(asOf: .position(newest.position)).version
            }
            return (newest, positions, entities, versions)
        }
        return Receipt(
            appended, versions: versions, entities: entities, isVisible: shows(appended.position), isRepeat: false,
            positions: positions)
    }
}

extension Auditor {
    /// The positions of the commits of the write that created an entity, in order; none if no creation is held.
    fileprivate mutating func positions(
        ofWriteCreating entity: EntityReference, by replica: ReplicaID
    ) throws -> [Position] {
        guard let creation = try self.creation(of: entity, by: replica) else { return [] }
        let origin = creation.commit
        guard origin.correlation != nil else { return [origin.position] }
        // From the outermost parent of the same write, to all that the write put into it.
        var (root, rootCreation) = (entity, creation)
        var ancestors: Set = [entity]
        while let parent = rootCreation.parent, ancestors.insert(parent).inserted,
            let found = try self.creation(of: parent, by: replica), found.commit.isOfSameWrite(origin)
        {
            (root, rootCreation) = (parent, found)
        }
        var positions: Set<Position> = []
        var (rest, met): ([EntityReference], Set<EntityReference>) = ([root], [root])
        while let next = rest.popLast() {
            guard let found = try self.creation(of: next, by: replica), found.commit.isOfSameWrite(origin) else {
                continue
            }
            positions.insert(found.commit.position)
            rest += try children(everOf: next).filter { met.insert($0).inserted }
        }
        return positions.sorted()
    }

    /// The entry that created an entity: the first of a replica, or else of any.
    private mutating func creation(of entity: EntityReference, by replica: ReplicaID) throws -> EntityTimeline.Entry? {
        let creations = try timeline(of: entity).entries.filter { $0.event.verb == .created }
        return creations.first { $0.commit.replica == replica } ?? creations.first
    }
}

extension EntityTimeline.Entry {
    /// The parent that the event names.
    fileprivate var parent: EntityReference? {
        guard event.entity.kind.mayHaveParent else { return nil }
        let value = event.changes.last { $0.path == .parent }?.value
        return value?.withUnsafeBytes { event.entity.kind.parent(in: $0) }
    }
}

extension CommitInfo {
    /// Whether the two are of one replica and author, under one correlation.
    fileprivate func isOfSameWrite(_ other: CommitInfo) -> Bool {
        replica == other.replica && author == other.author && correlation == other.correlation
    }
}
