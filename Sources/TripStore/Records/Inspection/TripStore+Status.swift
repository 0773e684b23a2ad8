public import EventLog
public import Events
public import ProjectionEngine
import TripProjections
import Trips

/// The contents of a store, and the state of its views.
public struct StoreStatus: Sendable {
    public let replica: ReplicaID
    public let journal: JournalID
    /// The position of the newest commit.
    public let position: Position
    /// The newest commit of every replica of the journal.
    package let frontier: [ReplicaID: SequenceNumber]
    /// The number of entities in the list that every store begins with, without deleted ones; nil if no views can be read yet.
    package let listed: Int?
    /// The views; empty if none can be read yet. Then `fault` is the reason, if there is one.
    public let views: [ViewStatus]
    /// The update of the program that is needed to see everything: until then every view may lack what commits of a newer version say. Nil
    /// if this version reads all commits that count, and if no views can be read yet.
    public let neededUpdate: NeededUpdate?
    /// The indexes of queries, by name: those of this process, and those that others have asked for. Empty if no views can be read yet.
    public let indexes: [IndexStatus]
    /// Why this store writes as another replica than before, since an opening or exchange; nil if it always was the
    /// same.
    public let identityChange: IdentityChange?
    /// The forks: different commits that a replica, copied or restored, wrote under one number. All of them count.
    public let forks: [Fork]
    /// Whether this replica may write.
    public let standing: MembershipStanding
    /// Commits of former replicas of this store that cannot be forwarded, because the key to sign them was lost.
    package let stranded: [ReplicaID: Int]
    /// Commits of which bytes are missing that nobody erased.
    public let missing: MissingBytes
    /// Why the views could not be updated; nil if they could.
    public let fault: GroupFault?
    /// Why groups of views could not be updated, by the groups' names, including those of apps and of other processes.
    public let faults: [String: GroupFault]
    /// Why existing groups of views were rebuilt when the store was opened, by the groups' names.
    package let rebuilt: [String: String]
    /// The source of an unfinished clone, in words that may be empty: it was interrupted, and the store may be
    /// incomplete. Nil if it is none. See `TripStore.clone`.
    public let unfinishedClone: String?
    /// The file with the readable rest of commits that the medium lost after it had reported them as stored; nil if
    /// that never happened, or the file was removed since. Other replicas may hold them.
    package let unreadableRecords: String?
    /// The file with commits that followed another data file than the current one, for example if an older one was
    /// restored; nil if that never happened, or the file was removed since.
    package let foreignRecords: String?
    /// The cursor of each subscription, by its name.
    public let subscriptions: [SubscriptionStatus]
    /// The state of the cache of decoded results.
    package let cache: CacheStatistics
}

extension TripStore {
    /// The name of the group of the built-in views, which their folder's notes have.
    static let groupName = "trips"

    /// The state of the store. With digests it reads every row of every view, and counts those of the indexes.
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
            replica: replica, journal: journal, position: position, frontier: frontier, listed: shown.listed,
            views: shown.views, neededUpdate: shown.needed, indexes: shown.indexes,
            identityChange: try log.lastIdentityChange(), forks: forks, standing: try standing(),
            stranded: stranded, missing: try missingBytes(), fault: views.fault,
            faults: try faults(), rebuilt: rebuilt, unfinishedClone: UnfinishedClone(in: folder).presentSource,
            unreadableRecords: StoreLayout(folder).unreadableRecords(log.unreadableRecords),
            foreignRecords: log.foreignRecords,
            subscriptions: try subscriptions().rows, cache: views.cacheStatistics)
    }

    /// What can be reported of the views: nothing while they are being built, or cannot be.
    private func shown(
        digests: Bool
    ) throws -> (listed: Int?, views: [ViewStatus], needed: NeededUpdate?, indexes: [IndexStatus]) {
        do {
            return try TripStoreError.wrap {
                let (wanted, progress) = (views.wantedAttachments, views.attachingProgress)
                let (listed, needed, indexes) = try read { views in
                    (
                        try views.listedCount(), try views.neededUpdate,
                        try views.indexes(wanted: wanted, building: progress, countingRows: digests)
                    )
                }
                return (listed, try views.status(digests: digests), needed, indexes)
            }
        } catch let error as TripStoreError where [.beingBuilt, .notBuilt, .closed].contains(error.code) {
            return (nil, [], nil, [])
        }
    }

    /// Why existing groups of views were rebuilt when the store was opened, by the groups' names: damage, or a machine
    /// that stopped before they were synced. Empty if they were served.
    package var rebuilt: [String: String] {
        var reasons: [String: String] = [:]
        reasons[Self.groupName] = views.replacementReason
        reasons["app"] = appGroup?.replacementReason
        reasons["search"] = searchGroup?.replacementReason
        return reasons
    }

    func faults() throws -> [String: GroupFault] {
        var faults = try GroupFault.all(in: log)
        if let fault = views.fault { faults[Self.groupName] = fault }
        if let fault = appGroup?.fault { faults["app"] = fault }
        if let fault = searchGroup?.fault { faults["search"] = fault }
        return faults
    }
}

