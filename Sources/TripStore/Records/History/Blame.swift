import EventLog
public import Events
public import Trips

/// The origin of a field's current value.
public struct BlameLine: Sendable, Hashable {
    /// The field's name and its current value.
    public let field: FieldRendering
    /// The element's key, for fields that are collections; empty for all others.
    public let key: [UInt8]
    /// The commit that wrote the value.
    public let commit: CommitInfo
    /// Whether the value superseded another that its author had not seen.
    public let isContested: Bool
}

/// The origin of each of an entity's current values.
public struct Blame: Sendable, Hashable {
    public let entity: EntityReference
    /// The entity's present name, for people; empty if it has none.
    public let name: String
    /// The commit that created it; nil if its creation is not here.
    public let created: CommitInfo?
    /// The commit that deleted it; nil if it is not deleted.
    public let deleted: CommitInfo?
    /// The fields that were ever written and are not cleared, in the order of their numbers.
    public let lines: [BlameLine]
    /// The open conflicts of the entity with deletions: its own, that of its parent, and those of what was put under it.
    package let deletionConflicts: [Conflict]
}

extension TripStore {
    /// For each field of an entity: its value, author, time and commit. O(events of the entity).
    ///
    /// Throws `TripStoreError.Code.unknownEntity` if nothing is held of it.
    public func blame<Entity: TripEntity>(_ id: Identifier<Entity>) throws -> Blame { try blame(id.reference) }

    /// The blame of an entity of any kind: for each field the commit that wrote its present value.
    public func blame(_ entity: EntityReference) throws -> Blame {
        try withAuditor { auditor, _ in try auditor.blame(entity) }
    }
}

extension Auditor {
    /// O(events of the entity + fields · log fields): each event is read once, and each write is compared with those of
    /// its field.
    mutating func blame(_ entity: EntityReference) throws -> Blame {
        let forms = try forms(of: entity)
        guard let timeline = forms.first(where: { $0.entity == entity }), !timeline.entries.isEmpty else {
            throw TripStoreError.unknown(entity, in: known)
        }
        var lines: [BlameLine] = []
        for (path, writes) in timeline.writes.sorted(by: { $0.key < $1.key }) where path != .deletion {
            guard let last = writes.last, let value = last.value else { continue }
            lines.append(
                BlameLine(
                    field: FieldRendering(of: entity, path, value: value, in: known), key: path.key,
                    commit: EntityTimeline.origin(of: last, at: path, in: timeline, among: forms),
                    isContested: timeline.supersededUnseen(at: path).contains { $0.winner.entry == last.entry }))
        }
        let deletion = timeline.writes[.deletion]?.last.flatMap { $0.value == nil ? nil : $0.entry }
        return Blame(
            entity: entity, name: Self.name(of: timeline),
            created: forms.compactMap { timeline in timeline.creation.map { timeline.entries[$0] } }
                .min { $0.stamp < $1.stamp }?.commit,
            deleted: deletion.map { timeline.entries[$0].commit }, lines: lines,
            deletionConflicts: TripStore.sorted(try conflictsWithDeletions(of: entity).filter(\.isOpen)))
    }
}
