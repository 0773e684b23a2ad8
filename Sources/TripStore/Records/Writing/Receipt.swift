public import EventLog
public import Events
public import Foundation
public import Trips

/// The result of a write: the commit's position and hash, and the versions of the entities that it touched; or that it
/// would have changed nothing, so that there is no commit.
public struct Receipt: Sendable, Hashable {
    /// The commit's position in this store's log. If nothing was written, the newest commit of the state in which there
    /// was nothing to change, which may be another author's.
    public let position: Position
    /// The positions of all commits of the write, in order: one, none if nothing was written, and several in the receipt of a large copy.
    public let positions: [Position]
    /// The name of the newest commit of the write, the same in every store; nil if nothing was written.
    public let commit: CommitID?
    package let timestamp: Timestamp?
    /// The versions of the entities that it touched, after the commit. If nothing was written, the current versions of
    /// the entities that the write named.
    public internal(set) var versions: [EntityReference: EntityVersion]
    /// The entities that have versions here, in the order of the write's events.
    public let entities: [EntityReference]
    /// Whether this store's queries show it already. If not, `catchUp(to:)` waits for it.
    public let isVisible: Bool
    /// Whether nothing was written, because an earlier attempt with the same append id had written it. All other
    /// members describe that attempt; the versions are those after it.
    public let isRepeat: Bool
    /// The parents that followed what was written, in commits of their own.
    package internal(set) var followed: [EntityReference] = []

    /// Whether nothing was written, because the store has all these values already.
    public var isUnchanged: Bool { commit == nil }

    /// The version of the first entity, usually the only one.
    public var version: EntityVersion { entities.first.flatMap { versions[$0] } ?? .none }

    /// The version of an entity, or nil if it is not among `entities`.
    public func version<Entity: TripEntity>(of id: Identifier<Entity>) -> EntityVersion? { versions[id.reference] }

    /// The receipt of a commit.
    init(
        _ appended: Appended, versions: [EntityReference: EntityVersion], entities: [EntityReference], isVisible: Bool,
        isRepeat: Bool, positions: [Position]? = nil
    ) {
        position = appended.position
        self.positions = positions ?? [appended.position]
        commit = CommitID(replica: appended.replica, sequence: appended.sequence, hash: appended.hash)
        timestamp = appended.timestamp
        self.versions = versions
        self.entities = entities
        self.isVisible = isVisible
        self.isRepeat = isRepeat
    }

    /// The receipt of a write that would have changed nothing, in the state at a position.
    init(
        unchangedAt position: Position, versions: [EntityReference: EntityVersion] = [:],
        entities: [EntityReference] = [], isVisible: Bool = true
    ) {
        self.position = position
        positions = []
        commit = nil
        timestamp = nil
        self.versions = versions
        self.entities = entities
        self.isVisible = isVisible
        isRepeat = false
    }
}

/// The outcome of a write that is not made: `TripStore.preview(_:expecting:)`.
public struct WritePreview: Hashable, Sendable {
    /// The entities that would be written, in the order of the events.
    public let entities: [EntityReference]
    /// The entities whose edits would change nothing.
    public let unchanged: [EntityReference]
    /// How many others would be hidden with what is deleted, or come back with what is restored.
    public let followers: Int
    /// The log's position at which it was checked.
    public let position: Position
}

/// The author of a commit, and why it is written: stored with every commit. A string is enough for an author alone:
/// `by: "ana"`.
public struct Authorship: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The author's name: nil for the author that the store was opened with (`TripStore.Options.author`); may be empty.
    public var author: String?
    /// The cause of the commit, as the app names it.
    public var causation: UUID?
    /// The unit of work of the commit, as the app names it.
    public var correlation: UUID?
    /// The caller's id of this append, so that a retry is recognised: for when the outcome of the first attempt is
    /// unknown.
    ///
    /// If one of the last 1,024 commits that this store wrote has the id, nothing is written, and the receipt is that
    /// of the first attempt, with `isRepeat`. The search is part of the write, so that it also works between processes,
    /// and after the store had to continue as another replica. Draw a new id for each commit:
    /// `TripStoreError.Code.appendIDReused` is thrown if the commit with that id has other events. What an edit's closure
    /// computes is not compared, only the entity.
    public var appendID: AppendID?

    public init(
        author: String? = nil, causation: UUID? = nil, correlation: UUID? = nil, appendID: AppendID? = nil
    ) {
        self.author = author
        self.causation = causation
        self.correlation = correlation
        self.appendID = appendID
    }

    public init(stringLiteral author: String) { self.init(author: author) }

    /// The same, with a default author.
    func named(_ author: String) -> Authorship {
        var named = self
        named.author = self.author ?? author
        return named
    }
}
