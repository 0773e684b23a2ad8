import EventLog
public import Events
public import Foundation
public import LogExchange

/// The state of another replica that a store met.
public struct PeerStatus: Sendable, Hashable, Identifiable {
    public let replica: ReplicaID
    /// The device's name, for people; empty if it has none.
    public let name: String
    /// When an exchange with it last succeeded; nil if none did. In another process, or after a crash, it may be up to
    /// a minute older.
    public let lastExchange: Date?
    /// When one was last tried.
    package let lastTried: Date?
    /// Why the last one failed and what to do; nil if it did not.
    public let lastError: String?
    /// The commits that it acknowledged to hold, durably.
    package let acknowledged: Frontier
    /// The number of commits that are held here and not there, as far as it acknowledged.
    public let commitsToSend: Int
    /// The number that are held there and not here, as far as it announced, after an interrupted exchange.
    public let commitsToReceive: Int

    /// The progress of a running exchange with it.
    public let progress: ExchangeProgress?

    public var id: ReplicaID { replica }
}

extension TripStore {
    /// The replicas that this store met, by id. O(peers and lines).
    public func peers() throws -> Rows<PeerStatus> {
        let running = runningExchanges
        return try readPeers { records, log in
            let peers = try records.map { record in
                PeerStatus(
                    replica: record.replica, name: record.name, lastExchange: record.lastExchange.map(Self.date),
                    lastTried: record.lastTried.map(Self.date), lastError: record.lastError,
                    acknowledged: record.acknowledged, commitsToSend: try record.commitsToSend(log),
                    commitsToReceive: try record.commitsToReceive(log),
                    progress: running.first { $0.peer == record.replica })
            }
            return Rows(peers, try log.lastPosition())
        }
    }

    /// The bytes of the commits that a peer lacks, as far as it acknowledged; 0 if it is unknown. O(those commits).
    package func bytesToSend(to replica: ReplicaID) throws -> Int {
        try readPeers { records, log in
            try records.first { $0.replica == replica }?.bytesToSend(log) ?? 0
        }
    }

    /// The replicas that have acknowledged a commit, without this one. Empty for the receipt of a write that changed
    /// nothing, which has no commit.
    public func holders(of receipt: Receipt) throws -> [ReplicaID] {
        guard let commit = receipt.commit else { return [] }
        return try readPeers { records, log in try records.filter { try $0.holds(commit, log) }.map(\.replica) }
    }

    /// Forgets a replica whose device is gone, so that nothing waits for it any more. Meeting it again adds it again.
    public func forget(_ replica: ReplicaID) async throws {
        try await TripStoreError.wrapAsync { try await PeerBook(log).forget(replica) }
    }

    func readPeers<T>(_ body: ([PeerRecord], borrowing LogSnapshot) throws -> T) throws -> T {
        try TripStoreError.wrap {
            let records = try PeerBook(log).records()
            return try log.read { try body(records, $0) }
        }
    }

    private static func date(_ milliseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}
