import EventLog
import Events

/// Receiving what the peer has.
extension Exchange {
    /// Too much useless data arrived, so the stream was ended.
    struct Exhausted: Error {}

    /// How many consecutive streams are requested again without some replicas after they brought nothing new.
    private static let mostVainStreams = 16

    mutating func receive(_ plan: ExchangePlan, _ remote: Frontier) async throws {
        var wanted = plan.wanted
        var fault: (any Error)?
        var vainStreams = 0
        while !wanted.isEmpty {
            let before = report.received.commits
            let stream = try await receive(wanted, remote)
            fault = fault ?? stream.fault
            guard stream.isExhausted else { break }
            // The lines of other replicas may have been behind those that are refused.
            wanted.removeAll { stream.passedOver[$0.replica] != nil }
            vainStreams = report.received.commits > before ? 0 : vainStreams + 1
            if vainStreams == Self.mostVainStreams { break }
        }
        if let fault { throw fault }
        let missing = try log.read { log in
            let journal = try log.journal()
            let membership = try log.membership()
            return try plan.wanted.first {
                try !log.holds($0, in: journal) && membership?.members[$0.replica]?.isRevoked != true
            }
        }
        if let missing {
            throw ExchangeError(
                .withheld,
                "The other announced commit \(missing.sequence) of replica \(missing.replica) with the hash "
                    + "\(missing.hash), and did not send it. What came was kept; try again.")
        }
    }

    /// Requests the commits up to some heads, and stores them, until the stream ends or is cut off.
    private mutating func receive(_ wanted: [CommitID], _ remote: Frontier) async throws -> GatheredSegments {
        let (request, guardian) = try log.read { log in
            let journal = try log.journal()
            var held: [CommitID] = []
            for replica in Set(wanted.map(\.replica)) { held += try log.samples(of: replica, in: journal) }
            let newest = try log.newestCommits(of: journal)
            return (
                SegmentRequest(journal: journal, wanted: wanted, held: held.limited(to: Frontier.mostHeads)),
                StreamGuard(journal: journal, heads: remote.heads, wanted: wanted, held: newest)
            )
        }
        progress.commitsToReceive = guardian.expected
        tell(progress)
        let storedBytes = min(ExchangeSession.storedBytes, session.mostPassedOver)
        var gathered = GatheredSegments(guardian, mostPassedOver: session.mostPassedOver)
        do {
            // The closure may not mutate the captured value, so it works on a copy.
            var (receiving, exchange) = (gathered, self)
            defer { (gathered, self) = (receiving, exchange) }
            try await peer.segments(request) { segment in
                try Task.checkCancellation()
                try receiving.add(segment)
                if receiving.bytes >= storedBytes { try await exchange.store(&receiving) }
                if receiving.isExhausted { throw Exhausted() }
            }
        } catch is Exhausted {
        } catch {
            // Segments that arrived before the failure are kept; if they cannot be stored, the first failure counts.
            try? await store(&gathered)
            throw error
        }
        try await store(&gathered)
        return gathered
    }

    private mutating func store(_ gathered: inout GatheredSegments) async throws {
        let segments = gathered.take()
        guard let first = segments.first else { return }
        do {
            return try await store(segments, &gathered)
        } catch  where Self.isTheirs(error) {
            guard segments.count > 1 else { return gathered.refuse(first, error) }
        }
        // One of them is faulty. Those before it are stored, and so are other replicas'.
        for segment in segments {
            if gathered.isSpoiled(segment.replica) {
                gathered.passOver(segment.roughSize, of: segment.replica)
                continue
            }
            do { try await store([segment], &gathered) } catch  where Self.isTheirs(error) {
                gathered.refuse(segment, error)
            }
        }
    }

    /// Whether the received data is at fault, and not the medium.
    static func isTheirs(_ error: any Error) -> Bool {
        switch error {
        case let error as EventLogError: error.isOfOneReplica || error.code == .otherJournal
        case let error as ExchangeError: [.missingStart, .withheld, .unannounced].contains(error.code)
        default: false
        }
    }

    private mutating func store(_ segments: [LineSegment], _ gathered: inout GatheredSegments) async throws {
        let stored: Stored
        do {
            stored = try await log.store(segments)
        } catch let error as EventLogError where error.code == .missingStart && segments.count == 1 {
            throw ExchangeError(
                .missingStart,
                "\(error.message) If it is a bundle, it was written for somebody who holds more: get one since what is held "
                    + "here, or a complete one.", cause: error)
        }
        for (replica, bytes) in stored.passedOver { gathered.passOver(bytes, of: replica) }
        report.received.commits += stored.commits
        report.received.events += stored.events
        report.received.bytes += stored.bytes
        for fork in stored.forks where !report.forks.contains(fork) { report.forks.append(fork) }
        report.identityChange = stored.identityChange ?? report.identityChange
        if let newest = stored.newest, ahead(newest) > ExchangeSession.toleratedSkew {
            for segment in segments { noteAhead(segment) }
        }
        progress.received = report.received
        tell(progress)
    }

    private func ahead(_ timestamp: Timestamp) -> Int64 {
        let (ahead, overflow) = Int64(clamping: timestamp.milliseconds).subtractingReportingOverflow(log.wallClock)
        return overflow ? .max : ahead
    }

    /// Records timestamps far ahead of this replica's clock: their author's clock, or one that it saw, is ahead.
    private mutating func noteAhead(_ segment: LineSegment) {
        let newest = segment.commits.last?.withUnsafeBytes { try? CommitView($0).header.timestamp }
        guard let newest else { return }
        let (ahead, replica) = (ahead(newest), segment.replica)
        guard ahead > ExchangeSession.toleratedSkew else { return }
        if let index = report.clockSkews.firstIndex(where: { $0.replica == replica }) {
            report.clockSkews[index].milliseconds = max(report.clockSkews[index].milliseconds, ahead)
        } else {
            report.clockSkews.append(ExchangeReport.ClockSkew(replica: replica, milliseconds: ahead))
        }
    }
}

extension [CommitID] {
    /// At most that many: of each replica the newest.
    fileprivate func limited(to most: Int) -> [CommitID] {
        guard count > most else { return self }
        let byReplica = Dictionary(grouping: self, by: \.replica)
        let share = Swift.max(1, most / byReplica.count)
        return Array(byReplica.values.flatMap { $0.sorted { $0.sequence > $1.sequence }.prefix(share) }.prefix(most))
    }
}
