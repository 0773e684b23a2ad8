import Events
import Trips

/// What is above an entity: its parent, the parent of that, and so on.
///
/// No more than `EventRules.mostAncestors` are looked at. Entities that are above each other in a ring, which concurrent moves make, are cut at
/// the one whose parent was written last, so that every replica cuts the ring at the same.
struct Ancestry {
    /// A parent, and the stamp with which it was written.
    typealias Parent = (entity: EntityReference, stamp: Stamp)

    /// The ancestors, the parent first, up to a cut.
    let ancestors: ArraySlice<EntityReference>
    /// Whether the entity itself has no parent because a ring is cut there.
    let isCut: Bool

    /// Throws what reading a parent does.
    init(of entity: EntityReference, parent: (EntityReference) throws -> Parent?) rethrows {
        var chain = [entity]
        var stamps: [Stamp] = []
        while chain.count <= EventRules.mostAncestors, let last = chain.last, last.kind.mayHaveParent,
            let found = try parent(last)
        {
            stamps.append(found.stamp)
            guard let ring = chain.firstIndex(of: found.entity) else {
                chain.append(found.entity)
                continue
            }
            let cut = (ring..<chain.count).max { stamps[$0] < stamps[$1] } ?? ring
            ancestors = chain[1...].prefix(cut)
            isCut = cut == 0
            return
        }
        ancestors = chain[1...]
        isCut = false
    }

    /// Whether one of the ancestors, which `isDeleted` tells, hides the entity by the rules of those below it.
    func hides(
        _ entity: EntityReference, in known: KnownSchema?, isDeleted: (EntityReference) throws -> Bool
    ) rethrows -> Bool {
        var child = entity
        for ancestor in ancestors {
            guard child.parentRule(in: known) == .cascade else { return false }
            if try isDeleted(ancestor) { return true }
            child = ancestor
        }
        return false
    }
}
