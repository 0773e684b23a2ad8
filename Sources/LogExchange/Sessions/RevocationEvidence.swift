import EventLog
import Events

/// Why a client is not served that was revoked: the commits that say so, for it to judge by its own log. The claim of a server alone would
/// let any that lies, or was restored from an old backup, stop a device for good.
///
/// After a `welcome` with `revoked_by` the client sends one request, for segments without a wanted commit, and the server responds with
/// those that lead to the revocation, without the events of their commits: who is revoked reads no more than before.
enum RevocationEvidence {
    /// The most bytes that a client takes, and how long it takes.
    static let mostBytes = 64 << 20
    static let patience = Duration.seconds(120)
    /// The most commits that the client names as held: the request fits a frame of a greeting.
    private static let mostHeld = 128

    // MARK: The server

    static func send(
        of session: ServedSession, revokedBy admin: ReplicaID, over port: any FramePort,
        _ dependencies: SessionDependencies
    ) async throws {
        guard let bytes = try await port.receive(), bytes.count <= SessionFrame.largestGreeting,
            case .request(let request) = try SessionFrame(bytes),
            case .segmentRequest(let wanted) = try ExchangeMessage(request), wanted.journal == session.journal
        else { return }
        let log = session.log
        let revoked = Set(session.greeting.chain(in: session.journal))
        let ranges = try log.read { log in
            try log.ranges(
                towards: log.evidence(of: admin, revoking: revoked), lackedBy: wanted.held, in: log.journal())
        }
        var (count, bytesSent) = (UInt64(0), 0)
        let room = session.room
        let admit: @Sendable (Int) async throws -> Void = { try await room.reserve($0) }
        try await log.forEachSegment(of: ranges, in: session.journal, admit: admit) { whole in
            let segment = try whole.withoutContents(at: log.clock(), randomBytes: dependencies.randomBytes)
            bytesSent += segment.byteCount
            guard bytesSent <= mostBytes else { return }
            count += 1
            let answer = ExchangeMessage.segments([segment]).encoded()
            let cost = room.claim(answer.count)
            room.share?.awaits(.taking, true)
            try await port.send(SessionFrame.response(answer).encoded())
            room.share?.awaits(.taking, false)
            room.give(cost)
        }
        try await port.send(SessionFrame.lastResponse(ExchangeMessage.end(count: count).encoded()).encoded())
    }

    // MARK: The client

    /// Asks for it, stores what passes the checks of every segment, and returns who revoked this replica by its own log; nil if nobody did.
    static func receive(_ log: Log, journal: JournalID, over port: any FramePort) async throws -> ReplicaID? {
        let held = try log.read { try Array($0.heldHeads().prefix(mostHeld)) }
        let request = SegmentRequest(journal: journal, wanted: [], held: held)
        try await port.send(SessionFrame.request(ExchangeMessage.segmentRequest(request).encoded()).encoded())
        var bytes = 0
        receiving: while let frame = try await port.receive() {
            bytes += frame.count
            guard bytes <= mostBytes * 2 else { break }
            switch try SessionFrame(frame) {
            case .response(let response):
                guard case .segments(let segments) = try ExchangeMessage(response), !segments.isEmpty else {
                    break receiving
                }
                for segment in segments where segment.journal == journal {
                    // A segment with a fault shows nothing.
                    do { _ = try await log.store([segment]) } catch let error as EventLogError
                        where error.isOfOneReplica
                    {}
                }
            default: break receiving
            }
        }
        return try await revoker(of: log)
    }

    /// Who revoked this log's replica, or one that it succeeds, by the log itself.
    static func revoker(of log: Log) async throws -> ReplicaID? {
        if case .revoked(let by) = try log.standing(of: try await log.greeting().greeting) { by } else { nil }
    }
}

extension LogSnapshot {
    /// The newest signed commits of replicas that are or were admins.
    fileprivate func heldHeads() throws -> [CommitID] {
        let admins = Set(try membership()?.members.values.filter { $0.role == .admin }.map(\.replica) ?? [])
        return try signedHeads(of: journal()).filter { admins.contains($0.replica) }
    }
}
