public import EventLog
public import Events

/// Decides which log a server's sessions are about.
public protocol SessionHost: Sendable {
    /// The log for a journal, opened; nil if there is none here for the peer.
    ///
    /// `journal` is nil if the client knows none. The peer has proved its key, and nothing else.
    func log(for journal: JournalID?, peer: SessionPeerKey) async throws -> HostedLog?
}

/// The key that a peer has proved.
public struct SessionPeerKey: Sendable, Hashable {
    /// 32 bytes.
    public let publicKey: [UInt8]
    public var replica: ReplicaID { ReplicaID(publicKey: publicKey) }

    public init(publicKey: [UInt8]) { self.publicKey = publicKey }
}

/// A log for one session.
public struct HostedLog: Sendable {
    public let log: Log
    /// Kept as long as the session lasts.
    let lease: (any Sendable)?
    /// How replicas that are not known here may fill the log; nil if they may not.
    let beginning: JournalBeginning?

    public init(_ log: Log) { self.init(log, lease: nil, beginning: nil) }

    init(_ log: Log, lease: (any Sendable)?, beginning: JournalBeginning?) {
        self.log = log
        self.lease = lease
        self.beginning = beginning
    }
}

/// One log, for the members of its journal: the same server inside of an app, peer to peer.
public struct SingleLogHost: SessionHost {
    private let log: Log

    public init(_ log: Log) { self.log = log }

    public func log(for journal: JournalID?, peer: SessionPeerKey) async throws -> HostedLog? {
        let own = log.journal
        // Of an open journal the id is all that a peer must know.
        guard journal == own || journal == nil && own.isFounded else { return nil }
        return HostedLog(log)
    }
}
