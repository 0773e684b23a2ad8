package import Events

extension LogSnapshot {
    /// The entities that were deleted or restored, and those in which a write follows another that its author had not seen: no other entity
    /// has writes that superseded each other unseen. O(events), and memory for the places that the events of these entities write to.
    package func contested(among edited: Set<EntityReference>) throws -> Set<EntityReference> {
        struct Register: Hashable {
            let entity: EntityReference
            let path: FieldPath
        }
        var newest: [Register: Stamp] = [:]
        var found: Set<EntityReference> = []
        try forEachCommit(after: .start) { commit in
            let replicas = commit.seenReplicas
            try commit.forEachEvent { event, _ in
                let (entity, stamp) = (event.entity, commit.stamp.moved(to: event.original))
                guard edited.contains(entity), !found.contains(entity) else { return }
                if event.verb == .deleted || event.verb == .restored { found.insert(entity) }
                try event.forEachChange { change throws(WireError) in
                    let register = Register(
                        entity: entity, path: FieldPath(field: change.field, key: [UInt8](change.key)))
                    guard let last = newest.updateValue(stamp, forKey: register) else { return }
                    // Two branches of a forked line may write at one time: then a reference to it names neither.
                    let saw = Seen(last) != Seen(stamp) && replicas.resolve(change.seen)?.names(last) == true
                    if stamp < last || stamp.hash != last.hash && !saw { found.insert(entity) }
                }
            }
            return true
        }
        return found
    }
}
