import EventLog
import Events
import Foundation
import LogExchange
import Synchronization

extension SyncEngine {
    /// The fewest commits whose exchange shows as catching up, but for the first one of a connection: otherwise every commit would.
    private static let manyCommits = 64

    /// What both sides of a connection hold.
    private struct Held: Equatable {
        var own: Digest
        var theirs: Digest?
        var ownHoles: Digest?
        var theirHoles: Digest?

        var areEqual: Bool { own == theirs && (theirHoles == nil || ownHoles == theirHoles) }
    }

    /// Exchanges whenever one side has something new, until the connection ends. Returns why it did.
    func stay(_ session: SessionClient) async -> any Error {
        let peer = SessionPeer(session, for: store.log, remembers: true)
        let wake = ChangeSignal { false }
        let exchanged = ChangeSignal { false }
        let changes = store.log.changes
        let watch = changes.watch()
        let retried = retries.tick
        impediments.withLock { $0 = [:] }
        defer { withExtendedLifetime(watch) {} }
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer {
                    group.cancelAll()
                    session.close()
                }
                group.addTask {
                    for await notice in session.notices {
                        peer.note(notice)
                        wake.raise()
                    }
                    throw session.failure ?? CancellationError()
                }
                group.addTask {
                    var tick = changes.tick
                    while let newer = await changes.wait(after: tick) {
                        tick = newer
                        wake.raise()
                    }
                }
                group.addTask { [self] in
                    var tick = retried
                    while let newer = await retries.wait(after: tick) {
                        tick = newer
                        await session.probe(within: min(options.limits.patience, .seconds(3)))
                    }
                }
                group.addTask { [self] in try await exchange(over: peer, wake, exchanged) }
                group.addTask { [self] in try await exchangeAttachments(over: peer, exchanged) }
                while try await group.next() != nil {}
            }
            return session.failure ?? CancellationError()
        } catch {
            // Of a connection that ended on the way, the reason is what it ended for.
            return error is CancellationError ? session.failure ?? error : error
        }
    }

    /// After each exchange of commits. The requests of the two take turns, so that a large file holds no commit up for longer
    /// than a part of it takes.
    private func exchangeAttachments(over peer: SessionPeer, _ exchanged: ChangeSignal) async throws {
        var (tick, attempts) = (UInt64(0), 0)
        /// Until the next attempt; nil if another exchange of commits alone is a reason for one.
        var delay: Duration?
        while true {
            if let delay {
                try await pause(delay, exchanged, tick)
            } else {
                guard await exchanged.wait(after: tick) != nil else { throw CancellationError() }
            }
            tick = exchanged.tick
            attempts += 1
            let soon = options.backoff.delay(after: attempts, random: dependencies.random)
            let reason: String?
            do {
                let server = peer.session.server
                let report = try await store.exchangeAttachments(with: peer, of: server)
                reason = report?.shortcoming(with: "\(connector.address), replica \(server)")
                // Their author may be sending the bytes just now, or a full disk was relieved.
                let maySoon = report?.mayComeSoon == true
                delay = maySoon ? soon : reason.map { _ in options.backoff.afterRefusal }
                if !maySoon { attempts = 0 }
            } catch {
                if let failure = peer.session.failure { throw failure }
                if Task.isCancelled || Self.ends(error) { throw error }
                // Commits go on.
                (reason, delay) = ("Attachments could not be exchanged with \(connector.address). \(error)", soon)
            }
            try impede(.attachments, reason, until: delay)
        }
    }

    private func exchange(
        over peer: SessionPeer, _ wake: ChangeSignal, _ exchanged: ChangeSignal
    ) async throws {
        /// What both held when an exchange had nothing left to do, or failed.
        var settled: Held?
        var problem: (failures: Int, due: Duration)?
        /// When to look again whether bytes that one side lacks have come.
        var repair: Duration?
        var isFirst = true
        while true {
            let tick = wake.tick
            try store.views.checkOpen()
            let held = try held(peer)
            let isRetry = (problem?.due ?? repair).map { $0 <= dependencies.now() } ?? false
            // After a failure only its time or a change is a reason: a head that cannot be signed would be tried without a pause.
            let isUnsigned = try problem == nil && store.log.hasUnsignedCommits()
            if isFirst || isRetry || isUnsigned || !held.areEqual && held != settled {
                do {
                    let report = try await exchange(over: peer, isFirst: isFirst)
                    isFirst = false
                    hasExchanged.store(true, ordering: .relaxed)
                    exchanged.raise()
                    let isIdle =
                        report.sent.commits == 0 && report.received.commits == 0 && report.healed == 0
                        && report.healedThere == 0
                    let now = try self.held(peer)
                    // A server that does not show what it was sent would be sent it again without a pause.
                    let isUnshown = report.unacknowledged?.isEmpty == false && now.own == held.own
                    // What came during the exchange is not settled.
                    settled = now.areEqual || isUnshown || isIdle && now == held ? now : nil
                    problem = nil
                    let shortcomings = report.shortcomings
                    // A notice tells when the other has what it lacks. Asked again all the same, for what is found here meanwhile.
                    repair =
                        shortcomings.isEmpty && !isUnshown ? nil : dependencies.now() + options.backoff.afterRefusal
                    try impede(
                        .commits, shortcomings.isEmpty ? nil : shortcomings.joined(separator: " "),
                        until: options.backoff.afterRefusal)
                } catch {
                    if let failure = peer.session.failure { throw failure }
                    if Task.isCancelled || Self.ends(error) { throw error }
                    // What is remembered of the server may be wrong.
                    peer.forget()
                    // What was refused of some replicas' commits keeps no attachments back.
                    exchanged.raise()
                    isFirst = false
                    // Until it is due, only a change is a reason to try again.
                    settled = try self.held(peer)
                    let failures = (problem?.failures ?? 0) + 1
                    let delay = options.backoff.delay(after: failures, random: dependencies.random)
                    problem = (failures, dependencies.now() + delay)
                    try impede(.commits, "\(error)", until: delay)
                }
                continue
            }
            store.log.signWithNext()
            let wait = problem.map { max($0.due - dependencies.now(), .zero) }
            if let wait {
                try await pause(wait, wake, tick)
            } else if peer.owesAcknowledgement {
                if try await pause(options.acknowledgesAfter, wake, tick) { try await peer.flush() }
            } else if let repair {
                try await pause(max(repair - dependencies.now(), .zero), wake, tick)
            } else {
                guard await wake.wait(after: tick) != nil else { throw CancellationError() }
            }
        }
    }

    private func exchange(over peer: SessionPeer, isFirst: Bool) async throws -> ExchangeReport {
        let isWaiting = try waits()
        return try await store.exchange(over: peer, source: connector.address) { [states] step in
            guard !isWaiting, step.total > 0, isFirst || step.total >= Self.manyCommits else { return }
            states.set(.catchingUp(done: step.done, of: max(step.total, step.done)))
        }
    }

    private func held(_ peer: SessionPeer) throws -> Held {
        let known = peer.known
        return try store.log.read { log in
            Held(
                own: try Frontier(log).digest, theirs: known?.digest, ownHoles: try log.holes().digest,
                theirHoles: known?.holes)
        }
    }

    // MARK: Standing

    private func waits() throws -> Bool {
        if case .waiting = try store.standing() { return true }
        return false
    }

    /// Notes why a part of the exchange waits, nil if none of it does, and shows it.
    private func impede(_ part: Part, _ reason: String?, until delay: Duration?) throws {
        let impediments = impediments.withLock { held -> [Part: Impediment]? in
            // Nothing new: commits may be catching up.
            if part == .attachments, reason == nil, held[part] == nil { return nil }
            held[part] = reason.map { Impediment(reason: $0, nextTry: nextTry(in: delay ?? .zero)) }
            return held
        }
        guard let impediments else { return }
        let standing = try store.standing()
        if case .revoked(let by) = standing { throw ExchangeError.revoked(by: by) }
        let ordered = Part.allCases.compactMap { impediments[$0] }
        if let next = ordered.map(\.nextTry).min() {
            states.set(.impeded(reason: ordered.map(\.reason).joined(separator: " "), nextTry: next))
        } else if case .waiting = standing {
            states.set(.needsGrant)
        } else {
            states.set(.connected)
        }
    }

    /// Whether after an error of an exchange the connection is useless.
    private static func ends(_ error: any Error) -> Bool {
        let codes: [ExchangeError.Code] = [
            .identityChanged, .otherJournal, .revoked, .needsGrant, .cut, .notKept,
            ExchangeError.Code(rawValue: "closed"),
        ]
        return code(of: error).map(codes.contains) ?? false
    }

    /// Waits for a time, or until something happens. Returns whether nothing did.
    @discardableResult
    private func pause(_ delay: Duration, _ wake: ChangeSignal, _ tick: UInt64) async throws -> Bool {
        let isOver = await withTaskGroup(of: Bool.self) { group in
            group.addTask { [dependencies] in (try? await dependencies.sleep(delay)) != nil }
            group.addTask {
                _ = await wake.wait(after: tick)
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
        try Task.checkCancellation()
        return isOver
    }
}
