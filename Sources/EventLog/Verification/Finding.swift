public import Events

/// Something in a log that is not as it must be.
public struct Finding: Sendable, Hashable, CustomStringConvertible {
    /// What kind of fault it is, for programs.
    public let code: String
    public let position: Position?
    public let replica: ReplicaID?
    public let sequence: SequenceNumber?
    /// What is wrong, with the values, in words.
    public let message: String

    public init(
        _ code: String, _ message: String, position: Position? = nil, replica: ReplicaID? = nil,
        sequence: SequenceNumber? = nil
    ) {
        self.code = code
        self.message = message
        self.position = position
        self.replica = replica
        self.sequence = sequence
    }

    public var description: String { position.map { "position \($0): \(message)" } ?? message }
}

/// What a verification found.
public struct VerificationReport: Sendable, Hashable {
    public var commits = 0
    public var events = 0
    /// Events that were erased of commits of which something is left: not among `events`.
    public var erasedEvents = 0
    /// Commits of which nothing is left but the proof; how many events they had cannot be known.
    public var erasedCommits = 0
    public var replicas = 0
    /// How far the log went when it was verified: it may have grown meanwhile.
    public var position = Position.start
    /// Everything that is not as it must be, in the order in which it was met.
    public var findings: [Finding] = []

    /// Whether nothing was altered or lost.
    public var isIntact: Bool { findings.isEmpty }

    public init() {}
}
