import EventLog
import Events

/// The entities that a commit touches, in the order of its events, and the versions that it finds them in: for its receipt.
struct TouchedEntities: Sendable {
    private(set) var entities: [EntityReference] = []
    /// The versions before the commit, in the same order.
    private var versions: [EntityVersion] = []
    /// Where the entity of each event is among them.
    private var places: [Int] = []
    /// The same by the numbers that a planner gave them.
    private var placesOfNumbers: [Int: Int] = [:]

    /// The entities of edits that would have changed nothing of them, in the order of the events, and their versions.
    private(set) var unchanged: [EntityReference] = []
    private(set) var unchangedVersions: [EntityReference: EntityVersion] = [:]

    var eventCount: Int { places.count }

    /// Notes an edit that would have changed nothing of an entity; of the versions, that which comes with the first counts.
    mutating func noteUnchanged(_ entity: EntityReference, foundIn version: EntityVersion) {
        guard unchangedVersions[entity] == nil else { return }
        unchanged.append(entity)
        unchangedVersions[entity] = version
    }

    /// Notes an event of an entity that has a number; of the versions, that which comes with the first counts.
    mutating func note(_ entity: EntityReference, _ number: Int, foundIn version: EntityVersion) {
        if let place = placesOfNumbers[number] { return places.append(place) }
        placesOfNumbers[number] = entities.count
        places.append(entities.count)
        entities.append(entity)
        versions.append(version)
    }

    /// The versions that the commit left behind.
    func versions(after appended: Appended) -> [EntityReference: EntityVersion] {
        var after = versions
        for (index, place) in places.enumerated() {
            after[place] = after[place].adding(appended.stamp, index: index)
        }
        return Dictionary(uniqueKeysWithValues: zip(entities, after))
    }
}
