import EventLog
package import Events
import ProjectionEngine

/// What a store holds of an entity, and what it would hold of it if imports alone had written to it.
package struct ImportedRecord: Sendable {
    package let record: EntityRecord
    /// The newest that imports wrote, field by field and by the order of the merge, without what is undone. What a later file
    /// says is new where it differs from this.
    package let base: EntityRecord
    /// Whether everything that stands there is an import's.
    package let isAsImported: Bool
    /// What imports say of whether the entity is there; nil if they say nothing of it.
    package let isInBase: Bool?
    /// The fields of which an import that is undone wrote what stands there: nobody wants that.
    package let undoneFields: Set<UInt32>
    /// Whether neither an import nor an undoing wrote its deletion.
    private let isDeletedByPerson: Bool

    /// Whether it is deleted, and neither by a person nor in place of what the newest import says: a file that holds it brings it
    /// back.
    package var isRestorable: Bool { record.isDeleted && !isDeletedByPerson && isInBase != true }

    /// Reads an entity; nil if nothing is held of it. `commits` keeps what was read of the log from one entity to the next.
    init?(
        _ entity: EntityReference, _ history: ImportHistory, _ views: borrowing ViewSnapshot,
        _ log: borrowing LogSnapshot, _ commits: inout CommitInfoCache
    ) throws {
        guard let record = try views.withRecord(of: entity, { try EntityRecord($0) }) else { return nil }
        self.record = record
        if try history.wroteAll(of: record, entity, log) {
            base = record
            isAsImported = true
            isInBase = !record.isDeleted
            undoneFields = []
            isDeletedByPerson = false
            return
        }
        isAsImported = false
        let timeline = try EntityTimeline(entity, views: views, log: log, journal: try log.journal(), &commits)
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
        of record: EntityRecord, _ entity: EntityReference, _ log: borrowing LogSnapshot
    ) throws -> Bool {
        guard var last = record.creation?.hash, try stands(last, entity, log) else { return false }
        for register in record.registers where register.stamp.hash != last {
            guard try stands(register.stamp.hash, entity, log) else { return false }
            last = register.stamp.hash
        }
        return true
    }
}
