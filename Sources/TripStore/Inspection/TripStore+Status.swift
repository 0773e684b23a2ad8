public import EventLog
public import Events
import Foundation
public import ProjectionEngine

/// What a store holds, and how far its views have come.
public struct StoreStatus: Sendable {
    public let replica: ReplicaID
    public let journal: JournalID
    /// The position of the newest commit.
    public let position: Position
    /// The newest commit of every replica of the journal.
    public let frontier: [ReplicaID: SequenceNumber]
    /// How many trips there are, deleted ones not counted; nil if no views can be read yet.
    public let trips: Int?
    /// The views; none if none can be read yet. Then `fault` says what keeps them from being built, if something does.
    public let views: [ProjectionGroup.ViewStatus]
    /// Why this store writes as another replica than before, since some opening or exchange; nil if it always was the same.
    public let identityChange: Log.IdentityChange?
    /// Where a replica, copied or restored, wrote different commits under one number. All of them count.
    public let forks: [Fork]
    /// Whether this replica may write.
    public let standing: MembershipStanding
    /// Commits of former replicas of this store that can be handed to nobody, for the key to sign them was lost.
    public let stranded: [ReplicaID: Int]
    /// What stopped the views from being brought up to date; nil if nothing did.
    public let fault: GroupFault?
    /// What stopped groups of views, by the groups' names, those of apps and of other processes among them.
    public let faults: [String: GroupFault]
    /// Why groups of views that were there were built anew when the store was opened, by the groups' names.
    public let rebuilt: [String: String]
    /// What the store is an unfinished clone of, in words that may be empty: it was cut off, and what is there may be a part. Nil
    /// if it is none. See `TripStore.clone`.
    public let unfinishedClone: String?
    /// The file that keeps what could be read of commits which the medium lost after it had said to have stored them; nil
    /// if that never happened, or since the file was removed. Other replicas may hold them.
    public let unreadableRecords: String?
    /// The file that keeps commits which followed on another data file than the one that lies there now, as where an older one
    /// was put back; nil if that never happened, or since the file was removed.
    public let foreignRecords: String?
    /// How far each subscription came, by its name.
    public let subscriptions: [String: Position]
    /// How the cache of decoded answers fares.
    public let cache: CacheStatistics
}

extension TripStore {
    /// The state of the store. With digests it reads every row of every view.
    public func status(digests: Bool = false) throws -> StoreStatus {
        try TripStoreError.wrap { try currentStatus(digests: digests) }
    }

    private func currentStatus(digests: Bool) throws -> StoreStatus {
        let (position, heads, own, forks) = try log.read { log in
            (try log.lastPosition(), try log.heads(), try log.journal(), try log.forks(in: log.journal()))
        }
        let (journal, replica) = (own, replica)
        var frontier: [ReplicaID: SequenceNumber] = [:]
        var stranded: [ReplicaID: Int] = [:]
        for (line, head) in heads where line.journal == journal {
            frontier[line.replica] = max(frontier[line.replica] ?? .start, head.sequence)
            guard line.replica != replica, head.signed < head.sequence else { continue }
            stranded[line.replica, default: 0] += Int(clamping: head.sequence.rawValue - head.signed.rawValue)
        }
        let shown = try self.shown(digests: digests)
        return StoreStatus(
            replica: replica, journal: journal, position: position, frontier: frontier, trips: shown.trips,
            views: shown.views,
            identityChange: try log.lastIdentityChange(), forks: forks, standing: try standing(),
            stranded: stranded, fault: views.fault,
            faults: try faults(), rebuilt: rebuilt, unfinishedClone: UnfinishedClone(in: folder).presentSource,
            unreadableRecords: log.unreadableRecords,
            foreignRecords: log.foreignRecords,
            subscriptions: try subscriptions(), cache: views.cacheStatistics)
    }

    /// What can be said of the views: nothing as long as they are being built, or cannot be.
    private func shown(digests: Bool) throws -> (trips: Int?, views: [ProjectionGroup.ViewStatus]) {
        do {
            return try TripStoreError.wrap {
                (try read { try $0.tripCount() }, try views.status(digests: digests))
            }
        } catch let error as TripStoreError where [.beingBuilt, .notBuilt, .closed].contains(error.code) {
            return (nil, [])
        }
    }

    /// Why groups of views that were there were built anew when the store was opened, by the groups' names: damage, or a
    /// machine that stopped before they were synced. Empty if they were served as they were.
    public var rebuilt: [String: String] {
        var reasons: [String: String] = [:]
        reasons["trips"] = views.replacementReason
        reasons["app"] = appGroup?.replacementReason
        return reasons
    }

    private func faults() throws -> [String: GroupFault] {
        var faults = try GroupFault.all(in: log)
        if let fault = views.fault { faults["trips"] = fault }
        if let fault = appGroup?.fault { faults["app"] = fault }
        return faults
    }
}
