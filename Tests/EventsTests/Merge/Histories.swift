import Events
import Foundation
import TestSupport

/// A commit of one entity's events, as the merge meets it.
struct Commit {
    let stamp: Stamp
    let events: [Event]

    func apply(to record: inout EntityRecord) {
        for (index, event) in events.enumerated() { record.apply(event, index: index, stamp: stamp) }
    }

    /// The same by way of the bytes.
    func applyEncoded(to record: inout EntityRecord) throws {
        try Payload(events: events).encoded().withUnsafeBytes { bytes in
            try PayloadView(bytes).forEachEvent { event, index throws(WireError) in
                try record.apply(event, index: index, stamp: stamp)
            }
        }
    }
}

enum Histories {
    static let entity = EntityReference(kind: EntityKind(rawValue: 1), id: UUID(uuid: nilUUID))

    /// The hash has the number at its end: all begin alike.
    static func stamp(_ milliseconds: UInt64, replica: UInt8 = 1, hash: UInt64? = nil) -> Stamp {
        // 16 bytes always make a replica's id.
        let replicaID = ReplicaID([UInt8](repeating: replica, count: 16)).unsafelyUnwrapped
        return Stamp(
            timestamp: Timestamp(milliseconds: milliseconds), replica: replicaID,
            hash: Digest(words: (7, 7, 7, hash ?? milliseconds << 8 | UInt64(replica))))
    }

    static func event(_ verb: Verb, _ changes: [UInt64: [UInt8]?] = [:]) -> Event {
        Event(
            verb: verb, entity: entity,
            changes: changes.sorted { $0.key < $1.key }.map { Change(path: FieldPath(field: $0.key), value: $0.value) })
    }

    /// Commits of several replicas over few fields and few milliseconds, so that ties and overwrites are common; with
    /// unknown verbs, fields and keys among them.
    static func random(_ count: Int, using generator: inout SeededGenerator) -> [Commit] {
        (0..<count).map { number in
            let stamp = stamp(
                .random(in: 1...6, using: &generator), replica: .random(in: 1...3, using: &generator),
                // Forks: one replica and timestamp, two commits.
                hash: UInt64(number) &* 0x9E37_79B9_7F4A_7C15 ^ generator.next() >> 1)
            let events = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                let verbs: [UInt32] = [1, 2, 2, 2, 3, 4, 9]
                let changes = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                    Change(
                        path: FieldPath(
                            field: .random(in: 1...4, using: &generator),
                            key: Bool.random(using: &generator) ? [] : [UInt8.random(in: 0...1, using: &generator)]),
                        value: Bool.random(using: &generator) ? nil : generator.bytes(upTo: 3))
                }
                return Event(
                    verb: Verb(rawValue: verbs.randomElement(using: &generator) ?? 2), entity: entity, changes: changes,
                    original: Int.random(in: 0..<4, using: &generator) == 0
                        ? Timestamp(milliseconds: .random(in: 0...7, using: &generator)) : nil)
            }
            return Commit(stamp: stamp, events: events)
        }
    }

    static func record(_ commits: some Sequence<Commit>) -> EntityRecord {
        var record = EntityRecord()
        for commit in commits { commit.apply(to: &record) }
        return record
    }

    /// Every event with its position in the merge order: one that was brought over has its original time, unless that
    /// is later than its commit.
    static func stampedEvents(_ commits: [Commit]) -> [(stamp: Stamp, index: Int, event: Event)] {
        commits.flatMap { commit in
            commit.events.enumerated().map { index, event in
                var time = commit.stamp.timestamp
                if let original = event.original, original.rawValue > 0 { time = min(time, original) }
                return (Stamp(timestamp: time, replica: commit.stamp.replica, hash: commit.stamp.hash), index, event)
            }
        }
    }

    /// The result of the merge, computed differently: sort every write and keep the last one of each path.
    static func expected(_ commits: [Commit]) -> [FieldPath: (Stamp, [UInt8]?)] {
        var state: [FieldPath: (Stamp, [UInt8]?)] = [:]
        for (stamp, _, event) in stampedEvents(commits).sorted(by: {
            $0.stamp == $1.stamp ? $0.index < $1.index : $0.stamp < $1.stamp
        }) {
            if event.verb == .deleted { state[.deletion] = (stamp, [1]) }
            if event.verb == .restored { state[.deletion] = (stamp, nil) }
            for change in event.changes { state[change.path] = (stamp, change.value) }
        }
        return state
    }
}

private let nilUUID: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
