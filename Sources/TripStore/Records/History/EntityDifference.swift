public import EventLog
public import Events
import ProjectionEngine
public import Trips

/// How an entity differs between two moments of the log.
public struct EntityDifference: Sendable, Hashable {
    /// The fate of the entity as a whole.
    public enum Fate: Sendable {
        /// It was missing, and exists now.
        case created
        /// It existed, and does not any more.
        case deleted
        /// It was deleted, and exists again.
        case restored
        /// It exists at both moments, and some of its fields differ.
        case changed
    }

    /// A field whose values differ.
    public struct Field: Sendable, Hashable {
        /// The element's key, for fields that are collections; empty for all others.
        public let key: [UInt8]
        public let old: FieldRendering
        public let new: FieldRendering

        public var name: String { new.name }
    }

    public let entity: EntityReference
    /// The entity's name at the later moment, for people.
    public let name: String
    public let fate: Fate
    /// In the order of the fields' numbers. A created entity has all its fields here; a deleted one keeps its own.
    public let fields: [Field]
}

extension TripStore {
    /// The entities and fields that differ between two moments, by kind, name and id.
    ///
    /// Only entities that were written between the two are read: O(commits between) for two positions, O(log) if one of
    /// them is an instant. A field that was changed and changed back does not differ.
    ///
    /// Throws `TripStoreError.Code.unknownPosition` if the log does not reach that far.
    public func differences(from old: Horizon, to new: Horizon) throws -> Rows<EntityDifference> {
        try check(old)
        try check(new)
        return try withAuditor { auditor, log in
            var found: [EntityDifference] = []
            for entity in try Self.entitiesWritten(between: old, and: new, log) {
                let timeline = try auditor.timeline(of: entity)
                let records = (timeline.record(asOf: old), timeline.record(asOf: new))
                if let difference = EntityDifference(entity, from: records.0, to: records.1, in: auditor.known) {
                    found.append(difference)
                }
            }
            return try auditor.listed(found.sorted(by: EntityDifference.precedes))
        }
    }

    private static func entitiesWritten(
        between old: Horizon, and new: Horizon, _ log: borrowing LogSnapshot
    ) throws -> Set<EntityReference> {
        var bounds = (after: Position.start, upTo: Position(.max))
        if case (.position(let a), .position(let b)) = (old, new) { bounds = (min(a, b), max(a, b)) }
        var entities: Set<EntityReference> = []
        try log.forEachCommit(after: bounds.after, upTo: bounds.upTo) { commit in
            let timestamp = commit.header.timestamp
            if old.includes(commit.position, timestamp) != new.includes(commit.position, timestamp) {
                commit.forEachEvent { event, _ in entities.insert(event.entity) }
            }
            return true
        }
        return entities
    }
}

extension EntityDifference {
    /// Nil if there is no visible difference.
    init?(_ entity: EntityReference, from old: EntityRecord, to new: EntityRecord, in known: KnownSchema?) {
        let paths = Set(old.registers.map(\.path)).union(new.registers.map(\.path)).subtracting([.deletion])
        var fields: [Field] = []
        for path in paths.sorted() {
            let (before, after) = (old.register(at: path)?.value, new.register(at: path)?.value)
            guard before != after else { continue }
            fields.append(
                Field(
                    key: path.key, old: FieldRendering(of: entity, path, value: before, in: known),
                    new: FieldRendering(of: entity, path, value: after, in: known)))
        }
        switch (old.isPresent, new.isPresent) {
        case (false, true): fate = old.creation == nil ? .created : .restored
        case (true, false): fate = .deleted
        case (true, true) where !fields.isEmpty: fate = .changed
        default: return nil
        }
        self.entity = entity
        self.fields = fields
        let name = FieldPath(field: 1)
        self.name = String(
            decoding: new.register(at: name)?.value ?? old.register(at: name)?.value ?? [], as: UTF8.self)
    }

    fileprivate static func precedes(_ a: EntityDifference, _ b: EntityDifference) -> Bool {
        if a.entity.kind != b.entity.kind { return a.entity.kind < b.entity.kind }
        if a.name != b.name { return a.name < b.name }
        return a.entity.id.bytes.lexicographicallyPrecedes(b.entity.id.bytes)
    }
}
