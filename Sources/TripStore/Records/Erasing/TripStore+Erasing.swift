package import EventLog
public import Events
import Foundation
public import Trips

extension TripStore {
    /// Plans to erase an entity, with everything that was ever under it and goes with its parent: every event of
    /// theirs, of all authors, also of what was deleted. Nothing is written.
    /// ```swift
    /// let preview = try await store.previewErasing(note, fields: ["text"], history: true)
    /// try await store.erase(preview)
    /// ```
    ///
    /// - Parameters:
    ///   - entity: what is erased, with what is under it.
    ///   - fields: the names of the only fields to erase, of the entity alone. What the same events say of other fields is written anew.
    ///   - history: whether present values stay, and only what was there before is erased.
    ///   - author: the only author whose events are erased.
    ///
    /// Throws `TripStoreError`: `.unknownEntity` if the log has no event of the entity, as after it was erased;
    /// `.unusableOption` for a field that there is not, or that the entity cannot be without. O(log).
    public func previewErasing(
        _ entity: EntityReference, fields: [String] = [], history: Bool = false, author: String? = nil
    ) async throws -> ErasurePreview {
        guard entity.kind != .schema else {
            throw TripStoreError(
                .notErasable, "The log's descriptions of fields and kinds hold no values, and are not erased.",
                entity: entity)
        }
        let scope = ErasureScope(
            entity: entity, fields: fields.isEmpty ? nil : try numbers(of: fields, entity, isRest: history),
            keepsPresent: history, author: author)
        if !isReadOnly { try await catchUp() }
        return try readViewsAndLog { views, log in
            var planner = ErasurePlanner(
                try Auditor(views.alias(), log.alias(), in: knownSchema), scope, try log.journal(), try log.replica())
            return try planner.plan()
        }
    }

    /// Plans to erase an entity. See the other.
    public func previewErasing<Entity: TripEntity>(
        _ id: Identifier<Entity>, fields: [String] = [], history: Bool = false, author: String? = nil
    ) async throws -> ErasurePreview {
        try await previewErasing(id.reference, fields: fields, history: history, author: author)
    }

    /// Erases what a plan names: queries, history and audits are without it at once, here and on every replica that
    /// gets the statement.
    ///
    /// The bytes of this replica's own events are removed now. Those of others are removed after a period in which
    /// `takeBack` brings them back: by the next opening, exchange, write or `catchUp()`. Backups, bundles and copies that no longer exchange keep everything.
    ///
    /// After a crash, plan and erase once more: that does the rest. What is written anew is in its author's name, and
    /// has the correlation that it had.
    ///
    /// Throws `TripStoreError`: `.readOnly`; `.notErasable` for a plan with refused events; `.versionConflict` if an
    /// entity of which the rest is written anew has changed since the plan, or if events that were written while the
    /// clock was ahead have just been written anew: make another; or what the medium refuses.
    @discardableResult
    public func erase(_ preview: ErasurePreview) async throws -> [ErasureStatus] {
        try await checkErasing()
        if let refused = preview.refused.first {
            throw TripStoreError(.notErasable, try refusal(preview.refused), entity: refused.events.first?.entity)
        }
        guard !preview.parts.isEmpty else { return [] }
        if try await TripStoreError.wrapAsync({ try await log.renewLineAhead() }) {
            try await catchUp()
            throw TripStoreError(
                .versionConflict,
                "Nothing was erased. What this device wrote while its clock was ahead has just been written anew, with "
                    + "the right time, and the plan does not name that. Plan it again.")
        }
        try await writeRests(of: preview)
        return try await TripStoreError.wrapAsync {
            let time = try await noteErased(preview.contents)
            var statements = Set(try await log.erase(preview.parts, naming: preview.names))
            if preview.names.contains(where: { $0.field == nil }) {
                statements.formUnion(try await log.sweep(plannedAt: preview.position))
            }
            try await finishErasures(of: preview.contents, erasedAt: time)
            try await catchUp()
            return try erasures().filter { statements.contains($0.statement) }
        }
    }

