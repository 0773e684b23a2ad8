import EventLog
import Events
import Trips

@testable import TripStore

/// Commits in memory and the resulting state on a replica: simple, as the oracle of the store.
///
/// A verb writes every value except deletions once, so that a value identifies its first write.
struct UndoModel {
    /// Names a write among all commits.
    struct Place: Hashable {
        let commit: Int
        let number: Int
    }

    struct Write {
        let entity: EntityReference
        /// Of deletion 0, as in the log.
        let field: UInt64
        /// Nil if the field is cleared.
        let value: [UInt8]?
        /// The write whose value an undo or redo brought back.
        var origin: Place?
    }

    struct Commit {
        let stamp: Stamp
        let author: String
        /// For an undo or redo, the commit that it names.
        var named: Int?
        /// Whether `undo` wrote it, and not `redo`.
        var isUndo = false
        /// Its correlation.
        var correlation: Int?
        let writes: [Write]
        /// The entities that it created.
        var created: Set<EntityReference> = []

        var entities: Set<EntityReference> { Set(writes.map(\.entity)) }
    }

    /// The writes of a commit to an entity.
    struct Part: Hashable {
        let commit: Int
        let entity: EntityReference
    }

    static let name: UInt64 = 1
    static let trip = FieldPath.parent.field

    private(set) var commits: [Int: Commit] = [:]
    private(set) var numbers: [Digest: Int] = [:]

    mutating func add(_ commit: Commit) -> Int {
        let number = commits.count
        commits[number] = commit
        numbers[commit.stamp.hash] = number
        return number
    }

    func commit(_ number: Int) -> Commit {
        commits[number]
            ?? Commit(
                stamp: Stamp(timestamp: .zero, replica: ReplicaID(publicKey: []), hash: .zero), author: "", writes: [])
    }

    func write(_ place: Place) -> Write { commit(place.commit).writes[place.number] }

    // MARK: What stands

    /// The writes to a field by the commits that a replica holds, in the order of the merge.
    func history(_ entity: EntityReference, _ field: UInt64, _ held: [Int]) -> [Place] {
        var places: [Place] = []
        for number in held.sorted(by: { commit($0).stamp < commit($1).stamp }) {
            for (place, write) in commit(number).writes.enumerated()
            where write.entity == entity && write.field == field {
                places.append(Place(commit: number, number: place))
            }
        }
        return places
    }

    func value(_ entity: EntityReference, _ field: UInt64, _ held: [Int]) -> [UInt8]? {
        history(entity, field, held).last.flatMap { write($0).value }
    }

    func isCreated(_ entity: EntityReference, _ held: [Int]) -> Bool {
        held.contains { commit($0).created.contains(entity) }
    }

    func isDeleted(_ entity: EntityReference, _ held: [Int]) -> Bool { value(entity, 0, held) != nil }

    func isPresent(_ entity: EntityReference, _ held: [Int]) -> Bool {
        isCreated(entity, held) && !isDeleted(entity, held)
    }

    /// The trip that an item is in; nil for what is no item.
    func trip(of entity: EntityReference, _ held: [Int]) -> EntityReference? {
        guard EntityKind.itemKinds.contains(entity.kind) else { return nil }
        return value(entity, Self.trip, held).flatMap { EntityReference(fieldValue: $0) }
    }

    /// Whether a verb may write to an entity that is there.
    func isWritable(_ entity: EntityReference, _ held: [Int]) -> Bool {
        isPresent(entity, held) && trip(of: entity, held).map { isPresent($0, held) } != false
    }

    /// The fields that were written, of those that are held.
    func fields(_ entity: EntityReference, _ held: [Int]) -> Set<UInt64> {
        Set(held.flatMap { commit($0).writes.filter { $0.entity == entity }.map(\.field) })
    }
}
