public import EventLog
public import Events

/// A log of this process as the peer of an exchange; also the server side of every carrier that ends at a log.
///
/// No read is held while a segment is passed on: each is read on its own.
public struct LogPeer: ExchangePeer {
    public let log: Log
    /// Milliseconds since 1970, for records.
    private let now: @Sendable () -> Int64
    private let writesAtOnce: Bool
    private let joins: Bool
    /// Called with the bytes of a segment before it is read; may wait.
    var admit: (@Sendable (Int) async throws -> Void)?
    public let contents: (any ContentPeer)?

    public init(_ log: Log) { self.init(log, writesAtOnce: false) }

    /// `writesAtOnce` is for a log that is open only during the exchange. Unless it `joins`, an empty log stays empty:
    /// for carriers over which other people may push.
    init(_ log: Log, writesAtOnce: Bool = false, joins: Bool = true) {
        self.log = log
        self.writesAtOnce = writesAtOnce
        self.joins = joins
        now = { log.wallClock }
        let folder = ContentFolder.beside(log)
        contents = joins ? FolderContents(folder) : CheckedContents(log, folder)
    }

    /// A copy of a journal that is kept elsewhere. It joins none that is pushed to it.
    init(_ backed: any BackedJournal) {
        let log = backed.log
        self.log = log
        writesAtOnce = false
        joins = false
        now = { log.wallClock }
        contents = backed.contents
    }

    /// The same log, which joins no journal that is pushed to it.
    var withoutJoining: LogPeer { LogPeer(log, writesAtOnce: writesAtOnce, joins: false) }

    public func greet(_ greeting: Greeting) async throws -> Greeting {
        guard greeting.version >= 1 else {
            throw ExchangeError(.malformed, "The other speaks version \(greeting.version) of the exchange.")
        }
        _ = try await log.renewLineAhead(confirmedBy: greeting.clock)
        // A failure to erase or remove now, on a full disk for example, keeps no peer from reading.
        if !log.isReadOnly {
            _ = try? await log.sweep()
            _ = try? await log.removeDue()
        }
        let own = try await log.greeting()
        if greeting.digest == own.frontier.digest && greeting.replica != own.greeting.replica {
            // No further messages follow: both hold the same.
            try await acknowledge(
                Acknowledgement(replica: greeting.replica, name: greeting.name, frontier: own.frontier))
        }
        return own.greeting
    }

    public func frontier() async throws -> Frontier {
        try await log.signHead()
        return try log.read { try Frontier($0) }
    }

    public func lastPosition() async throws -> Position? { try log.read { try $0.lastPosition() } }

    public func segments(_ request: SegmentRequest, _ body: (LineSegment) async throws -> Void) async throws {
        let own = log.journal
        guard request.journal == own else { throw ExchangeError.otherJournal(own, request.journal) }
        let ranges = try log.read {
            try $0.ranges(towards: request.wanted, lackedBy: request.held, in: request.journal)
        }
        try await log.forEachSegment(of: ranges, in: request.journal, admit: admit, body)
    }

    public func store(_ segments: [LineSegment]) async throws -> Acknowledgement {
        if let journal = segments.first?.journal, journal != log.journal {
            guard try log.isEmpty() else { throw ExchangeError.otherJournal(log.journal, journal) }
            guard joins else {
                throw ExchangeError(
                    .empty,
                    "This store holds nothing yet, and joins no journal that is pushed to it. Exchange from its side first."
                )
            }
            try await log.join(journal)
        }
        do { try await log.store(segments) } catch let error as EventLogError
            where error.isOfOneReplica && segments.count > 1
        {
            try await storeEach(segments)
        }
        try await log.admitRequests()
        return try await log.acknowledgement()
    }

