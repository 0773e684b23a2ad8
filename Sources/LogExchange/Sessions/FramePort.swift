public import Events

/// One end of a connection: whole frames in both directions, in order. All that a session needs of a transport.
///
/// One task sends and one receives at a time; both may run at once. A failed call ends the connection.
public protocol FramePort: Sendable {
    /// The digests that identify the connection's server outside of the frames, so that a session cannot be relayed to
    /// another server: SHA-256 of the SubjectPublicKeyInfo (DER) of its certificate.
    ///
    /// At a client, the digest of the one that the server has shown. At a server, those of all that it may have shown
    /// on this connection: certificates are replaced while connections last.
    var certificates: [Digest] { get }

    /// Sends a frame; waits while the other end is slow. Frames have at most `SessionFrame.largest` bytes.
    func send(_ frame: [UInt8]) async throws

    /// The next frame; nil once the other end has closed the connection in order. The frame before is done with then: a transport may count
    /// its bytes until this is called again.
    func receive() async throws -> [UInt8]?

    /// How many bytes of frames have arrived, those of a frame that is not whole yet included: a slow connection is alive
    /// while it grows. 0 for ever, the default, at a transport that does not count.
    var receivedBytes: UInt64 { get }

    /// How many bytes of frames the network has taken of this end: an end that takes less than `SessionLimits.pause` asks for is let go.
    var sentBytes: UInt64 { get }

    /// Whether a part of a frame has arrived, and its rest is waited for. False, the default, at a transport that does not tell.
    var isAwaitingRest: Bool { get }

    /// The connection's share of a server's memory, by which the transport counts what it receives, and a session what it answers; nil, the
    /// default, if nothing bounds that.
    var memory: MemoryShare? { get }

    /// The server has found out something about its client, which a transport lets use more of the server the higher it stands. A replica is
    /// not proved by a ticket. Does nothing by default.
    func stands(_ standing: ClientStanding, of replica: ReplicaID)

    /// Ends the connection, and calls that wait; may be repeated.
    func close()
}

extension FramePort {
    public var receivedBytes: UInt64 { 0 }

    public var isAwaitingRest: Bool { false }

    public var memory: MemoryShare? { nil }

    public func stands(_ standing: ClientStanding, of replica: ReplicaID) {}
}

/// Standings of a connection's client, by what a server knows of it, the least first.
public enum ClientStanding: Int, Sendable, Comparable {
    /// Nothing.
    case unknown
    /// It shows a ticket: a replica with its key was served not long ago.
    case ticket
    /// It has a session, in which it begins a journal.
    case beginning
    /// It has a session as a member.
    case served

    public static func < (one: ClientStanding, other: ClientStanding) -> Bool { one.rawValue < other.rawValue }
}

/// Reaches one server, again and again: a transport's client side.
public protocol FrameConnector: Sendable {
    /// The server's address, for people.
    var address: String { get }

    /// The journal that the address names; nil if it names none. Nil by default.
    var journal: JournalID? { get }

    /// Opens a connection. Throws why there is none: after `ExchangeError` with a code of trust (`.notTrusted`) an
    /// attempt without a change by a person is useless, all else may pass.
    func connect() async throws -> any FramePort
}

extension FrameConnector {
    public var journal: JournalID? { nil }
}
