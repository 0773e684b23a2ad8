import EventLog
import Events
import Trips

/// The events of a log after a position, entity by entity.
struct LogTail: Sendable {
    struct Entry: Sendable {
        let position: Position
        let index: Int
        let stamp: Stamp
        /// The range of the event's message.
        let message: Range<Int>
    }

    private var entries: [EntityReference: [Entry]] = [:]
    private var bytes = WireWriter()
    /// The position after which it begins.
    let start: Position
    private var end: Position

    init(after position: Position) { (start, end) = (position, position) }

    /// Reads up to the log's end.
    mutating func extend(_ log: borrowing LogSnapshot) throws {
        guard try log.lastPosition() > end else { return }
        try log.forEachCommit(after: end) { commit in
            if let payload = commit.countingPayload {
                commit.forEachEvent { event, index in
                    let start = bytes.count
                    bytes.raw(payload.part(event.range(in: payload)))
                    entries[event.entity, default: []].append(
                        Entry(
                            position: commit.position, index: index, stamp: commit.stamp, message: start..<bytes.count))
                }
            }
            end = commit.position
            return true
        }
    }

    /// The events of an entity after a position, in log order.
    func events(of entity: EntityReference, after position: Position) -> [Entry] {
        entries[entity]?.filter { $0.position > position } ?? []
    }

    /// Runs `body` on the bytes of the messages.
    func withBytes<T>(_ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T { try bytes.withBytes(body) }

    /// The entities that events assigned to a parent.
    func children(everOf parent: EntityReference) throws -> [EntityReference] {
        let value = parent.fieldValue
        return try bytes.withBytes { bytes in
            try entries.filter { entity, entries in
                guard entity.kind.parents.include(parent.kind) else { return false }
                return try entries.contains { entry in
                    var isFiled = false
                    try EventView(bytes.part(entry.message)).forEachChange { change in
                        guard change.field == FieldPath.parent.field, change.key.isEmpty, let new = change.value else {
                            return
                        }
                        if value.withUnsafeBytes({ $0.equals(new) }) { isFiled = true }
                    }
                    return isFiled
                }
            }.map(\.key)
        }
    }
}
