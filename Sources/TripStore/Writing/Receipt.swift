public import EventLog
public import Events
public import Foundation
public import Trips

/// What became of an append: where the commit lies, what proves it, and the versions of what it touched.
public struct Receipt: Sendable, Hashable {
    /// Where the commit lies in this store's log.
    public let position: Position
    /// The replica that wrote it: this one.
    public let replica: ReplicaID
    /// Its number in the replica's line.
    public let sequence: SequenceNumber
    public let timestamp: Timestamp
    public let hash: Digest
    /// The versions of the entities that it touched, as the commit left them.
    public let versions: [EntityReference: EntityVersion]
    /// The entities that it touched, in the order of its events.
    public let entities: [EntityReference]
    /// Whether this store's queries show it already. If not, `settled(at:)` waits for it.
    public let isVisible: Bool
    /// Whether nothing was written, because an earlier attempt with the same append id had written it. Everything else here
    /// tells of that attempt; the versions are those that it left behind.
    public let isRepeat: Bool

    /// The version of the first entity touched: that of the only one, mostly.
    public var version: EntityVersion { entities.first.flatMap { versions[$0] } ?? .none }

    /// The version of an entity, or nil if the commit did not touch it.
    public func version<Entity: TripEntity>(of id: Identifier<Entity>) -> EntityVersion? { versions[id.reference] }
}

/// Who writes, and why: kept with every commit.
public struct Authorship: Sendable, Hashable {
    /// Who is said to write it; empty for nobody in particular.
    public var author: String
    /// What led to the commit, as the app names it.
    public var causation: UUID?
    /// The piece of work to which it belongs, as the app names it.
    public var correlation: UUID?
    /// What the caller calls this one append, so that another attempt of it is recognised: for when the outcome of the first
    /// is not known.
    ///
    /// If one of the last 1,024 commits that this store wrote has the id, nothing is written, and the receipt is that of
    /// the first attempt, with `isRepeat`. Looked up inside the write, so that it also holds between processes, and after
    /// the store had to go on as another replica. Draw a new id for each commit: `TripStoreError.appendIDReused` is thrown
    /// where the commit with that id wrote something else. What an edit's closure computes is not compared, only the entity.
    public var appendID: AppendID?

    public init(
        author: String = "", causation: UUID? = nil, correlation: UUID? = nil, appendID: AppendID? = nil
    ) {
        self.author = author
        self.causation = causation
        self.correlation = correlation
        self.appendID = appendID
    }
}