    /// Writes anew what is left of events.
    func writeRests(of preview: ErasurePreview) async throws {
        var versions = preview.versions
        for (authorship, events) in preview.orderedRests {
            var part: [Event] = []
            var size = 0
            for (index, event) in events.enumerated() {
                part.append(event)
                size += event.changes.reduce(64) { $0 + 32 + ($1.value?.count ?? 0) }
                guard size > Self.fullRest || index == events.count - 1 else { continue }
                // An entity has another version once it was written to.
                var expected: [EntityReference: EntityVersion] = [:]
                for entity in Set(part.map(\.entity)) { expected[entity] = versions.removeValue(forKey: entity) }
                _ = try await write(computed: part, .adopting, by: authorship, expecting: expected, follows: false)
                (part, size) = ([], 0)
            }
        }
    }

    /// The bytes of events in one commit, unless those of one event are more.
    private static let fullRest = 1 << 20

    /// The days that bytes stay which an admin erases of what others wrote; nil in a journal without members.
    package func erasingDays() throws -> ErasingDays? { try TripStoreError.wrap { try log.erasingDays() } }

    /// Sets these days. Fewer than before apply once they were held as long as the former last.
    ///
    /// Throws `TripStoreError`: `.readOnly`; `.notAMember` if this replica is no admin; `.noEffect` if there are fewer than 7,
    /// unless the founder says so, or more than 365.
    package func setErasingDays(_ days: Int) async throws {
        try await checkErasing()
        try await TripStoreError.wrapAsync { try await log.setErasingPeriod(days: days) }
        try await catchUp()
    }

    func checkErasing() async throws {
        guard !isReadOnly else {
            throw TripStoreError(
                .readOnly, "The store was opened for reading, and nothing was erased. Open it for writing to erase.")
        }
        try await TripStoreError.wrapAsync {
            try views.checkOpen()
            try await interceptor?.willWrite()
        }
    }

    /// The numbers of fields by the kinds of the entity's forms.
    private func numbers(
        of names: [String], _ entity: EntityReference, isRest: Bool
    ) throws -> [EntityKind: Set<UInt64>] {
        let kinds = EntityForms.kinds.contains(entity.kind) ? EntityForms.kinds : [entity.kind]
        for name in names {
            let numbers = entity.fields(named: name, in: knownSchema)
            guard !numbers.isEmpty else {
                throw TripStoreError(
                    .unusableOption,
                    "The \(entity.words(in: knownSchema)) has no field '\(name)'. Name one of "
                        + entity.fieldNames(in: knownSchema).joined(separator: ", ") + ".",
                    entity: entity, field: name)
            }
            if !isRest, numbers.contains(where: { entity.requires(field: $0, in: knownSchema) }) {
                throw TripStoreError(
                    .unusableOption,
                    "The \(entity.words(in: knownSchema)) cannot be without its field '\(name)'. Write another value, and erase the "
                        + "history of the field.",
                    entity: entity, field: name)
            }
        }
        return Dictionary(
            uniqueKeysWithValues: kinds.map { kind in
                let form = EntityReference(kind: kind, id: entity.id)
                return (kind, Set(names.flatMap { form.fields(named: $0, in: knownSchema) }))
            })
    }

    /// Why a plan cannot be carried out, and what to do.
    private func refusal(_ refused: [AuditedCommit]) throws -> String {
        try readLog { log in
            let replicas = Set(refused.map(\.replica)).sorted()
            let names = try replicas.map { replica in
                let name = try log.deviceName(of: replica)
                return name.isEmpty ? "\(replica)" : "\(name) (\(replica))"
            }
            let events = refused.reduce(0) { $0 + $1.events.count }
            let rule =
                try log.membership() == nil
                ? "The journal has no founder, and so no admin: the replica that wrote an event erases it, and no other"
                : "Only that replica, its successor or an admin's erases them"
            let what = "\(events.counted("event")) of \(names.joined(separator: ", "))"
            return "\(what) cannot be erased here, and nothing was erased. \(rule). Erase the rest without what is "
                + "refused, and this there."
        }
    }
}

extension ErasurePreview {
    /// The same in every run.
    fileprivate var orderedRests: [(authorship: Authorship, events: [Event])] {
        let order = { (one: Authorship) in
            [one.author ?? "", one.correlation?.uuidString ?? "", one.causation?.uuidString ?? ""]
        }
        return rests.sorted { order($0.key).lexicographicallyPrecedes(order($1.key)) }.map { ($0.key, $0.value) }
    }
}
