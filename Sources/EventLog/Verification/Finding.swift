package import Events

/// A fault in a log.
public struct Finding: Sendable, Hashable, CustomStringConvertible {
    /// The kind of fault, for code.
    public let code: String
    public let position: Position?
    package let replica: ReplicaID?
    package let sequence: SequenceNumber?
    /// A description of the fault, with the values.
    public let message: String

    package init(
        _ code: String, _ message: String, position: Position? = nil, replica: ReplicaID? = nil,
        sequence: SequenceNumber? = nil
    ) {
        self.code = code
        self.message = message
        self.position = position
        self.replica = replica
        self.sequence = sequence
    }

    /// The code of `lostRecords(in:)`.
    package static let lostRecordsCode = "lostRecords"

    /// The finding that the medium lost commits after it had reported them as stored; what is left of their records is in a file.
    package static func lostRecords(in file: String) -> Finding {
        Finding(
            lostRecordsCode,
            "The medium lost commits that it had said to have stored. What is left of their records is in \(file). Exchange with other "
                + "replicas, which may hold them, and remove the file when you have taken note.")
    }

    public var description: String { position.map { "position \($0): \(message)" } ?? message }
}

/// The result of a verification.
public struct VerificationReport: Sendable, Hashable {
    public var commits = 0
    package var events = 0
    /// Erased events of commits of which something is left: not among `events`.
    package var erasedEvents = 0
    /// Commits of which only the proof is left; how many events they had is unknown.
    package var erasedCommits = 0
    package var replicas = 0
    /// The newest position when it was verified: the log may have grown meanwhile.
    public var position = Position.start
    /// All faults, in the order in which they were found.
    public var findings: [Finding] = []

    /// Whether nothing was altered or lost.
    public var isIntact: Bool { findings.isEmpty }

    package init() {}
}
