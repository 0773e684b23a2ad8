import EventLog
public import Events

/// An event in a server's sessions, for counting and for notifying others. It holds nothing of a journal's contents.
public enum SessionEvent: Sendable {
    /// A member's session began.
    case began(JournalID, ReplicaID)
    /// A member's session ended.
    case ended(JournalID, ReplicaID, SessionOutcome)
    /// A connection ended before a session began.
    case turnedAway(SessionOutcome)
    /// Commits that were not held, or bytes that were missing, were stored for the replica of a session. Commits that were held already are
    /// counted if they came in one message with others. A message with a fault stores the valid part of it, and `refused` follows.
    case stored(JournalID, ReplicaID, commits: Int, seconds: Double)
    /// Segments were refused, with the code that the client is told: `ownFault` for a fault of this side. That is noted as well of a request
    /// before which it could not be learnt what other servers stored, and of a client for whom the journal could not be opened. Never noted of
    /// attachments' bytes: a client sends them later after the answer `ContentError.Code.busy`.
    case refused(JournalID, ReplicaID, code: String)
    /// The code of a fault of this side.
    public static let ownFault = "failed"

    /// How many commits of a journal lack bytes that nobody erased: noted when it changes.
    case lacking(JournalID, commits: Int)
    /// Everything in a message was held already.
    case repeated(JournalID, ReplicaID)
}

/// How a connection to a server of sessions ended.
public enum SessionOutcome: String, Sendable, CaseIterable {
    /// In order: the client left, or was told that its membership has ended.
    case ended
    /// By a lost connection, a silent client, or a faulty message.
    case cut
    /// The server shuts down.
    case drained
    /// The client is no member that is served: a stranger, one that waits for its grant, or one that was revoked; or there
    /// were too many sessions.
    case refused
    /// The client did not prove a key in time.
    case unfinished
}

/// A message with segments that a peer wants to be stored.
struct StoringAttempt: Sendable {
    private let commits: Int
    private let start = ContinuousClock.now
    private var seconds = 0.0
    private var refusal: String?
    /// Whether anything was stored.
    var isNew = false

    init(_ segments: [LineSegment]) {
        commits = segments.reduce(0) { $0 + $1.commits.count }
    }

    func ended(refusal: String? = nil) -> StoringAttempt {
        var attempt = self
        let passed = ContinuousClock.now - start
        attempt.seconds = Double(passed.components.seconds) + Double(passed.components.attoseconds) * 1e-18
        attempt.refusal = refusal
        return attempt
    }

    func events(in journal: JournalID, _ replica: ReplicaID) -> [SessionEvent] {
        var events: [SessionEvent] = []
        if isNew { events.append(.stored(journal, replica, commits: commits, seconds: seconds)) }
        if let refusal { events.append(.refused(journal, replica, code: refusal)) }
        return events.isEmpty ? [.repeated(journal, replica)] : events
    }
}
