package import EventLog
package import Events
package import Foundation
import Trips

extension TripStore {
    /// What is held of entities, and of their parents where these are of one kind, and what imports have written of them, as one
    /// snapshot shows it; and up to which position that holds. The history of an entity is read where others wrote to it as well.
    package func imported(
        _ entities: [EntityReference], _ history: ImportHistory
    ) throws -> (records: [EntityReference: ImportedRecord], position: Position) {
        while true { if let found = try importedOnce(entities, history) { return found } }
    }

    /// Nil if the views were further than the log as it was read, for a commit came in between.
    private func importedOnce(
        _ entities: [EntityReference], _ history: ImportHistory
    ) throws -> (records: [EntityReference: ImportedRecord], position: Position)? {
        try readViewsAndLog { views, log in
            guard try views.position <= log.lastPosition() else { return nil }
            try history.extend(log)
            var commits = CommitInfoCache()
            var records: [EntityReference: ImportedRecord] = Dictionary(minimumCapacity: entities.count)
            var parents: Set<EntityReference> = []
            for entity in entities where records[entity] == nil {
                guard let found = try ImportedRecord(entity, history, views, log, &commits) else {
                    continue
                }
                records[entity] = found
                if let parent = found.parent { parents.insert(parent) }
                guard found.isDeleted, let forms = found.forms else { continue }
                for form in forms.all where records[form] == nil {
                    guard let found = try ImportedRecord(form, history, views, log, &commits) else { continue }
                    records[form] = found
                    if let parent = found.parent { parents.insert(parent) }
                }
            }
            for parent in parents where records[parent] == nil {
                records[parent] = try ImportedRecord(parent, history, views, log, &commits)
            }
            return (records, views.position)
        }
    }

    /// The names of erasures that stand.
    package func erasedNames() throws -> Set<ErasedName> { try readLog { try $0.erasedNames() } }

    /// Removes the bytes of attachments that only erased events name.
    package func removeErased(_ contents: [ContentID]) async throws {
        if !contents.isEmpty { try await TripStoreError.wrapAsync { try await finishErasures(of: contents) } }
    }

    /// What imports had written of entities after each of their commits that is not undone, by the order of the merge: at most the newest 50.
    package func importedVersions(
        of entities: [EntityReference], _ history: ImportHistory
    ) throws -> [EntityReference: [EntityRecord]] {
        try readViewsAndLog { views, log in
            try history.extend(log)
            var commits = CommitInfoCache()
            var versions: [EntityReference: [EntityRecord]] = [:]
            for entity in entities {
                let timeline = try EntityTimeline(
                    entity, views: views, log: log, journal: try log.journal(), &commits, in: nil)
                versions[entity] = try Self.versions(timeline, history, log)
            }
            return versions
        }
    }

    private static func versions(
        _ timeline: EntityTimeline, _ history: ImportHistory, _ log: borrowing LogSnapshot
    ) throws -> [EntityRecord] {
        var registers: [FieldPath: EntityRecord.Register] = [:]
        var versions: [EntityRecord] = []
        for entry in timeline.entries {
            guard try history.stands(entry.stamp.hash, timeline.entity, log) else { continue }
            for change in entry.event.changes {
                registers[change.path] = EntityRecord.Register(
                    path: change.path, stamp: entry.stamp, value: change.value)
            }
            let sorted = registers.values.sorted { $0.path < $1.path }
            versions.append(EntityRecord(version: .none, creation: nil, registers: sorted))
            if versions.count > mostImportedVersions { versions.removeFirst() }
        }
        return versions
    }

    private static let mostImportedVersions = 50

    /// When the file of the last import was exported, by the order of the merge; nil if there was none, or it does not say.
    package func lastExportDate(_ history: ImportHistory) throws -> Date? {
        try readLog { log in
            try history.extend(log)
            return try history.newestExportDate(log)
        }
    }
}
