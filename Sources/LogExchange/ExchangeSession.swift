public import EventLog
import Events
import Foundation
public import Logging
import Metrics
import Platform
import Synchronization

/// One exchange: both sides have the same commits after it.
///
/// It fetches first: once everything that the peer has is here, what it lacks is exact, and is sent. Sequentially, so
/// that the course of an exchange follows from what both hold and can be repeated. Memory holds a few segments at a
/// time, whatever the logs' size. It may end at any point, be cancelled or interrupted: complete segments stay, and the
/// next exchange continues from there.
public struct ExchangeSession: Sendable {
    /// Clocks that are further off are reported: five minutes.
    static let toleratedSkew: Int64 = 300_000
    /// Approximate bytes of segments that are sent together.
    static let batchBytes = 1 << 20
    /// Approximate bytes of segments that share a transaction here, so that many short ones do not wait for the medium
    /// each.
    static let storedBytes = 2 << 20

    let log: Log
    let peer: any ExchangePeer
    /// Whether to search the whole log for holes.
    let isHealing: Bool
    /// The most bytes that may arrive without being stored: tests use less.
    var mostPassedOver = GatheredSegments.mostPassedOver
    private let logger: Logger
    private let progress: @Sendable (ExchangeProgress) -> Void

    /// `progress` is called at each step.
    ///
    /// Bytes that are missing on one side and that no erasure names are restored from the other. With `healing` the whole log is searched
    /// for those that its file lost (the finding `payloadMissing` of a verification): O(commits).
    public init(
        _ log: Log, with peer: any ExchangePeer, healing isHealing: Bool = false,
        logger: Logger = Logger(label: "tripstore.exchange"),
        progress: @escaping @Sendable (ExchangeProgress) -> Void = { _ in }
    ) {
        self.log = log
        self.peer = peer
        self.isHealing = isHealing
        self.logger = logger
        self.progress = progress
    }

    /// Exchanges.
    ///
    /// Throws `ExchangeError`, `EventLogError` for data that does not pass the checks, what the carrier throws, or
    /// `CancellationError`. Everything stored by then stays, on both sides, and the failure is recorded for the peer.
    @discardableResult
    public func run() async throws -> ExchangeReport {
        let (report, fault) = try await runToEnd()
        if let fault { throw fault }
        return report
    }

    /// The same. A fault in the commits of some replicas, which kept nothing else from being exchanged, is returned.
    package func runToEnd() async throws -> (report: ExchangeReport, fault: (any Error)?) {
        let start = ContinuousClock.now
        var greeted: Greeting?
        var acknowledged = Frontier.empty
        do {
            try Task.checkCancellation()
            var own = try await log.greeting()
            progress(ExchangeProgress())
            var greeting = try await peer.greet(own.greeting)
            greeted = greeting
            try check(greeting, against: own.greeting)
            let change = try await log.renewLineAhead(confirmedBy: greeting.clock)
            if change != nil {
                own = try await log.greeting()
                greeting = try await peer.greet(own.greeting)
                greeted = greeting
                try check(greeting, against: own.greeting)
            }
            var exchange = Exchange(self, own: own, greeting: greeting, progress)
            exchange.report.identityChange = change
            do { try await exchange.run() } catch {
                // The peer's acknowledgement holds, however the exchange ended.
                acknowledged = exchange.report.acknowledged
                throw error
            }
            var report = exchange.report
            report.seconds = (ContinuousClock.now - start) / .seconds(1)
            if let fault = exchange.fault {
                await record(fault, greeted, report.acknowledged)
            } else {
                try await record(report)
            }
            return (report, exchange.fault)
        } catch {
            await record(error, greeted, acknowledged)
            throw error
        }
    }

    /// Whether a peer says what is so now. One without a clock is a file, or something like it, unless a replica has proved its key; a file
    /// states what was so when it was written.
    func isFirstHand(_ greeting: Greeting) -> Bool { greeting.clock != nil || peer is SessionPeer }

    private func check(_ greeting: Greeting, against own: Greeting) throws(ExchangeError) {
        guard greeting.version >= 1 else {
            throw ExchangeError(.malformed, "The other speaks version \(greeting.version) of the exchange.")
        }
        if let journal = own.journal, let other = greeting.journal, journal != other {
            throw ExchangeError.otherJournal(journal, other)
        }
    }

    private func record(_ report: ExchangeReport) async throws {
        if !log.isReadOnly {
            let acknowledgement = Acknowledgement(
                replica: report.peer.replica, name: report.peer.name, frontier: report.acknowledged)
            let isFirstHand = isFirstHand(report.peer)
            try await PeerBook(log).noteExchange(
                with: acknowledgement, isFirstHand: isFirstHand,
                lackingToo: isFirstHand && report.peer.holes != nil ? Set(report.missingOnBoth.map(\.hash)) : nil,
                unacknowledged: report.unacknowledged, at: log.wallClock)
        }
        logger.info(
            "exchanged with a replica",
            metadata: [
                "peer": "\(report.peer.replica)", "sentCommits": "\(report.sent.commits)",
                "sentBytes": "\(report.sent.bytes)", "receivedCommits": "\(report.received.commits)",
                "receivedBytes": "\(report.received.bytes)", "seconds": "\(report.seconds)",
            ])
        for commit in report.withdrawn {
            logger.warning(
                "a replica lacks what it had acknowledged: it lost commits, or hides them",
                metadata: ["peer": "\(report.peer.replica)", "commit": "\(commit)"])
        }
        if report.notShown > 0 {
            logger.warning(
                "a replica does not show what it was sent long ago: it does not store it, or hides it",
                metadata: ["peer": "\(report.peer.replica)", "commits": "\(report.notShown)"])
        }
        for fork in report.forks {
            logger.warning(
                "a replica's line forks: it was copied or restored, and wrote on under one id",
                metadata: ["replica": "\(fork.replica)", "sequence": "\(fork.sequence)"])
        }
        for skew in report.clockSkews {
            logger.warning(
                "a clock is off", metadata: ["replica": "\(skew.replica)", "milliseconds": "\(skew.milliseconds)"])
        }
        if let change = report.identityChange {
            logger.warning(
                "the replica goes on under a new id",
                metadata: ["previous": "\(change.previous)", "reason": "\(change.reason)"])
        }
        Counter(label: "tripstore.exchange.commits.sent").increment(by: report.sent.commits)
        Counter(label: "tripstore.exchange.commits.received").increment(by: report.received.commits)
        Metrics.Timer(label: "tripstore.exchange.duration").recordSeconds(report.seconds)
    }

    private func record(_ error: any Error, _ greeting: Greeting?, _ acknowledged: Frontier) async {
        let isCancelled = error is CancellationError
        logger.log(
            level: isCancelled ? .info : .warning, isCancelled ? "an exchange was cancelled" : "an exchange failed",
            metadata: ["peer": "\(greeting.map { "\($0.replica)" } ?? "unknown")", "error": "\(error)"])
        if !isCancelled { Counter(label: "tripstore.exchange.failures").increment() }
        guard let greeting, !log.isReadOnly else { return }
        // The first error counts, not a failure to record it.
        try? await PeerBook(log).noteFailure(
            isCancelled
                ? "It was cancelled. What had come stays, and the next one goes on from there." : error.systemText,
            of: greeting, isFirstHand: isFirstHand(greeting), holding: acknowledged, at: log.wallClock)
    }
}
