import EventLog
import Events
import Foundation
import ProjectionEngine
import TripProjections
import Trips

/// Describes commits: the old and new values of each event, and the writes that superseded them.
///
/// It is used within one read of log and views.
struct Auditor: ~Copyable {
    /// The maximum number of entities whose histories are cached at a time.
    private static let keptTimelines = 2048

    let views: ViewSnapshot
    let log: LogSnapshot
    /// The kinds and fields that the store knows.
    let known: KnownSchema?
    private let journal: JournalID
    private var timelines: [EntityReference: EntityTimeline] = [:]
    private(set) var commits = CommitInfoCache()
    /// What the authors of deletions held.
    private(set) var held = HeldTimes()
    /// The events that the log has and the views do not have yet, after they were read.
    private var tail: [EntityReference: [EntityTimeline.Entry]]?

    /// The views must not have later commits than the log. Throws `EventLogError` if the log does not name its journal.
    init(_ views: consuming ViewSnapshot, _ log: consuming LogSnapshot, in known: KnownSchema?) throws {
        self.views = views
        journal = try log.journal()
        self.log = log
        self.known = known
    }

    mutating func timeline(of entity: EntityReference) throws -> EntityTimeline {
        if let known = timelines[entity] { return known }
        if timelines.count >= Self.keptTimelines { timelines.removeAll() }
        let timeline = try EntityTimeline(
            entity, views: views, log: log, journal: journal, &commits, tail: tail(of: entity),
            in: known)
        timelines[entity] = timeline
        return timeline
    }

