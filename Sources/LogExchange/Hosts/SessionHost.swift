public import EventLog
public import Events

/// Decides which log a server's sessions are about.
public protocol SessionHost: Sendable {
    /// The log for a journal, opened; nil if there is none here for the peer.
    ///
    /// `journal` is nil if the client knows none. The peer has proved its key, and nothing else.
    ///
    /// Throws `HostUnavailable` if it can open no journal at all: then the server closes the connection, and the client tries again later.
    /// After any other error the server refuses the client as it refuses strangers.
    func log(for journal: JournalID?, peer: SessionPeerKey) async throws -> HostedLog?
}

/// No journal can be opened at the moment: what all are kept in is away.
public struct HostUnavailable: Error, CustomStringConvertible {
    public let description: String

    /// `reason` is for the host's log.
    public init(_ reason: String) { description = reason }
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
    /// How the log is filled while it knows no members; nil for one that others do not fill.
    let beginning: JournalBeginning?
    /// Throws once the log is not to be served any more.
    let check: @Sendable () throws -> Void
    /// What is kept elsewhere and copied in the log; nil for a log of its own.
    let backed: (any BackedJournal)?
    /// Where it is kept what came of segments and contents before a connection ended.
    let parts: PartFolder

    /// `check` is called before each request, and throws once the log is not to be served any more.
    public init(_ log: Log, check: @escaping @Sendable () throws -> Void = {}) {
        self.init(log, lease: nil, beginning: nil, check: check)
    }

    init(
        _ log: Log, lease: (any Sendable)?, beginning: JournalBeginning?,
        backed: (any BackedJournal)? = nil, parts: PartFolder? = nil,
        check: @escaping @Sendable () throws -> Void = {}
    ) {
        self.log = log
        self.backed = backed
        self.lease = lease
        self.beginning = beginning
        self.check = check
        self.parts = parts ?? .beside(log)
    }
}

/// One log, for the members of its journal: the same server inside of an app, peer to peer.
public struct SingleLogHost: SessionHost {
    private let log: Log
    private let check: @Sendable () throws -> Void

    /// `check` throws once the log is not to be served any more.
    public init(_ log: Log, check: @escaping @Sendable () throws -> Void = {}) {
        self.log = log
        self.check = check
    }

    public func log(for journal: JournalID?, peer: SessionPeerKey) async throws -> HostedLog? {
        let own = log.journal
        // Of an open journal the id is all that a peer must know.
        guard journal == own || journal == nil && own.isFounded else { return nil }
        try check()
        return HostedLog(log, check: check)
    }
}
