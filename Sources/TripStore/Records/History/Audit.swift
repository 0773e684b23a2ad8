public import EventLog
public import Events
public import Foundation
public import Trips

/// The author, time and position of a commit.
public struct CommitInfo: Sendable, Hashable {
    /// Its position in this store's log.
    public let position: Position
    public let replica: ReplicaID
    /// Its number in the replica's line.
    public let sequence: SequenceNumber
    public let timestamp: Timestamp
    /// When what is meant of the commit was written: its timestamp, or the earlier time of an event that was brought from elsewhere, by a load
    /// of a dump or an adoption.
    public private(set) var written: Timestamp
    /// The writer's wall clock in milliseconds since 1970, if it was over a second off the timestamp.
    package let wallClock: Int64?
    /// The claimed author.
    public let author: String
    package let causation: UUID?
    public let correlation: UUID?
    package let hash: Digest

    /// The author of a commit, and what it belongs to.
    typealias Authorship = (author: String, causation: UUID?, correlation: UUID?)

    init(_ commit: RecordedCommit) {
        let payload = commit.payload
        self.init(
            commit.position, commit.header, commit.hash,
            (payload?.author ?? "", payload?.causation, payload?.correlation))
    }

    init(_ commit: StoredCommit, _ authorship: Authorship) {
        self.init(commit.position, commit.header, commit.hash, authorship)
    }

    private init(_ position: Position, _ header: CommitHeader, _ hash: Digest, _ authorship: Authorship) {
        self.position = position
        replica = header.replica
        sequence = header.sequence
        timestamp = header.timestamp
        written = timestamp
        wallClock = header.wallClock
        (author, causation, correlation) = authorship
        self.hash = hash
    }

    /// The commit as the origin of one of its events, whose place in the merge is a stamp.
    func of(_ event: Event, _ stamp: Stamp) -> CommitInfo {
        var info = self
        if !event.isRebalancing { info.written = stamp.timestamp }
        return info
    }
}

extension Event {
    /// Whether it gave elements of a list other ranks and left their order: it has the time of the ranks that it replaced, or a tick more, and
    /// was written with its commit. See `TripStore.rebalance(_:of:by:)`.
    fileprivate var isRebalancing: Bool {
        guard let original, !changes.isEmpty else { return false }
        return changes.allSatisfy { change in
            let replaced = change.seen?.timestamp ?? .zero
            return change.path.element?.kind == .rank && (original == replaced || original == replaced.successor)
        }
    }
}

/// A commit with the old and new values of each of its events. It has the members of `CommitInfo` as well.
@dynamicMemberLookup
public struct AuditedCommit: Sendable, Hashable {
    public let info: CommitInfo
    public let events: [AuditedEvent]
    /// The name of the device, in a replica's first commit, which has no events but the replica's key.
    package let introducedDevice: String?
    /// Whether its events can be read: false if they are malformed, or need a newer version.
    package let isReadable: Bool
    /// The update of the program that is needed to read it, whether its events count or not; nil if this version knows all of its features.
    package let neededUpdate: NeededUpdate?
    /// The events of the commit that were erased; nil if none were.
    package let erased: ErasedLeaves?
    /// Whether its events count. They do not if the replica was no member or was revoked before, or if the commit is
    /// void, or was replaced. This is the state when it was read: later statements may change it.
    public let counts: Bool
    /// Its statements about members.
    package let statements: [MembershipStatement]
    /// Its statements about erasing.
    package let erasing: [ErasingStatement]

    /// Whether it states something about members, which may change whether other commits count.
    public var hasStatements: Bool { !statements.isEmpty }

    /// When the newest of its events was written; its timestamp if it has none.
    public var written: Timestamp { events.map(\.written).max() ?? info.timestamp }

    // The members of `Hashable` would win over the one of `info`.
    package var hash: Digest { info.hash }

    /// A member of `info`, such as the position, the author and the time.
    public subscript<Value>(dynamicMember member: KeyPath<CommitInfo, Value>) -> Value { info[keyPath: member] }
}

/// An event and what it changed.
public struct AuditedEvent: Sendable, Hashable {
    /// Its place among all events of the commit.
    package let index: Int
    public let verb: Verb
    public let entity: EntityReference
    /// The entity's present name, for people; empty if it has none.
    public let name: String
    /// When it was written: the timestamp of the commit, or an earlier time if it was brought from elsewhere.
    public let written: Timestamp
    public let changes: [AuditedChange]
}

/// A field that an event changed. Old and new are in merge order, over the commits held now.
public struct AuditedChange: Sendable, Hashable {
    /// The field's name, or `field N` if this version does not know it.
    public let field: String
    /// The value before; nil if there never was one.
    public let old: FieldRendering?
    public let new: FieldRendering
    /// The write that superseded the change without its author having seen it: a conflict. Nil if none did.
    package let beatenBy: Beating?

    /// The write that superseded another unseen. It has the members of `CommitInfo` as well.
    @dynamicMemberLookup
    package struct Beating: Sendable, Hashable {
        package let commit: CommitInfo
        package let value: FieldRendering

        /// A member of `commit`, such as the position, the author and the time.
        package subscript<Value>(dynamicMember member: KeyPath<CommitInfo, Value>) -> Value { commit[keyPath: member] }
    }
}

/// One event of an entity's history.
public struct HistoryEntry: Sendable, Hashable {
    public let commit: CommitInfo
    public let event: AuditedEvent
}

/// Selects commits of the log, and their events. A nil property selects everything; all others must match.
public struct AuditFilter: Sendable, Hashable {
    /// Commits that touch an entity with that id.
    public var entity: UUID?
    /// Commits that touch an entity, or one that was ever under it.
    public var root: EntityReference?
    public var replica: ReplicaID?
    public var author: String?
    /// Commits that touch an entity of that kind.
    public var kind: EntityKind?
    /// Commits from that time on, by their timestamps.
    public var since: Date?
    /// Commits up to that time, by their timestamps.
    public var until: Date?
    /// From the newest to the oldest, by position.
    public var isReversed: Bool

    public init(
        entity: UUID? = nil, under root: EntityReference? = nil, replica: ReplicaID? = nil, author: String? = nil,
        kind: EntityKind? = nil, since: Date? = nil, until: Date? = nil, isReversed: Bool = false
    ) {
        self.entity = entity
        self.root = root
        self.replica = replica
        self.author = author
        self.kind = kind
        self.since = since
        self.until = until
        self.isReversed = isReversed
    }

    static let fingerprintSize = 8

    /// Equal for filters that the same commits pass, in whatever order: for cursors.
    var fingerprint: [UInt8] {
        var writer = WireWriter()
        for part in [
            entity?.bytes, root?.id.bytes, replica?.bytes, author.map { Array($0.utf8) },
            kind?.rawValue.bigEndianBytes,
            since?.timeIntervalSince1970.bitPattern.bigEndianBytes,
            until?.timeIntervalSince1970.bitPattern.bigEndianBytes,
        ] {
            writer.rawVarint(part.map { UInt64($0.count) + 1 } ?? 0)
            writer.raw(part ?? [])
        }
        var builder = DigestBuilder()
        builder.add(writer.finish())
        return Array(builder.finish().bytes.prefix(Self.fingerprintSize))
    }
}

extension Verb {
    /// The verb in a word, for people; `verb N` if this version does not know it.
    public var name: String {
        switch self {
        case .created: "created"
        case .edited: "edited"
        case .deleted: "deleted"
        case .restored: "restored"
        default: "verb \(rawValue)"
        }
    }
}
