import Events
import Trips

@testable import TripStore

extension UndoModel {
    /// The state while an undo is computed.
    private struct Work {
        var writes: [Write] = []
        /// The trips that it deletes or restores.
        var tripsThere: [EntityReference: Bool] = [:]
        /// The items that it deletes or moves.
        var leaving: Set<EntityReference> = []
    }

    /// The writes that revert some parts of commits.
    func undo(_ parts: Set<Part>, _ held: [Int]) -> [Write] {
        let entities = Set(parts.map(\.entity)).sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        var work = Work()
        var emptied: [EntityReference] = []
        for entity in entities where entity.kind == .trip {
            if isCreation(of: entity, parts, held) {
                guard canBeUncreated(entity, parts, held) else { continue }
                work.tripsThere[entity] = false
                emptied.append(entity)
            } else {
                undoEdits(of: entity, parts, held, &work)
            }
        }
        for entity in entities where entity.kind != .trip {
            if isCreation(of: entity, parts, held) {
                guard canBeUncreated(entity, parts, held) else { continue }
                work.leaving.insert(entity)
                work.writes.append(Write(entity: entity, field: 0, value: [1]))
            } else {
                undoEdits(of: entity, parts, held, &work)
            }
        }
        for trip in emptied where items(of: trip, held).isSubset(of: work.leaving) {
            work.writes.append(Write(entity: trip, field: 0, value: [1]))
        }
        return work.writes
    }

    /// The undo of a correlation; nil if it has no commits.
    func undo(correlation: Int, _ held: [Int]) -> (named: Int, writes: [Write])? {
        let commits = held.filter { commit($0).correlation == correlation }
        return commits.last.map { ($0, undo(parts(of: commits) { _ in true }, held)) }
    }

    /// The undo of everything that happened to a trip and to its former and present items since that many of the
    /// held commits. Nil if nothing did.
    func undo(trip: EntityReference, since count: Int, _ held: [Int]) -> (named: Int, writes: [Write])? {
        let (before, after) = (Array(held.prefix(count)), Array(held.dropFirst(count)))
        let all = Set(held.flatMap { commit($0).entities })
        let entities = all.filter { entity in
            if entity == trip || self.trip(of: entity, before) == trip { return true }
            return after.contains { number in
                commit(number).writes.contains {
                    $0.entity == entity && $0.field == Self.trip && $0.value == trip.fieldValue
                }
            }
        }
        let commits = after.filter { !commit($0).entities.isDisjoint(with: entities) }
        return commits.last.map { ($0, undo(parts(of: commits) { entities.contains($0) }, held)) }
    }

    private func parts(of commits: [Int], _ isSelected: (EntityReference) -> Bool) -> Set<Part> {
        Set(
            commits.flatMap { number in
                commit(number).entities.filter(isSelected).map { Part(commit: number, entity: $0) }
            })
    }

    private func isCreation(of entity: EntityReference, _ parts: Set<Part>, _ held: [Int]) -> Bool {
        let created = held.filter { commit($0).created.contains(entity) }
        return !created.isEmpty && created.allSatisfy { parts.contains(Part(commit: $0, entity: entity)) }
    }

    /// Whether no other write to an entity stands.
    private func canBeUncreated(_ entity: EntityReference, _ parts: Set<Part>, _ held: [Int]) -> Bool {
        if isDeleted(entity, held) { return false }
        return fields(entity, held).allSatisfy { field in
            let history = history(entity, field, held)
            guard let last = history.last, owner(of: history, parts) == nil else { return true }
            return write(last).value == nil && commit(last.commit).named != nil
        }
    }

    private func items(of trip: EntityReference, _ held: [Int]) -> Set<EntityReference> {
        let all = Set(held.flatMap { commit($0).entities })
        return all.filter { self.trip(of: $0, held) == trip && isPresent($0, held) }
    }

    /// The index of the selected write that stands: the last, or one that undos brought back.
    private func owner(of history: [Place], _ parts: Set<Part>) -> Int? {
        var place = history.indices.last
        while let current = place {
            let write = write(history[current])
            if parts.contains(Part(commit: history[current].commit, entity: write.entity)) { return current }
            place = write.origin.flatMap { origin in history[..<current].firstIndex(of: origin) }
        }
        return nil
    }

    private func undoEdits(of entity: EntityReference, _ parts: Set<Part>, _ held: [Int], _ work: inout Work) {
        var fate: Write?
        var edits: [Write] = []
        for field in fields(entity, held).sorted() {
            let history = history(entity, field, held)
            guard let own = owner(of: history, parts), let last = history.last else { continue }
            let previous = history[..<own].last { !parts.contains(Part(commit: $0.commit, entity: entity)) }
            let back = Write(
                entity: entity, field: field, value: previous.flatMap { write($0).value }, origin: previous)
            if back.value == write(last).value { continue }
            if field == 0 { fate = back } else { edits.append(back) }
        }
        let isDeletion = fate.map { $0.value != nil } ?? false
        if !isDeletion, fate != nil || !edits.isEmpty,
            let trip = edits.first(where: { $0.field == Self.trip }).map({
                $0.value.flatMap { EntityReference(fieldValue: $0) }
            }) ?? self.trip(of: entity, held), EntityKind.itemKinds.contains(entity.kind),
            !(work.tripsThere[trip] ?? isPresent(trip, held))
        {
            return
        }
        if let fate {
            if entity.kind == .trip { work.tripsThere[entity] = !isDeletion }
            if isDeletion { work.leaving.insert(entity) }
            work.writes.append(fate)
        }
        if isDeletion || (fate == nil && isDeleted(entity, held)) { return }
        if edits.contains(where: { $0.field == Self.trip }) { work.leaving.insert(entity) }
        work.writes += edits
    }
}
