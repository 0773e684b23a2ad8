import Events
import Trips

/// Conflicts that one write resolves: edits of one field that one edit superseded, or of one deleted entity.
///
/// A resolution is written in view of the winner, and so resolves all of them. So a handler is called for each, and each time but the first
/// with what it made of those before it in the winner's place.
struct ConflictGroup {
    private struct Key: Hashable {
        let entity: EntityReference
        let subject: Conflict.Subject
        let winner: Digest
        let event: Int
    }

    /// The oldest superseded edit first.
    let conflicts: [Conflict]

    /// Groups conflicts, in the order of the first of each.
    static func groups(of conflicts: [Conflict]) -> [ConflictGroup] {
        var places: [Key: Int] = [:]
        var groups: [[Conflict]] = []
        for conflict in conflicts {
            // A parent's deletion is resolved for all children at once.
            let entity = if case .parentDeletion(let parent) = conflict.subject { parent } else { conflict.entity }
            let key = Key(
                entity: entity, subject: conflict.subject, winner: conflict.winner.commit.hash,
                event: conflict.winner.event)
            if let place = places[key] {
                groups[place].append(conflict)
            } else {
                places[key] = groups.count
                groups.append([conflict])
            }
        }
        return groups.map { conflicts in
            ConflictGroup(
                conflicts: conflicts.sorted { a, b in
                    let (first, second) = (a.superseded.commit.timestamp, b.superseded.commit.timestamp)
                    return first != second ? first < second : "\(a.id)" < "\(b.id)"
                })
        }
    }

    /// What a handler makes of all of them; nil if it leaves one open, which any write would resolve.
    func resolution(
        isolation actor: isolated (any Actor)? = #isolation, in known: KnownSchema?,
        by handler: (Conflict) async throws -> ConflictResolution
    ) async throws -> ConflictResolution? {
        var result: ConflictResolution?
        var shown = conflicts.first?.winner
        for conflict in conflicts {
            guard let winner = shown else { break }
            let current = conflict.replacing(winner: winner)
            let resolution = try await handler(current)
            if resolution == .leaving { return nil }
            guard case .field(let path) = conflict.subject else {
                // To restore for one edit is to restore for all.
                if result != .taking(.superseded) { result = resolution }
                continue
            }
            let bytes: [UInt8]? =
                switch resolution {
                case .bytes(let bytes): bytes
                case .taking(.superseded): conflict.superseded.bytes
                case .taking(.winner), .leaving: winner.bytes
                }
            result = conflicts.count == 1 ? resolution : .bytes(bytes)
            shown = Conflict.Side(
                commit: winner.commit, event: winner.event,
                value: FieldRendering(of: conflict.entity, path, value: bytes, in: known), bytes: bytes)
        }
        return result
    }
}

extension Conflict {
    fileprivate func replacing(winner: Side) -> Conflict {
        Conflict(
            id: id, subject: subject, entity: entity, name: name, superseded: superseded, winner: winner, isOpen: isOpen
        )
    }
}
