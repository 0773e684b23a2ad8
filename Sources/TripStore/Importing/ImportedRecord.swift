import EventLog
package import Events
import ProjectionEngine
package import Trips

/// What a store holds of an entity, and what it would hold of it if imports alone had written to it.
package struct ImportedRecord: Sendable {
    /// What others than imports did to an entity.
    package struct Others: Sendable {
        package let record: EntityRecord
        /// The newest that imports wrote, field by field and by the order of the merge, without what is undone.
        package let base: EntityRecord
        /// What imports say of whether the entity is there; nil if they say nothing of it.
        let isInBase: Bool?
        /// The fields whose current value an import wrote that is undone: the file's value replaces it.
        package let undoneFields: Set<UInt64>
        /// Whether neither an import nor an undoing wrote its deletion.
        let isDeletedByPerson: Bool
    }

    package let version: EntityVersion
    package let isCreated: Bool
    package let isDeleted: Bool
    /// The parent, of a kind whose parents are of one kind.
    package let parent: EntityReference?
    /// Nil if everything that stands there is an import's.
    package let others: Others?
    /// The record as views keep it. Entities are read from it without a copy of each field: of a later file nearly all are.
    private let bytes: [UInt8]

    /// What imports say of whether the entity is there; nil if they say nothing of it.
    package var isInBase: Bool? { if let others { others.isInBase } else { !isDeleted } }

    /// Whether it is deleted, and neither by a person nor in place of what the newest import says: a file that holds it brings it
    /// back.
    package var isRestorable: Bool { isDeleted && others?.isDeletedByPerson != true && isInBase != true }

    /// The entity as imports alone wrote it: what a later file says is new where it differs from this.
    package func base<Entity: TripEntity>(_ id: Identifier<Entity>) throws(WireError) -> Entity {
        if let others { return Entity(id: id, record: others.base) }
        return try bytes.withUnsafeBytes { bytes in
            Result { () throws(WireError) in try Entity(id: id, record: try RecordView(bytes)) }
        }.get()
    }

    /// Reads an entity; nil if nothing is held of it. `commits` keeps what was read of the log from one entity to the next.
    init?(
        _ entity: EntityReference, _ history: ImportHistory, _ views: borrowing ViewSnapshot,
        _ log: borrowing LogSnapshot, _ commits: inout CommitInfoCache
    ) throws {
        let found = try views.withRecord(of: entity) { record in
            (
                bytes: [UInt8](record.bytes), version: record.version, isCreated: record.isCreated,
                isDeleted: try record.isDeleted(),
                parent: entity.kind.mayNest ? nil : try record.parent(of: entity.kind),
                isAsImported: try history.wroteAll(of: record, entity, log)
            )
        }
        guard let found else { return nil }
        (bytes, version, isCreated, isDeleted, parent) =
            (found.bytes, found.version, found.isCreated, found.isDeleted, found.parent)
        others = found.isAsImported ? nil : try Others(entity, found.bytes, history, views, log, &commits)
    }
}

extension ImportedRecord.Others {
    fileprivate init(
        _ entity: EntityReference, _ bytes: [UInt8], _ history: ImportHistory, _ views: borrowing ViewSnapshot,
        _ log: borrowing LogSnapshot, _ commits: inout CommitInfoCache
    ) throws {
        let record = try bytes.withUnsafeBytes { try EntityRecord($0) }
        self.record = record
        let timeline = try EntityTimeline(entity, views: views, log: log, journal: try log.journal(), &commits, in: nil)
        let stands = try timeline.entries.map { try history.stands($0.stamp.hash, entity, log) }
        let registers = timeline.writes.keys.sorted().compactMap { path -> EntityRecord.Register? in
            guard let write = timeline.writes[path]?.last(where: { stands[$0.entry] }) else { return nil }
            return EntityRecord.Register(path: path, stamp: timeline.entries[write.entry].stamp, value: write.value)
        }
        base = EntityRecord(version: record.version, creation: record.creation, registers: registers)
        isInBase = timeline.entries.indices.last { stands[$0] && timeline.entries[$0].event.verb != .edited }
            .map { timeline.entries[$0].event.verb != .deleted }
        undoneFields = try Set(
            record.registers.filter { register in
                try history.contains(register.stamp.hash) && !history.stands(register.stamp.hash, entity, log)
            }.map(\.path.field))
        let deletion = timeline.writes[.deletion]?.last.map { timeline.entries[$0.entry].commit.causation }
        isDeletedByPerson = deletion.map { ImportMark($0) == nil && UndoMark($0) == nil } ?? false
    }
}

extension ImportHistory {
    /// Whether every write that counts in a record is an import's that stands.
    fileprivate func wroteAll(
        of record: borrowing RecordView, _ entity: EntityReference, _ log: borrowing LogSnapshot
    ) throws -> Bool {
        guard record.isCreated else { return false }
        for index in 0..<record.stampCount {
            guard try stands(try record.stamp(index).hash, entity, log) else { return false }
        }
        return true
    }
}
