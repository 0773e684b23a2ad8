public import EventLog
public import Events

/// Requests a peer's erasures of commits whose hashes lie within bounds.
public struct ErasureRequest: Sendable, Hashable {
    /// The most states of a request, so that it and its response fit a message whatever was erased.
    static let mostStates = 1 << 18

    public var journal: JournalID
    /// The requester's erasure states of those commits.
    public var states: [ErasureState]
    /// Only hashes greater than this one; nil to start at the least.
    public var after: Digest?
    /// Only hashes up to this one; nil to end at the greatest.
    public var upTo: Digest?

    public init(journal: JournalID, states: [ErasureState], after: Digest? = nil, upTo: Digest? = nil) {
        self.journal = journal
        self.states = states
        self.after = after
        self.upTo = upTo
    }

    /// Requests that together cover every commit; `states` are ordered by hash.
    static func requests(
        journal: JournalID, states: [ErasureState], atMost count: Int = mostStates
    ) -> [ErasureRequest] {
        var found: [ErasureRequest] = []
        var rest = states[...]
        repeat {
            let part = rest.prefix(count)
            rest = rest.dropFirst(count)
            found.append(
                ErasureRequest(
                    journal: journal, states: Array(part), after: found.last?.upTo,
                    upTo: rest.isEmpty ? nil : part.last?.commit))
        } while !rest.isEmpty
        return found
    }

    func isAbout(_ state: ErasureState) -> Bool {
        after.map { $0 < state.commit } ?? true && upTo.map { state.commit <= $0 } ?? true
    }
}

/// Erasures in transit, and those wanted in return.
public struct ErasureBatch: Sendable, Hashable {
    /// The most erasures of a batch: each has a signature to check.
    public static let mostErasures = 4096
    /// A batch is sent at this size, with all of its last commit's.
    static let sentErasures = 4000
    /// About the bytes of such a batch.
    static let usualSize = 1 << 20

    /// Each the message `Erasure`.
    public var erasures: [[UInt8]]
    /// Hashes of commits of which the responder has fewer or other erasures than the requester.
    public var lacking: [Digest]

    public init(erasures: [[UInt8]] = [], lacking: [Digest] = []) {
        self.erasures = erasures
        self.lacking = lacking
    }
}

extension Log {
    /// The differences between this log's erasures and the requester's: batches of about 1 MiB.
    package func forEachErasureBatch(
        for request: ErasureRequest, _ body: (ErasureBatch) async throws -> Void
    ) async throws {
        let (differing, lacking) = try read { log in
            let own = Set(try log.erasureStates().filter(request.isAbout))
            let theirs = Set(request.states.filter(request.isAbout))
            return (own.subtracting(theirs).map(\.commit), theirs.subtracting(own).map(\.commit))
        }
        try await forEachErasureBatch(of: differing, lacking: lacking, body)
    }

    /// The erasures of some commits.
    func forEachErasureBatch(
        of commits: [Digest], lacking: [Digest] = [], _ body: (ErasureBatch) async throws -> Void
    ) async throws {
        var batch = ErasureBatch(lacking: lacking.sorted())
        var bytes = 0
        for commit in commits.sorted() {
            // Those of one commit stay together: together they may prove what none of them does alone.
            let erasures = try read { try $0.erasures(of: commit).map(\.bytes) }
            batch.erasures += erasures
            bytes += erasures.reduce(0) { $0 + $1.count }
            guard bytes >= ExchangeSession.batchBytes || batch.erasures.count >= ErasureBatch.sentErasures else {
                continue
            }
            try Task.checkCancellation()
            try await body(batch)
            (batch, bytes) = (ErasureBatch(), 0)
        }
        if !batch.erasures.isEmpty || !batch.lacking.isEmpty { try await body(batch) }
    }

    /// Keeps those of a batch that count. Throws `ExchangeError.malformed` if one cannot be read.
    @discardableResult
    func keep(_ batch: ErasureBatch) async throws -> Int {
        let erasures: [Erasure]
        do { erasures = try batch.erasures.map { try Erasure($0) } } catch {
            throw ExchangeError(.malformed, "The other sent an erasure that cannot be read: \(error).", cause: error)
        }
        return erasures.isEmpty ? 0 : try await keep(erasures)
    }
}
