import Events
import Trips

extension EntityTimeline {
    /// Writes to a path that were superseded by the next one, whose author had not seen them.
    func supersededUnseen(at path: Path) -> [(loser: Write, winner: Int)] {
        guard let writes = writes[path] else { return [] }
        var found: [(loser: Write, winner: Int)] = []
        for (write, next) in zip(writes, writes.dropFirst()) {
            let (mine, other) = (entries[write.entry], entries[next.entry])
            // Within a commit order alone decides; the same value twice leaves nothing to choose.
            if mine.stamp == other.stamp || next.seen == mine.stamp.timestamp || write.value == next.value { continue }
            found.append((write, next.entry))
        }
        return found
    }

    /// Edits and deletions of the entity that did not know of each other: the edit's and the deletion's places.
    ///
    /// Who edits has not seen a deletion that stands. Who deletes names the newest write that they saw; of what is newer
    /// they did not know.
    var deletedUnseen: [(edit: Int, deletion: Int)] {
        var found: [(edit: Int, deletion: Int)] = []
        for (place, write) in (writes[.deletion] ?? []).enumerated() where write.value != nil {
            let deletion = entries[write.entry]
            let restored = writes[.deletion]?[(place + 1)...].first { $0.value == nil }
            for (number, entry) in entries.enumerated()
            where entry.stamp != deletion.stamp && !entry.event.changes.isEmpty && entry.event.verb != .created {
                let isLater = entry.stamp > deletion.stamp
                let isBeforeRestore = restored.map { number < $0.entry } ?? true
                let wasUnseen = deletion.event.seenNewest.map { $0 < entry.stamp.timestamp } ?? false
                if isLater ? isBeforeRestore : wasUnseen { found.append((number, write.entry)) }
            }
        }
        return found
    }

    /// The deletion that stands, if the entity is deleted.
    var standingDeletion: Int? {
        guard let last = writes[.deletion]?.last, last.value != nil else { return nil }
        return last.entry
    }

    func conflicts() -> [Conflict] {
        let name = Auditor.name(of: self)
        var found: [Conflict] = []
        for (path, writes) in writes where path != .deletion {
            for (loser, winner) in supersededUnseen(at: path) {
                let (mine, other) = (entries[loser.entry], entries[winner])
                let won = writes.last { $0.entry == winner }
                found.append(
                    Conflict(
                        id: Conflict.ID(mine.commit.position, mine.index, path), subject: .field(path), entity: entity,
                        name: name,
                        superseded: Conflict.Side(commit: mine.commit, value: rendering(path, loser.value)),
                        winner: Conflict.Side(commit: other.commit, value: rendering(path, won?.value)),
                        isOpen: writes.last?.entry == winner))
            }
        }
        for (edit, deletion) in deletedUnseen {
            let (mine, other) = (entries[edit], entries[deletion])
            guard let change = mine.event.changes.first else { continue }
            let fields = mine.event.changes.map { rendering($0.path, $0.value) }
            found.append(
                Conflict(
                    id: Conflict.ID(mine.commit.position, mine.index, .deletion), subject: .deletion, entity: entity,
                    name: name,
                    superseded: Conflict.Side(
                        commit: mine.commit,
                        value: FieldRendering(
                            name: fields.map(\.name).joined(separator: ", "),
                            text: fields.map(\.text).joined(separator: ", "),
                            value: rendering(change.path, change.value).value)),
                    winner: Conflict.Side(commit: other.commit, value: .deleted),
                    isOpen: standingDeletion == deletion))
        }
        return found
    }

    /// Items that were put into the trip by somebody who did not know that it was deleted.
    func conflicts(with item: EntityTimeline) -> [Conflict] {
        guard let trip = Trip.ID(entity) else { return [] }
        let path = Path(field: ItemField.trip.rawValue)
        var found: [Conflict] = []
        for (place, write) in (writes[.deletion] ?? []).enumerated() where write.value != nil {
            let deletion = entries[write.entry]
            let restored = writes[.deletion]?[(place + 1)...].first { $0.value == nil }.map { entries[$0.entry].stamp }
            for filing in item.writes[path] ?? [] where filing.value == trip.uuid.bytes {
                let entry = item.entries[filing.entry]
                guard entry.stamp > deletion.stamp, restored.map({ entry.stamp < $0 }) ?? true else { continue }
                let isThere = item.writes[path]?.last?.value == filing.value && item.standingDeletion == nil
                found.append(
                    Conflict(
                        id: Conflict.ID(entry.commit.position, entry.index, path), subject: .tripDeletion(trip),
                        entity: item.entity, name: Auditor.name(of: item),
                        superseded: Conflict.Side(commit: entry.commit, value: item.rendering(path, filing.value)),
                        winner: Conflict.Side(commit: deletion.commit, value: .deleted),
                        isOpen: isThere && standingDeletion == write.entry))
            }
        }
        return found
    }

    private func rendering(_ path: Path, _ value: [UInt8]?) -> FieldRendering {
        FieldRendering(kind: entity.kind, field: path.field, value: value)
    }
}

extension FieldRendering {
    /// What stands for a deletion among values.
    fileprivate static let deleted = FieldRendering(name: "deleted", text: "deleted", value: .bool(true))
}
