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

    static func stamp(_ milliseconds: UInt64, replica: UInt8 = 1, hash: UInt64? = nil) -> Stamp {
        // 16 bytes always make a replica's id.
        let replicaID = ReplicaID([UInt8](repeating: replica, count: 16)).unsafelyUnwrapped
        return Stamp(
            timestamp: Timestamp(milliseconds: milliseconds), replica: replicaID,
            hashPrefix: hash ?? milliseconds << 8 | UInt64(replica))
    }

    static func event(_ verb: Verb, _ changes: [UInt32: [UInt8]?] = [:]) -> Event {
        Event(
            verb: verb, entity: entity,
            changes: changes.sorted { $0.key < $1.key }.map { Change(path: Path(field: $0.key), value: $0.value) })
    }

    /// Commits of several replicas over few fields and few milliseconds, so that ties and overwrites are common; verbs,
    /// fields and keys that nobody knows among them.
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
                        path: Path(
                            field: .random(in: 1...4, using: &generator),
                            key: Bool.random(using: &generator) ? [] : [UInt8.random(in: 0...1, using: &generator)]),
                        value: Bool.random(using: &generator) ? nil : generator.bytes(upTo: 3))
                }
                return Event(
                    verb: Verb(rawValue: verbs.randomElement(using: &generator) ?? 2), entity: entity, changes: changes)
            }
            return Commit(stamp: stamp, events: events)
        }
    }

    static func record(_ commits: some Sequence<Commit>) -> EntityRecord {
        var record = EntityRecord()
        for commit in commits { commit.apply(to: &record) }
        return record
    }

    /// What the merge must come to, said in another way: sort every write and let the last one of each path stand.
    static func expected(_ commits: [Commit]) -> [Path: (Stamp, [UInt8]?)] {
        var state: [Path: (Stamp, [UInt8]?)] = [:]
        for commit in commits.sorted(by: { $0.stamp < $1.stamp }) {
            for event in commit.events {
                if event.verb == .deleted { state[.deletion] = (commit.stamp, [1]) }
                if event.verb == .restored { state[.deletion] = (commit.stamp, nil) }
                for change in event.changes { state[change.path] = (commit.stamp, change.value) }
            }
        }
        return state
    }
}

private let nilUUID: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
