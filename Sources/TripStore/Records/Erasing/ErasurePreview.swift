import EventLog
public import Events
import Trips

/// A plan of what to erase of an entity. Nothing is erased before `TripStore.erase(_:)` gets it.
///
/// The headers of all commits stay, with their times, sizes and replicas, and so do the ids of entities and the numbers
/// of fields that were erased: imports leave them out.
public struct ErasurePreview: Sendable {
    /// The entity that the plan was made for.
    public let entity: EntityReference
    /// The events that are erased, with their commits, from the oldest to the newest. Copies in undoings and imports
    /// are among them.
    public internal(set) var commits: [AuditedCommit] = []
    /// Events that this replica may not erase, because others wrote them and it is no admin's. `erase` refuses a plan
    /// that has any.
    public internal(set) var refused: [AuditedCommit] = []
    /// Events of other authors that stay, if the plan is limited to one author. If that author created the entity, they
    /// are not shown any more.
    public internal(set) var others: [AuditedCommit] = []
    /// Contents of attachments that no other event names: their bytes are removed here with the events.
    public internal(set) var contents: [ContentID] = []
    /// The number of events that are written anew with their former times, without what is erased of them.
    public var rewritten: Int { rests.values.reduce(0) { $0 + $1.count } }

    /// The leaves of each commit.
    var parts: [CommitID: ErasedLeaves] = [:]
    /// The events that are written anew, by whose they are: those of an author in the order of the log.
    var rests: [Authorship: [Event]] = [:]
    /// The versions of their entities.
    var versions: [EntityReference: EntityVersion] = [:]
    /// What the erasure says that it is of: fields; or whole entities, of which later events of authors who do not know of
    /// it go as well.
    var names: [ErasedName] = []
    /// Up to where the log was searched.
    var position = Position.start

    init(_ entity: EntityReference) { self.entity = entity }

    /// The plan without what this replica may not erase: that stays until another erases it.
    public var withoutRefused: ErasurePreview {
        var plan = self
        plan.refused = []
        return plan
    }
}

/// What to erase of an entity.
struct ErasureScope {
    let entity: EntityReference
    /// The numbers of the fields by the kinds of the entity's forms; nil for all of the entity, and of what was ever
    /// under it.
    let fields: [EntityKind: Set<UInt64>]?
    /// Whether present values stay.
    let keepsPresent: Bool
    /// Nil for all authors.
    let author: String?

    /// Whether every event of the entities goes.
    var isWhole: Bool { fields == nil && !keepsPresent }

    /// Whether the field of a path is concerned.
    func concerns(_ path: FieldPath, of entity: EntityReference) -> Bool {
        guard let fields else { return true }
        return fields[entity.kind]?.contains(path.field) ?? false
    }
}
