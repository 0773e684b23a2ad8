public import EventLog
import Events
import Foundation
public import LogExchange
import ProjectionEngine

extension TripStore {
    /// Exchanges commits with another replica: both hold the same afterwards, and their queries return the same.
    ///
    /// An empty store joins the other's journal, and becomes a member at once where the other is a folder or a store of this process that
    /// belongs to an admin; else it waits (`standing`) until an admin grants. It may be cut at any place, or its task be
    /// cancelled, which throws `CancellationError`; what came whole stays, on both
    /// sides, and the next one goes on from there. `progress` is called at each step; `peers()` shows the same.
    ///
    /// With `healing` bytes are put back that are missing from this log and that no erasure names, if the other has them: what
    /// `verify` finds as `payloadMissing`. O(commits).
    ///
    /// From a folder that cannot be written to is only read, from a temporary copy if its log must be repaired first.
    ///
    /// Throws `TripStoreError` (`.otherJournal` if the two share no history: see `adopt`, `.rejected` for what does not pass the
    /// checks, `.unusableOption` if a store that is open for reading is to be healed), or what a carrier of an app's own throws.
    @discardableResult
    public func exchange(
        with target: ExchangeTarget, healing: Bool = false,
        progress: @escaping @Sendable (ExchangeProgress) -> Void = { _ in }
    ) async throws -> ExchangeReport {
        try await exchange(with: target, healing: healing, as: .write, progress: progress)
    }

    /// `role` is for a store that was made from the other.
    func exchange(
        with target: ExchangeTarget, healing: Bool = false, as role: MemberRole,
        progress: @escaping @Sendable (ExchangeProgress) -> Void
    ) async throws -> ExchangeReport {
        try await TripStoreError.wrapAsync {
            try await exchanging(with: target, healing: healing, as: role, progress: progress)
        }
    }

    private func exchanging(
        with target: ExchangeTarget, healing: Bool, as role: MemberRole,
        progress: @escaping @Sendable (ExchangeProgress) -> Void
    ) async throws -> ExchangeReport {
        if healing && isReadOnly {
            throw TripStoreError(
                .unusableOption,
                "Healing writes what is missing, and the store is open for reading alone. Open it for writing, or leave "
                    + "'healing' out.")
        }
        try views.checkOpen()
        try Task.checkCancellation()
        var report = try await exchanging(
            over: try await peer(for: target), source: target.words, healing: healing, as: role, progress: progress)
        if case .folder(let folder) = target { report.findings += StoreLayout(folder).lostRecords() }
        return report
    }

    /// Exchanges commits over a connection that stands; `source` is where it leads to, for people.
    func exchange(
        over peer: any ExchangePeer, source: String, progress: @escaping @Sendable (ExchangeProgress) -> Void
    ) async throws -> ExchangeReport {
        try views.checkOpen()
        return try await exchanging(
            over: peer, source: source, healing: false, as: .write, attaching: false, progress: progress)
    }

    private func exchanging(
        over peer: any ExchangePeer, source: String, healing: Bool, as role: MemberRole, attaching: Bool = true,
        progress: @escaping @Sendable (ExchangeProgress) -> Void
    ) async throws -> ExchangeReport {
        let id = running.begin()
        defer { running.end(id) }
        let bulk = BulkReceiving(views, log)
        let session = ExchangeSession(log, with: peer, healing: healing, logger: logger) { [running] step in
            running.note(step, of: id)
            bulk.note(step)
            progress(step)
        }
        do {
            var (report, fault) = try await session.runToEnd()
            if try await isWelcomed(by: peer, report, role) {
                // Now the grant is there.
                let next = try await session.runToEnd()
                report.add(next.report)
                fault = next.fault
            }
            report.findings = lostRecords
            report.peerIdentityChange = (peer as? FolderPeer)?.identityChange
            await bulk.end(logger)
            if attaching {
                do {
                    report.attachments = try await exchangeAttachments(
                        with: peer, of: report.peer.replica, canStore: report.peer.isWritable, all: healing)
                } catch { throw fault ?? error }
            }
            await finishErasuresIfPossible()
            // What was refused of some replicas' commits keeps neither other commits nor attachments back.
            if let fault { throw fault }
            await noteWhole(source)
            return report
        } catch {
            // Commits that arrived before the failure become visible as well.
            await bulk.end(logger)
            throw error
        }
    }

    /// A store that was just made from another one of the same user becomes a member at once, if that is an admin's.
    private func isWelcomed(by peer: any ExchangePeer, _ report: ExchangeReport, _ role: MemberRole) async throws
        -> Bool
    {
        guard !isReadOnly, report.joined != nil || UnfinishedClone(in: folder).isThere,
            try standing() == .waiting(hasAsked: false)
        else { return false }
        return try await peer.welcome(replica, as: role)
    }

    /// An interrupted clone is complete after a finished exchange with its source.
    private func noteWhole(_ source: String) async {
        let unfinished = UnfinishedClone(in: folder)
        guard !isReadOnly, unfinished.isThere else { return }
        // If the note stays, nothing is lost: the clone is reported as unfinished, and can be resumed.
        try? await log.worker.run { try unfinished.remove(ifFrom: source) }
    }

    /// The progress of the running exchanges.
    public var runningExchanges: [ExchangeProgress] { running.all }

    func peer(for target: ExchangeTarget) async throws -> any ExchangePeer {
        switch target {
        case .folder(let folder):
            do {
                return try await FolderPeer(folder, for: log, dependencies: log.ownDependencies)
            } catch let error where Self.isUnwritable(error) {
                return try await ReadingPeer(copyOf: folder, log.ownDependencies)
            }
        case .bundle(let file): return try await BundlePeer(file)
        case .store(let store):
            guard store.log.path != log.path else {
                throw TripStoreError(.sameStore, "A store cannot exchange with itself. Name another one.")
            }
            return LogPeer(store.log)
        case .peer(let peer): return peer
        case .connector(let connector):
            let connect = { @Sendable [log] in try await SessionClient.connect(connector, as: log) }
            return SessionPeer(try await connect(), for: log, remembers: false, reconnecting: connect)
        }
    }

    // MARK: Forks and conflicts

    /// Returns the forks: different commits that a replica, copied or restored, wrote under one number. All of them
    /// count.
    public func forks() throws -> Rows<Fork> {
        try readLog { Rows(try $0.forks(in: $0.journal()), try $0.lastPosition()) }
    }

    /// The conflicts that an exchange caused: a received commit superseded one here, or the other way round. Those that
    /// were resolved since are among them. Empty if the store was empty.
    ///
    /// As far as queries show what was received: see `catchUp(to:)`. O(received events, and the events of the entities that
    /// they touch).
    public func conflicts(from report: ExchangeReport) throws -> Rows<Conflict> {
        guard report.received.commits > 0, report.positionBefore > .start else {
            return Rows([], try readLog { try $0.lastPosition() })
        }
        return try conflicts(includingResolved: true, since: report.positionBefore)
    }
}
