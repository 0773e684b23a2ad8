import EventLog
import Events
public import Foundation
import LMDB
public import LogExchange
import ProjectionEngine

extension TripStore {
    /// Exchanges commits with another replica: both hold the same afterwards, and their queries answer the same.
    ///
    /// An empty store joins the other's journal. It may be cancelled or cut at any place; what came whole stays, on both
    /// sides, and the next one goes on from there. `progress` is told of each step, as `peers()` tells of it too.
    ///
    /// Throws `ExchangeError` (`.otherJournal` if the two share no history: see `adopt`), `EventLogError` (`.rejected` for
    /// what does not pass the checks), or what the carrier throws.
    @discardableResult
    public func exchange(
        with target: ExchangeTarget, progress: @escaping @Sendable (ExchangeProgress) -> Void = { _ in }
    ) async throws -> ExchangeReport {
        let peer = try await peer(for: target)
        let id = running.begin()
        defer { running.end(id) }
        let session = ExchangeSession(log, with: peer, logger: logger) { [running] step in
            running.note(step, of: id)
            progress(step)
        }
        return try await session.run()
    }

    /// How far the exchanges that go on have come.
    public var runningExchanges: [ExchangeProgress] { running.all }

    /// Makes a new store that holds what another one does, in a folder that is new or empty, as a replica of its own.
    ///
    /// If it fails the folder stays, with what came whole: exchanging again goes on from there. Throws like `open` and
    /// `exchange`.
    public static func clone(
        _ target: ExchangeTarget, to folder: URL, options: Options = Options(),
        progress: @escaping @Sendable (ExchangeProgress) -> Void = { _ in }
    ) async throws -> (store: TripStore, report: ExchangeReport) {
        if exists(at: folder) {
            throw TripStoreError(
                .notAStore, "There is a store at \(folder.path) already. Exchange with it, or choose another folder.")
        }
        // The other is looked for first, so that a path which leads nowhere leaves no empty store behind.
        switch target {
        case .folder(let other):
            guard exists(at: other) else {
                throw ExchangeError(.notAStore, "There is no trip store at \(other.path). Check the path.")
            }
        case .bundle(let file): _ = try await BundlePeer(file)
        case .store, .peer: break
        }
        let store = try await open(at: folder, options: options)
        return (store, try await store.exchange(with: target, progress: progress))
    }

    private func peer(for target: ExchangeTarget) async throws -> any ExchangePeer {
        switch target {
        case .folder(let folder): return try await FolderPeer(folder, for: log, surroundings: log.ownSurroundings)
        case .bundle(let file): return try await BundlePeer(file)
        case .store(let store):
            guard store.log.path != log.path else {
                throw ExchangeError(.sameStore, "A store cannot exchange with itself. Name another one.")
            }
            return LogPeer(store.log)
        case .peer(let peer): return peer
        }
    }

    // MARK: Bundles

    /// Writes a bundle file, whole or not at all, in the place of any that is there.
    ///
    /// Throws `ExchangeError` (`.unusableFile`, `.unknownReplica`) or what reading the log throws.
    @discardableResult
    public func write(bundle file: URL, for audience: BundleAudience = .anyone) async throws -> BundleSummary {
        let since: Frontier
        switch audience {
        case .anyone: since = .empty
        case .holder(let frontier): since = frontier
        case .replica(let replica):
            guard let record = try PeerBook(log).record(of: replica) else {
                let known = try PeerBook(log).records().map { "\($0.replica)" }.joined(separator: ", ")
                throw ExchangeError(
                    .unknownReplica,
                    "Nothing is known of replica \(replica): no exchange with it took place. "
                        + (known.isEmpty ? "Write a complete bundle." : "Known are \(known)."))
            }
            since = record.acknowledged
        }
        return try await BundleWriter.write(log, lacking: since, to: file)
    }

    /// What a bundle file holds, once the whole of it was held against its checksum.
    public static func summary(ofBundle file: URL) async throws -> BundleSummary { try await BundlePeer(file).summary }

    /// What this store holds and can hand to others, its own line signed to its end.
    public func frontier() async throws -> Frontier {
        try await log.signHead()
        return try log.read { try Frontier($0) }
    }

    /// From the text that `Frontier.text` is, or with the hashes left out.
    public func frontier(_ text: String) throws -> Frontier { try log.read { try Frontier(text, in: $0) } }

    // MARK: Forks and conflicts

    /// Where replicas, copied or restored, wrote different commits under one number. All of them count.
    public func forks() throws -> [Fork] { try log.read { try $0.forks(in: $0.journal()) } }

    /// The conflicts that came to be with an exchange: what came superseded what was here, or the other way round.
    public func conflicts(from report: ExchangeReport) throws -> [Conflict] {
        guard report.received.commits > 0 else { return [] }
        return try conflicts(includingSettled: true, since: report.positionBefore)
    }
}