    /// What was ever put under a parent, in the order of the ids, including what the views do not have yet.
    mutating func children(everOf parent: EntityReference) throws -> [EntityReference] {
        let listed = try ChildrenEver.children(of: parent, in: views)
        let path = FieldPath.parent
        let value = parent.fieldValue
        let filed = try entriesBeyondViews().filter { entity, entries in
            entity.kind.parents.include(parent.kind)
                && entries.contains { $0.event.changes.contains { $0.path == path && $0.value == value } }
        }
        if filed.isEmpty { return listed }
        return Set(listed).union(filed.keys).sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    /// All that an entity was ever put under, directly or not.
    private mutating func everAncestors(of entity: EntityReference) throws -> Set<EntityReference> {
        var found: Set<EntityReference> = []
        var rest = [entity]
        while let next = rest.popLast() {
            guard next.kind.mayHaveParent else { continue }
            for write in try timeline(of: next).writes[FieldPath.parent] ?? [] {
                guard let parent = write.value?.withUnsafeBytes({ next.kind.parent(in: $0) }) else {
                    continue
                }
                if found.insert(parent).inserted { rest.append(parent) }
            }
        }
        return found
    }

    /// The entities with events that the views do not have yet.
    mutating func entitiesBeyondViews() throws -> Set<EntityReference> { Set(try entriesBeyondViews().keys) }

    /// The time up to which the author of the commit at a position held a branch; zero if nothing of it.
    mutating func newest(of branch: ForkedLines.Branch, heldAt position: Position) throws -> Timestamp {
        try held.newest(of: branch, at: position, commits.forks(log, journal), log)
    }

    private mutating func tail(of entity: EntityReference) throws -> [EntityTimeline.Entry] {
        try entriesBeyondViews()[entity] ?? []
    }

    private mutating func entriesBeyondViews() throws -> [EntityReference: [EntityTimeline.Entry]] {
        if let tail { return tail }
        var found: [EntityReference: [EntityTimeline.Entry]] = [:]
        try log.forEachCommit(after: views.position) { stored in
            guard stored.counts, stored.header.journal == journal else { return true }
            let commit = RecordedCommit(stored)
            let info = CommitInfo(commit)
            let branch = try commits.forks(log, journal).branch(of: info.id, log)
            for (index, event) in commit.indexedEvents {
                let stamp = commit.stamp.moved(to: event.original)
                found[event.entity, default: []].append(
                    EntityTimeline.Entry(
                        commit: info.of(event, stamp), index: index, stamp: stamp, event: event,
                        saysHeld: commit.payload?.held.isEmpty == false, branch: branch))
            }
            return true
        }
        tail = found
        return found
    }

    /// The commit with those of its events that a filter selects: an import may have a thousand others. More than `most` have neither names
    /// nor changes: no history is read for them.
    mutating func audit(
        _ commit: RecordedCommit, _ filter: AuditFilter = AuditFilter(), detailingUpTo most: Int = .max
    ) throws -> AuditedCommit {
        try audit(commit, try commit.indexedEvents.filter { try selects($0.event, filter) }, detailingUpTo: most)
    }

    /// The commit with some of its events.
    mutating func audit(
        _ commit: RecordedCommit, _ selected: [(index: Int, event: Event)], detailingUpTo most: Int = .max
    ) throws -> AuditedCommit {
        let info = CommitInfo(commit)
        var events: [AuditedEvent] = []
        for (index, event) in selected {
            guard selected.count <= most else {
                let written = info.of(event, commit.stamp.moved(to: event.original)).written
                let (verb, entity) = (event.verb, event.entity)
                events.append(
                    AuditedEvent(index: index, verb: verb, entity: entity, name: "", written: written, changes: []))
                continue
            }
            let timeline = try timeline(of: event.entity)
            // A commit beyond the views, or of another journal, is in no timeline yet.
            let stamp = commit.stamp.moved(to: event.original)
            let entry = timeline.entry(of: stamp, index: index)
            events.append(Self.audited(event, index, info.of(event, stamp), entry: entry, timeline))
        }
        return AuditedCommit(
            info: info, events: events, introducedDevice: commit.introduction?.name,
            isReadable: commit.payload != nil || commit.erased == .all,
            neededUpdate: commit.erased == .all ? nil : NeededUpdate(commit.header), erased: commit.erased,
            counts: commit.counts, statements: commit.statements, erasing: commit.erasing)
    }

    /// Rows of what the log's commits say.
    func listed<Row>(_ rows: [Row], next: PageCursor? = nil) throws -> Rows<Row> {
        Rows(rows, next: next, try log.lastPosition(), needing: try views.neededUpdate)
    }

    /// The events of an entity in merge order; where its kind changed those of all its forms.
    mutating func history(of entity: EntityReference) throws -> [HistoryEntry] {
        let timelines = try forms(of: entity)
        guard timelines.count > 1 else { return timelines.flatMap { timeline in Self.history(timeline).map(\.1) } }
        // The restoration of a form that its commit creates says nothing to people.
        let entries = timelines.flatMap { timeline in
            let creations = Set(timeline.entries.filter { $0.event.verb == .created }.map(\.stamp.hash))
            return Self.history(timeline).filter { $0.1.event.verb != .restored || !creations.contains($0.0.0.hash) }
        }
        return entries.sorted { $0.0 < $1.0 }.map(\.1)
    }

    private static func history(_ timeline: EntityTimeline) -> [((Stamp, Int), HistoryEntry)] {
        timeline.entries.enumerated().map { number, entry in
            let event = audited(entry.event, entry.index, entry.commit, entry: number, timeline)
            return ((entry.stamp, entry.index), HistoryEntry(commit: entry.commit, event: event))
        }
    }

    private static func audited(
        _ event: Event, _ index: Int, _ commit: CommitInfo, entry: Int?, _ timeline: EntityTimeline
    ) -> AuditedEvent {
        var last: [FieldPath: Change] = [:]
        for change in event.changes { last[change.path] = change }
        let changes = last.values.sorted { $0.path < $1.path }.map { change in
            let path = change.path
            let neighbours = entry.map { timeline.neighbours(of: $0, at: path) }
            let rendering = { (value: [UInt8]?) in timeline.rendering(path, value) }
            let beating = neighbours?.beatenBy.map { write in
                AuditedChange.Beating(commit: timeline.entries[write.entry].commit, value: rendering(write.value))
            }
            let new = rendering(change.value)
            return AuditedChange(
                field: new.name,
                old: neighbours?.before.map { rendering($0.value) }, new: new, beatenBy: beating)
        }
        return AuditedEvent(
            index: index, verb: event.verb, entity: event.entity, name: name(of: timeline), written: commit.written,
            changes: changes)
    }

    static func name(of timeline: EntityTimeline) -> String {
        timeline.entity.name(timeline.current(at: FieldPath(field: 1)), in: timeline.known)
    }

    /// Whether a commit passes a filter.
    mutating func passes(_ commit: RecordedCommit, _ filter: AuditFilter) throws -> Bool {
        let date = commit.header.timestamp.date
        if let replica = filter.replica, commit.header.replica != replica { return false }
        if let since = filter.since, date < since { return false }
        if let until = filter.until, date > until { return false }
        if let author = filter.author, commit.payload?.author != author { return false }
        guard filter.entity != nil || filter.kind != nil || filter.root != nil else { return true }
        for event in commit.payload?.events ?? [] where try selects(event, filter) { return true }
        return false
    }

    private mutating func selects(_ event: Event, _ filter: AuditFilter) throws -> Bool {
        if let id = filter.entity, event.entity.id != id { return false }
        if let kind = filter.kind, event.entity.kind != kind { return false }
        if let root = filter.root, try !isPart(event.entity, of: root) { return false }
        return true
    }

    private mutating func isPart(_ entity: EntityReference, of root: EntityReference) throws -> Bool {
        if entity == root { return true }
        guard entity.kind.mayHaveParent else { return false }
        return try everAncestors(of: entity).contains(root)
    }
}
