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
    /// The entities that it may be, if it is deleted or others wrote to it.
    package let forms: EntityForms?
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

    /// Whether imports wrote to a path, or what stands there is a value.
    package func holds(_ value: [UInt8]?, at path: FieldPath) throws -> Bool {
        let record = try others?.record ?? bytes.withUnsafeBytes { try EntityRecord($0) }
        return record.register(at: path)?.value == value || (others?.base ?? record).register(at: path) != nil
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
        if !entity.kind.mayNest, isDeleted || others != nil {
            forms = try found.bytes.withUnsafeBytes { EntityForms(of: entity, try EntityRecord($0)) }
        } else {
            forms = nil
        }
    }
}

extension ImportedRecord.Others {
    fileprivate init(
        _ entity: EntityReference, _ bytes: [UInt8], _ history: ImportHistory, _ views: borrowing ViewSnapshot,
        _ log: borrowing LogSnapshot, _ commits: inout CommitInfoCache
    ) throws {
        let record = try bytes.withUnsafeBytes { try EntityRecord($0) }
        self.record = record
        var timelines: [EntityTimeline] = []
        for form in EntityForms(of: entity, record)?.all ?? [entity] {
            let journal = try log.journal()
            timelines.append(try EntityTimeline(form, views: views, log: log, journal: journal, &commits, in: nil))
        }
        var base: [FieldPath: EntityRecord.Register] = [:]
        var presence: (stamp: Stamp, isThere: Bool)?
        for timeline in timelines {
            let stands = try timeline.entries.map { try history.stands($0.stamp.hash, timeline.entity, log) }
            for (path, writes) in timeline.writes {
                guard let write = writes.last(where: { stands[$0.entry] }) else { continue }
                let stamp = timeline.entries[write.entry].stamp
                let value = EntityForms.value(write.value, of: path.field, from: timeline.entity.kind, to: entity.kind)
                guard base[path].map({ $0.stamp < stamp }) ?? true else { continue }
                base[path] = EntityRecord.Register(path: path, stamp: stamp, value: value)
            }
            let last = timeline.entries.indices.last { stands[$0] && timeline.entries[$0].event.verb != .edited }
            if let entry = last.map({ timeline.entries[$0] }), presence.map({ $0.stamp < entry.stamp }) ?? true {
                presence = (entry.stamp, entry.event.verb != .deleted)
            }
        }
        self.base = EntityRecord(
            version: record.version, creation: record.creation, registers: base.values.sorted { $0.path < $1.path })
        isInBase = presence?.isThere
        undoneFields = try Set(
            record.registers.filter { register in
                try history.contains(register.stamp.hash) && !history.stands(register.stamp.hash, entity, log)
            }.map(\.path.field))
        let deletion = timelines.first { $0.entity == entity }.flatMap { own in
            own.writes[.deletion]?.last.map { own.entries[$0.entry].commit.causation }
        }
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