    /// Stores each segment that can be stored: after a fault in a replica's segment, its further segments are skipped.
    /// Throws the first fault at the end.
    private func storeEach(_ segments: [LineSegment]) async throws {
        var fault: (any Error)?
        var spoiled: Set<ReplicaID> = []
        for segment in segments where !spoiled.contains(segment.replica) {
            do { try await log.store(segment) } catch let error as EventLogError where error.isOfOneReplica {
                fault = fault ?? error
                // Other branches of a replica with too many continue.
                if error.code != .tooManyBranches { spoiled.insert(segment.replica) }
            }
        }
        if let fault { throw fault }
    }

    public func acknowledge(_ acknowledgement: Acknowledgement) async throws {
        guard !log.isReadOnly else { return }
        try await PeerBook(log, writesAtOnce: writesAtOnce).noteExchange(with: acknowledgement, at: now())
    }

    public func holes(after: Digest?) async throws -> [Hole]? {
        let holes = try log.read { try $0.holes() }
        return Array(holes.drop { hole in after.map { hole.commit.hash <= $0 } ?? false }.prefix(Hole.mostNamed))
    }

    public func welcome(_ replica: ReplicaID, as role: MemberRole) async throws -> Bool {
        let isAdmin = try log.read { log in
            guard let membership = try log.membership(), let own = try log.ownMember(membership) else { return false }
            return own.role == .admin && !own.isRevoked
        }
        guard isAdmin, !log.isReadOnly else { return false }
        return try await log.grant(role, to: replica) != nil
    }
}

extension ExchangeError {
    static func otherJournal(_ own: JournalID, _ other: JournalID) -> ExchangeError {
        ExchangeError(
            .otherJournal,
            "This store belongs to the journal \(own) and the other to \(other): they share no history. Exchange with a "
                + "store of the same journal, or adopt the other's entities.")
    }
}

extension Log {
    /// This log's greeting, and the frontier whose digest that has. Signs its line, so that all of it can be offered.
    package func greeting() async throws -> (greeting: Greeting, frontier: Frontier) {
        try await signHead()
        return try read { log in
            let frontier = try Frontier(log)
            let handovers = try handovers(in: log)
            let (journal, own) = (try log.journal(), try log.replica())
            let claims = try log.membership()?.claims ?? [:]
            // A former replica's request applies to its successor.
            let chain = [own] + (handovers.last?.successor == own ? handovers.reversed().map(\.former) : [])
            let greeting = Greeting(
                journal: try log.isEmpty(journal) ? nil : journal, replica: own, name: try log.deviceName(),
                clock: wallClock, digest: frontier.digest, isWritable: !isReadOnly,
                request: chain.lazy.compactMap { claims[$0] }.first,
                handovers: handovers.last?.successor == own ? handovers : [], holes: try log.holes().digest)
            return (greeting, frontier)
        }
    }

    /// What this log holds durably: everything committed is durable.
    func acknowledgement() async throws -> Acknowledgement {
        try await signHead()
        return try read { log in
            Acknowledgement(replica: try log.replica(), name: try log.deviceName(), frontier: try Frontier(log))
        }
    }

    /// Reads ranges segment by segment, each in a read of its own. `admit` is called before, with the bytes of its commits if they are
    /// many; it may wait for room.
    package func forEachSegment(
        of ranges: [LineRange], in journal: JournalID, admit: (@Sendable (Int) async throws -> Void)? = nil,
        _ body: (LineSegment) async throws -> Void
    ) async throws {
        for range in ranges {
            var sequence = range.after
            while sequence < range.head.sequence {
                try Task.checkCancellation()
                let segment = try await segment(towards: range.head, after: sequence, in: journal, admit: admit)
                guard let segment else { break }
                sequence = segment.last
                try await body(segment)
            }
        }
    }

    private func segment(
        towards head: CommitID, after sequence: SequenceNumber, in journal: JournalID,
        admit: (@Sendable (Int) async throws -> Void)?
    ) async throws -> LineSegment? {
        var limit = admit == nil ? Int.max : AnswerRoom.usual
        while true {
            try await admit?(limit)
            do {
                return try read { try $0.segment(towards: head, after: sequence, in: journal, atMost: limit) }
            } catch let error as SegmentExceeds { limit = error.bytes }
        }
    }
}
