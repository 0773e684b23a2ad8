import Events
import Trips

extension EntityTimeline {
    /// Writes to a path that were superseded by others, none of whose authors had seen them; each with the last of
    /// those.
    ///
    /// A write that saw one of the two resolves it: its author chose between them. O(writes to the path).
    func supersededUnseen(at path: FieldPath) -> [(loser: Write, winner: Write)] {
        guard let writes = writes[path] else { return [] }
        let firstToSee = firstToSee(writes)
        var found: [(loser: Write, winner: Write)] = []
        // The last write up to which no author had seen the previous write; within a commit only the order decides.
        var end = writes.count - 1
        for place in writes.indices.reversed() {
            if place + 1 < writes.count,
                isOfSameCommit(writes[place], writes[place + 1]) || saw(writes[place + 1], writes[place])
            {
                end = place
            }
            let last = min(end, firstToSee[place] - 1)
            // Two equal values leave nothing to choose, and neither does a rebalancing.
            guard last > place, writes[last].value != writes[place].value,
                !isRebalancing(writes[place].entry), !isRebalancing(writes[last].entry)
            else { continue }
            found.append((writes[place], writes[last]))
        }
        return found.reversed()
    }

    /// For each write the index of the first later one whose author had seen it; their number if there is none.
    private func firstToSee(_ writes: [Write]) -> [Int] {
        var places: [Seen: Int] = [:]
        var first = [Int](repeating: writes.count, count: writes.count)
        for (place, write) in writes.enumerated() {
            if let seen = write.seen, let earlier = places[seen], first[earlier] == writes.count,
                saw(write, writes[earlier])
            {
                first[earlier] = place
            }
            places[Seen(entries[write.entry].stamp)] = place
        }
        return first
    }

    /// Edits and deletions of the entity that did not know of each other: the indexes of the edit and of the last such
    /// deletion.
    private func deletedUnseen(_ held: UnseenDeletions.Held) rethrows -> [(edit: Int, deletion: Int)] {
        guard var deletions else { return [] }
        return try entries.indices.compactMap { number in
            let entry = entries[number]
            guard !entry.event.changes.isEmpty, entry.event.verb != .created, !isRebalancing(number) else { return nil }
            return try deletions.last(unseenWith: edit(number), entry: number, held).map { (number, $0) }
        }
    }

    /// The effective deletion, if the entity is deleted.
    var standingDeletion: Int? {
        guard let last = writes[.deletion]?.last, last.value != nil else { return nil }
        return last.entry
    }

    /// `held` returns what the authors of deletions held.
    func conflicts(_ held: UnseenDeletions.Held) rethrows -> [Conflict] {
        let name = Auditor.name(of: self)
        var found: [Conflict] = []
        let evolved = evolvedPairs()
        for (path, writes) in writes where path != .deletion {
            for (loser, winner) in supersededUnseen(at: path) {
                // Both wrote a field that replaces this one, and what they wrote here follows from that.
                if path.key.isEmpty, evolved[path.field]?.contains(pair(loser, winner)) == true { continue }
                found.append(
                    Conflict(
                        id: id(loser.entry, .field(path)), subject: .field(path), entity: entity,
                        name: name,
                        superseded: side(loser, at: path), winner: side(winner, at: path),
                        isOpen: writes.last?.entry == winner.entry))
            }
        }
        for (edit, deletion) in try deletedUnseen(held) {
            let (mine, other) = (entries[edit], entries[deletion])
            guard let change = mine.event.changes.first else { continue }
            let fields = mine.event.changes.map { rendering($0.path, $0.value) }
            found.append(
                Conflict(
                    id: id(edit, .deletion), subject: .deletion, entity: entity,
                    name: name,
                    superseded: Conflict.Side(
                        commit: mine.commit, event: mine.index,
                        value: FieldRendering(
                            name: fields.map(\.name).joined(separator: ", "),
                            text: fields.map(\.text).joined(separator: ", "),
                            value: rendering(change.path, change.value).value), bytes: change.value),
                    winner: Conflict.Side(commit: other.commit, event: other.index, value: .deleted, bytes: nil),
                    isOpen: standingDeletion == deletion))
        }
        return found
    }

    /// Whether an entry gave elements of a list other ranks and left their order: see `TripStore.rebalance(_:of:by:)`.
    func isRebalancing(_ entry: Int) -> Bool {
        let event = entries[entry].event
        return event.original != nil && !event.changes.isEmpty
            && event.changes.allSatisfy { $0.path.element?.kind == .rank }
    }

    private struct Pair: Hashable {
        let loser: Digest
        let winner: Digest
    }

    private func pair(_ loser: Write, _ winner: Write) -> Pair {
        Pair(loser: entries[loser.entry].stamp.hash, winner: entries[winner.entry].stamp.hash)
    }

    /// The commits in conflict over fields that replace others, by the numbers of the replaced ones.
    private func evolvedPairs() -> [UInt64: Set<Pair>] {
        var pairs: [UInt64: Set<Pair>] = [:]
        for field in entity.evolvedFields(in: known) {
            let found = supersededUnseen(at: FieldPath(field: field.number)).map { pair($0.loser, $0.winner) }
            for former in field.formerNumbers { pairs[former, default: []].formUnion(found) }
        }
        return pairs
    }

    /// Conflicts with a parent's deletion: an author who did not know of the deletion put a child under the parent, or the deleting author
    /// had not seen that; `deletions` are the parent's. None if the parent was never created here: then its deletion hides nothing.
    func conflicts(
        with child: EntityTimeline, _ deletions: inout UnseenDeletions, _ held: UnseenDeletions.Held
    ) rethrows -> [Conflict] {
        guard creation != nil else { return [] }
        let path = FieldPath.parent
        var found: [Int: Conflict] = [:]
        for filing in child.writes[path] ?? [] where filing.value == entity.fieldValue {
            guard let place = try deletions.last(unseenWith: child.edit(filing.entry), held) else { continue }
            let deletion = entries[place]
            let isThere =
                child.creation != nil && child.writes[path]?.last?.value == filing.value
                && child.standingDeletion == nil
            found[filing.entry] = Conflict(
                id: child.id(filing.entry, .parentDeletion), subject: .parentDeletion(entity),
                entity: child.entity, name: Auditor.name(of: child),
                superseded: child.side(filing, at: path),
                winner: Conflict.Side(commit: deletion.commit, event: deletion.index, value: .deleted, bytes: nil),
                isOpen: isThere && standingDeletion == place)
        }
        return found.sorted { $0.key < $1.key }.map(\.value)
    }

    private func id(_ loser: Int, _ place: Conflict.ID.Place) -> Conflict.ID {
        Conflict.ID(entries[loser].stamp.hash, entries[loser].index, place)
    }

    private func side(_ write: Write, at path: FieldPath) -> Conflict.Side {
        let entry = entries[write.entry]
        return Conflict.Side(
            commit: entry.commit, event: entry.index, value: rendering(path, write.value), bytes: write.value)
    }

    func rendering(_ path: FieldPath, _ value: [UInt8]?) -> FieldRendering {
        FieldRendering(of: entity, path, value: value, in: known)
    }
}

extension FieldRendering {
    /// The rendering of a deletion among values.
    fileprivate static let deleted = FieldRendering(name: "deleted", text: "deleted", value: .bool(true))
}