extension TripStore {
    /// A sentence for people on the commits that need a newer version, with the names of the devices that wrote them.
    package func words(on needed: NeededUpdate) throws -> String {
        try readLog { log in
            var names: [String] = []
            for replica in needed.replicas.prefix(Self.mostNames) {
                // A name may have any length: its author chose it.
                let name = try log.deviceName(of: replica).prefix(40)
                names.append(name.isEmpty ? String("\(replica)".prefix(8)) : "\"\(name)\"")
            }
            if needed.replicas.count > Self.mostNames { names.append("others") }
            let authors =
                names.dropLast().joined(separator: ", ") + (names.count > 1 ? " and " : "") + (names.last ?? "")
            let version = needed.version.map { "TripStore \($0) or newer" } ?? "a newer version of TripStore"
            return
                "\(needed.commits.counted("commit")) by \(authors) \(needed.commits.agreeing("needs", "need")) \(version): what "
                + "\(needed.commits.agreeing("it says", "they say")) is not shown."
        }
    }

    /// The most devices that a sentence names.
    private static let mostNames = 3
}

/// An index, and whether queries can use it.
public struct IndexStatus: Sendable, Hashable {
    /// Whether an index can be used. New states may be added.
    public enum State: Sendable, Hashable {
        /// It has the rows of all entities.
        case ready
        /// It is being made of so many entities, of which some are done.
        case building(done: UInt64, total: UInt64)
        /// This process asked for it, and the views do not have it: another version of the library dropped it, or making it failed. Queries do
        /// without; the store makes it again with a write some minutes later, or when it is opened the next time.
        case missing
    }

    /// Its kind and its fields, as in "book by title": as `explain` names it.
    public let name: String
    public let state: State
    /// How many entities it has; nil unless requested.
    public let rows: Int?
}

extension TripViews {
    /// The indexes that are there, and those that are wanted and are not, by name. O(indexes), with rows O(rows).
    func indexes(
        wanted: [[UInt8]], building progress: BuildProgress?, countingRows: Bool
    ) throws -> [IndexStatus] {
        let attached = try snapshot.attachedViews
        let present = (attached.projection as? IndexProjection)?.indexes ?? []
        var found = try present.map { index in
            IndexStatus(
                name: index.definition.name(in: known), state: .ready, rows: countingRows ? try count(index.view) : nil)
        }
        let attachedDefinitions = Set(attached.views.map(\.definition))
        for definition in wanted.filter({ !attachedDefinitions.contains($0) }).compactMap({ IndexDefinition($0) }) {
            let state = progress.map { IndexStatus.State.building(done: $0.done, total: $0.total) } ?? .missing
            found.append(IndexStatus(name: definition.name(in: known), state: state, rows: nil))
        }
        return found.sorted { $0.name < $1.name }
    }

    private func count(_ view: AttachedViews.View) throws -> Int {
        var count = 0
        let rows = try snapshot.scan(view, KeyBounds(prefix: []))
        while try rows.next() != nil { count += 1 }
        return count
    }
}
