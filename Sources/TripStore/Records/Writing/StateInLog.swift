import EventLog
import Events
import ProjectionEngine
import TripProjections
import Trips

/// The state of every entity for a write: that of the views, and on top of it the commits that they lack.
struct StateInLog: ~Copyable, RecordSource {
    private let views: ViewSnapshot
    private let tail: LogTail

    init(_ views: consuming ViewSnapshot, _ tail: LogTail) {
        self.views = views
        self.tail = tail
    }

    func withRecord<T>(of entity: EntityReference, _ body: (borrowing RecordView) throws -> T) throws -> T? {
        let events = tail.events(of: entity, after: views.position)
        guard !events.isEmpty else { return try views.withRecord(of: entity, body) }
        var record: [UInt8] = []
        try tail.withBytes { bytes in
            // The merger points into these bytes and into the views only within this function.
            var merger = RecordMerger()
            if let found = try views.record(of: entity) { try merger.reset(to: found) }
            for event in events {
                try merger.apply(try EventView(bytes.part(event.message)), index: event.index, stamp: event.stamp)
            }
            merger.encode(into: &record)
        }
        return try record.withUnsafeBytes { try body(RecordView($0)) }
    }

    func children(of parent: EntityReference) throws -> [EntityReference] {
        try views.children(of: parent) + tail.children(everOf: parent)
    }

    /// Checks that an entity has no children except the given ones. Those that were moved out a moment ago may count as well.
    ///
    /// Throws `TripStoreError.Code.versionConflict`.
    func checkChildren(
        of parent: EntityReference, _ expected: Set<EntityReference>, in known: KnownSchema?
    ) throws {
        guard let child = try children(of: parent).first(where: { !expected.contains($0) }) else { return }
        throw TripStoreError(
            .versionConflict,
            "The \(child.words(in: known)) was put into the \(parent.words(in: known)) meanwhile. Look at it again and repeat the change.",
            entity: parent)
    }
}

/// The source of a planner for entities to which its commit has not written yet: only the views, or the views and the
/// commits that they lack.
protocol RecordSource: ~Copyable {
    /// Calls `body` with the record of an entity, and returns its result; nil if nothing is held of the entity.
    func withRecord<T>(of entity: EntityReference, _ body: (borrowing RecordView) throws -> T) throws -> T?

    /// The entities that are, or a moment ago were, under a parent.
    func children(of parent: EntityReference) throws -> [EntityReference]
}

extension ViewSnapshot: RecordSource {
    func children(of parent: EntityReference) throws -> [EntityReference] {
        try ChildrenByParent.children(of: parent, in: self)
    }
}
