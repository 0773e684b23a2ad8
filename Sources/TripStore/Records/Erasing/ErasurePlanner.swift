import EventLog
import Events
import LogExchange
import Trips

/// Finds what to erase, in the whole log: also what does not count, and what was deleted long ago. Used within one read
/// of log and views.
struct ErasurePlanner: ~Copyable {
    var auditor: Auditor
    let scope: ErasureScope
    let journal: JournalID
    private let replica: ReplicaID
    private var found: ErasurePreview
    private var contents: Set<ContentID> = []
    private var names: Set<ErasedName> = []
    /// Whether this replica may erase what others wrote, as far as that was asked.
    private var rights: [ReplicaID: Bool] = [:]
    /// The erased events that name contents, by the positions of their commits.
    private var naming: [Position: Set<Int>] = [:]

    /// `replica` is the one that would erase.
    init(_ auditor: consuming Auditor, _ scope: ErasureScope, _ journal: JournalID, _ replica: ReplicaID) {
        self.auditor = auditor
        self.scope = scope
        self.journal = journal
        self.replica = replica
        found = ErasurePreview(scope.entity)
    }

    /// Throws `TripStoreError.Code.unknownEntity` if the log has no event of the entity. O(log).
    mutating func plan() throws -> ErasurePreview {
        var entities: Set<EntityReference> = []
        try add(scope.entity, to: &entities)
        var (hits, strays) = try search(for: entities)
        // What does not count is in no view.
        while !strays.isEmpty {
            for stray in strays { try add(stray, to: &entities) }
            (hits, strays) = try search(for: entities)
        }
        guard !hits.isEmpty else { throw TripStoreError.unknown(scope.entity, in: auditor.known) }
        for hit in hits { try take(hit) }
        try removeNamedElsewhere()
        found.contents = contents.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        var wholes: [EntityReference] = []
        if scope.isWhole, scope.author == nil {
            // Not all of a great many have room: the entity itself first, and last the forms that none had yet.
            let written = Set((found.commits + found.refused).flatMap(\.events).map(\.entity))
                .subtracting([scope.entity])
            let others = entities.subtracting(written).subtracting([scope.entity])
            let below = [written, others].flatMap { entities in
                entities.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
            }
            // An entity stays with its creation: what others write of it, in any form, is not late.
            var staying: Set<EntityReference> = []
            for event in found.refused.flatMap(\.events) where event.verb == .created {
                staying.formUnion(try forms(of: event.entity))
            }
            wholes = ([scope.entity] + below).filter { !staying.contains($0) }
            found.position = try auditor.log.lastPosition()
        }
        let fields = names.filter { [wholes = Set(wholes)] in !wholes.contains($0.entity) }
            .sorted { rank($0).lexicographicallyPrecedes(rank($1)) }
        found.names = Array((wholes.map { ErasedName($0) } + fields).prefix(Log.mostNames))
        return found
    }

    private func rank(_ name: ErasedName) -> [UInt8] {
        [name.entity == scope.entity ? 0 : 1] + name.entity.bytes + (name.field ?? 0).bigEndianBytes
    }

    private mutating func take(_ hit: Hit) throws {
        guard let commit = try auditor.log.commit(at: hit.position).map({ RecordedCommit($0) }) else { return }
        let selected = commit.indexedEvents.filter { hit.events.contains($0.index) }
        guard hit.isByAuthor else {
            // Of fields and of what was before, the rest of the entity stays anyway.
            if scope.isWhole { found.others.append(try auditor.audit(commit, selected)) }
            return
        }
        var gone: [(index: Int, event: Event)] = []
        var rests: [Event] = []
        var fields: [ErasedName] = []
        for (index, event) in selected {
            if scope.isWhole {
                gone.append((index, event))
                fields += event.changes.map { ErasedName(event.entity, field: $0.path.field) }
                continue
            }
            let timeline = try auditor.timeline(of: event.entity)
            let part = ErasedPart(
                of: event, in: commit, timeline, scope, isOwn: commit.header.replica == replica,
                isForgotten: try mayForget(timeline))
            guard part.isErased else { continue }
            gone.append((index, event))
            fields += part.fields.map { ErasedName(event.entity, field: $0) }
            guard let rest = part.rest, !part.isWritten(rest, besides: commit.hash, by: replica) else { continue }
            rests.append(rest)
            found.versions[event.entity] = timeline.record(asOf: .position(Position(.max))).version
        }
        guard !gone.isEmpty else { return }
        let audited = try auditor.audit(commit, gone)
        guard commit.header.isErasable, try mayErase(commitsOf: commit.header.replica)
        else { return found.refused.append(audited) }
        found.commits.append(audited)
        names.formUnion(fields)
        if !rests.isEmpty { found.rests[Authorship(rewriting: audited.info), default: []] += rests }
        let id = CommitID(replica: commit.header.replica, sequence: commit.header.sequence, hash: commit.hash)
        let leaves = LeafSet(events: gone.map(\.index))
        // Without any event the author and what else precedes the events goes as well.
        let isAll =
            try gone.count == commit.payload?.events.count
            && (commit.erased == nil || holds(gone.count, at: hit.position))
        found.parts[id] = .some(isAll ? leaves.union(LeafSet([0])) : leaves)
        // Read once more: histories read other commits, and so many copies of these may be kept that the first one is not.
        guard let stored = try auditor.log.commit(at: hit.position) else { return }
        AttachmentNames.forEach(in: stored, all: true) { _, change in
            guard let content = change.content, gone.contains(where: { $0.index == change.event }) else { return }
            contents.insert(content)
            naming[hit.position, default: []].insert(change.event)
        }
    }

    /// Whether a stored commit has so many events, with those that are hidden and may come back.
    private func holds(_ count: Int, at position: Position) throws -> Bool {
        guard let stored = try auditor.log.storedCommit(at: position) else { return false }
        return RecordedCommit(stored).payload?.events.count == count
    }

    /// Whether nothing that this replica may not erase is left of an entity, so that what was removed of it need not be
    /// remembered as removed.
    private mutating func mayForget(_ timeline: EntityTimeline) throws -> Bool {
        guard scope.keepsPresent, scope.author == nil else { return false }
        for entry in timeline.entries where try !mayErase(commitsOf: entry.stamp.replica) { return false }
        return true
    }

    private mutating func mayErase(commitsOf author: ReplicaID) throws -> Bool {
        if let known = rights[author] { return known }
        let may = try auditor.log.mayErase(commitsOf: author)
        rights[author] = may
        return may
    }

    /// Keeps the contents that another event names, or one that is written anew. O(log), if there are any.
    private mutating func removeNamedElsewhere() throws {
        guard !contents.isEmpty else { return }
        let (naming, candidates) = (naming, contents)
        var named: Set<ContentID> = []
        try auditor.log.forEachCommit(after: .start) { stored in
            AttachmentNames.forEach(in: stored, all: true) { _, change in
                guard let content = change.content, candidates.contains(content) else { return }
                if naming[stored.position]?.contains(change.event) != true { named.insert(content) }
            }
            return true
        }
        for event in found.rests.values.joined() where AttachmentNames.isAttachment(event.entity) {
            for change in event.changes where change.path == FieldPath(field: AttachmentNames.field) {
                if let content = change.value?.withUnsafeBytes({ ContentID($0) }) { named.insert(content) }
            }
        }
        contents.subtract(named)
    }
}
