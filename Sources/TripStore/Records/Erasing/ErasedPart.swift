import EventLog
import Events
import Trips

/// The part of one event that is erased, where fields or former values go and the rest stays.
///
/// The rest is written anew with the event's time, so that it has the same place in the merge. Of another replica's
/// event only what stands is: later writes name its values by that replica, and would be in conflict with the new ones.
struct ErasedPart {
    private let event: Event
    private let stamp: Stamp
    private let timeline: EntityTimeline
    private let scope: ErasureScope
    private let isOwn: Bool
    private let isForgotten: Bool
    private let counts: Bool

    /// `isForgotten` says whether elements that were removed, and whose keys may say what they were, go as well:
    /// nothing may be left then that would bring them back.
    init(
        of event: Event, in commit: RecordedCommit, _ timeline: EntityTimeline, _ scope: ErasureScope, isOwn: Bool,
        isForgotten: Bool
    ) {
        self.event = event
        stamp = commit.stamp.moved(to: event.original)
        self.timeline = timeline
        self.scope = scope
        self.isOwn = isOwn
        self.isForgotten = isForgotten
        counts = commit.counts
    }

    /// Whether anything of the event goes: then the whole leaf does.
    var isErased: Bool { !fields.isEmpty || isFormerDeletion || isFormerCreation }

    /// The fields of which a value goes.
    var fields: [UInt64] { event.changes.filter { goes($0.path, $0.value) }.map(\.path.field) }

    /// The rest of the event; nil if there is none.
    var rest: Event? {
        guard counts else { return nil }
        let changes = event.changes.filter { change in
            !goes(change.path, change.value)
                && (stands(change.path, change.value) || isOwn && !isWrittenTwice(change.path, change.value))
        }
        var verb = event.verb
        switch verb {
        case .created: if !isCreation && !(isOwn && !isFormerCreation) { verb = .edited }
        case .deleted, .restored:
            if !stands(.deletion, deletion) && !(isOwn && !isFormerDeletion) { verb = .edited }
        default: break
        }
        guard verb != .edited || !changes.isEmpty else { return nil }
        // Of two writes of one time the one of the greater hash would win.
        let isContested = changes.contains { isWrittenTwice($0.path, $0.value) }
        return Event(
            verb: verb, entity: event.entity, changes: changes, seen: event.seen,
            original: isContested ? stamp.timestamp.successor : stamp.timestamp)
    }

    /// Whether another commit of a replica has written the rest already, as after a crash.
    func isWritten(_ rest: Event, besides commit: Digest, by replica: ReplicaID) -> Bool {
        timeline.entries.contains { entry in
            entry.stamp.hash != commit && entry.stamp.replica == replica && entry.stamp.timestamp == rest.original
                && entry.event.verb == rest.verb && Self.values(entry.event) == Self.values(rest)
        }
    }

    private static func values(_ event: Event) -> [FieldPath: [UInt8]?] {
        Dictionary(event.changes.map { ($0.path, $0.value) }) { $1 }
    }

    // MARK: Values

    private func goes(_ path: FieldPath, _ value: [UInt8]?) -> Bool {
        guard scope.concerns(path, of: event.entity) else { return false }
        if isForgotten, value == nil, !path.key.isEmpty { return true }
        return !(scope.keepsPresent && stands(path, value))
    }

    /// Whether a value is the present one. That of a copy with the same time is the same.
    private func stands(_ path: FieldPath, _ value: [UInt8]?) -> Bool {
        guard counts, let last = timeline.writes[path]?.last else { return false }
        return last.value == value && time(of: last) == stamp.timestamp
    }

    private func isWrittenTwice(_ path: FieldPath, _ value: [UInt8]?) -> Bool {
        timeline.writes[path]?.contains { $0.value != value && time(of: $0) == stamp.timestamp } ?? false
    }

    private func time(of write: EntityTimeline.Write) -> Timestamp { timeline.entries[write.entry].stamp.timestamp }

    // MARK: Creation and deletion

    private var isCreation: Bool {
        timeline.creation.map { timeline.entries[$0].stamp.timestamp == stamp.timestamp } ?? false
    }

    /// What the verb writes to the path of deletion.
    private var deletion: [UInt8]? { event.verb == .deleted ? [1] : nil }

    private var isFormerCreation: Bool { event.verb == .created && isHistory && !isCreation }

    private var isFormerDeletion: Bool {
        (event.verb == .deleted || event.verb == .restored) && isHistory && !stands(.deletion, deletion)
    }

    private var isHistory: Bool { scope.fields == nil && scope.keepsPresent }
}
