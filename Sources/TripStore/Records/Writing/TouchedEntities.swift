import EventLog
import Events

/// The entities that a commit touches, in the order of its events, and their versions before: for its receipt.
struct TouchedEntities: Sendable {
    private(set) var entities: [EntityReference] = []
    /// The versions before the commit, in the same order.
    private var versions: [EntityVersion] = []
    /// The index among them of the entity of each event.
    private var indices: [Int] = []
    /// The same by the numbers that a planner gave them.
    private var indicesByNumber: [Int: Int] = [:]

    /// The entities of edits that would have changed nothing, in the order of the events, and their versions.
    private(set) var unchanged: [EntityReference] = []
    private(set) var unchangedVersions: [EntityReference: EntityVersion] = [:]

    var eventCount: Int { indices.count }

    /// Records an edit that would have changed nothing of an entity; the version of the first event counts.
    mutating func noteUnchanged(_ entity: EntityReference, foundIn version: EntityVersion) {
        guard unchangedVersions[entity] == nil else { return }
        unchanged.append(entity)
        unchangedVersions[entity] = version
    }

    /// Records an event of an entity that has a number; the version of the first event counts.
    mutating func note(_ entity: EntityReference, _ number: Int, foundIn version: EntityVersion) {
        if let index = indicesByNumber[number] { return indices.append(index) }
        indicesByNumber[number] = entities.count
        indices.append(entities.count)
        entities.append(entity)
        versions.append(version)
    }

    /// The versions after the commit.
    func versions(after appended: Appended) -> [EntityReference: EntityVersion] {
        var after = versions
        for (number, index) in indices.enumerated() {
            after[index] = after[index].adding(appended.stamp, index: number)
        }
        return Dictionary(uniqueKeysWithValues: zip(entities, after))
    }
}
