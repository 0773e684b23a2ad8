import Dispatch
import Events
import Foundation
import LMDB
import Metrics
import Platform
import Synchronization

/// Appends commits on a thread of its own; concurrent requests share a transaction and a sync.
final class LogWriter: Sendable {
    /// One commit to append.
    struct Request: Sendable {
        /// Returns what to append, given the transaction's state; nil for nothing.
        let prepare: @Sendable (_ log: borrowing LogSnapshot) throws -> HashedPayload?
        let finish: @Sendable (Result<Appended?, any Error>) -> Void
    }

    private struct Queue {
        var requests: [Request] = []
        var isDraining = false
        weak var observer: (any AppendObserver)?
        /// Transactions that stored something, and their number when the idle wait began; nil if there is no wait.
        var written = 0
        var writtenAtWait: Int?
    }

    /// The most commits in a transaction, so that the first does not wait for too many others.
    private static let largestBatch = 4096
    /// How long to wait for callers that are about to append again.
    private static let gatheringNanoseconds: UInt64 = 50_000

    let environment: Environment
    let tables: LogTables
    let author: AuthorKeeper
    let schema: UInt32
    let dependencies: Dependencies
    let worker: WorkerThread
    let quotas: ReceivingQuotas
    let ledger: (any LogLedger)?
    let deferredNotes = DeferredNotes()
    let changes: LogChanges
    let suspension: SuspensionFlag
    /// Whether the next transaction signs the line: see `Log.signWithNext`.
    let signsNext = Atomic(false)
    private let queue = BargingMutex(Queue())
    private let commits = Counter(label: "tripstore.log.commits")
    private let transactions = Counter(label: "tripstore.log.transactions")
    private let duration = Metrics.Timer(label: "tripstore.log.transaction.duration")

    init(
        environment: Environment, tables: LogTables, author: AuthorKeeper, schema: UInt32, dependencies: Dependencies,
        worker: WorkerThread, quotas: ReceivingQuotas, ledger: (any LogLedger)? = nil
    ) {
        self.environment = environment
        self.tables = tables
        self.author = author
        self.schema = schema
        self.dependencies = dependencies
        self.worker = worker
        self.quotas = quotas
        self.ledger = ledger
        changes = LogChanges(environment)
        suspension = SuspensionFlag(environment.path)
    }

    func setObserver(_ observer: (any AppendObserver)?) { queue.withLock { $0.observer = observer } }

    var observer: (any AppendObserver)? { queue.withLock { $0.observer } }

    func submit(_ request: Request) {
        // Otherwise the queue might never be empty, and nothing else run on its thread.
        do { try suspension.check() } catch { return request.finish(.failure(error)) }
        let mustStart = queue.withLock { queue in
            queue.requests.append(request)
            defer { queue.isDraining = true }
            return !queue.isDraining
        }
        if mustStart { worker.perform { self.drain() } }
    }

    private func drain() {
        var previous = 0
        while true {
            gather(previous)
            let batch = queue.withLock { queue in
                let batch = Array(queue.requests.prefix(Self.largestBatch))
                queue.requests.removeFirst(batch.count)
                if batch.isEmpty { queue.isDraining = false }
                return batch
            }
            if batch.isEmpty { return }
            commit(batch)
            previous = batch.count
        }
    }

    /// Tasks whose append just returned tend to append again at once: a short wait for them saves a sync. Useless where
    /// commits do not wait for the medium.
    private func gather(_ previous: Int) {
        guard previous > 1, environment.options.syncsCommits else { return }
        let deadline = DispatchTime.now().uptimeNanoseconds + Self.gatheringNanoseconds
        while DispatchTime.now().uptimeNanoseconds < deadline {
            let waiting = queue.withLock { $0.requests.count }
            if waiting >= previous { return }
            sched_yield()
        }
    }

    private func commit(_ batch: [Request]) {
        let start = DispatchTime.now().uptimeNanoseconds
        let observer = observer
        var outcomes: [Result<Appended?, any Error>] = []
        var renewed: LogAuthor?
        var newest: (position: Position, sequence: SequenceNumber)?
        var step: (any CommitStep)?
        let shown = ShownCommits()
        defer { withExtendedLifetime(shown) {} }
        func giveUp() {
            _ = step?.conclude(isDurable: false) {}
            step = nil
        }
        do {
            guard ledger == nil else { throw Self.writesNothing }
            let written = try environment.write { transaction in
                // The transaction may run again.
                giveUp()
                let copies: CommitCopies
                renewed = nil
                (outcomes, copies, newest) = try append(batch, transaction, observer, shown, &renewed)
                let written = try deferredNotes.write(transaction, tables)
                if environment.options.syncsCommits, copies.isWhole, !copies.isEmpty {
                    let log = LogSnapshot(transaction.reading.alias(), tables, showing: shown)
                    step = observer?.committing(copies, log)
                }
                return written
            }
            written?()
            if let renewed { goOn(as: renewed) }
        } catch {
            giveUp()
            newest = nil
            outcomes = batch.map { _ in .failure(error) }
        }
        // A line that was renewed has new commits, also if no request has any.
        if let newest {
            changes.raise()
            commits.increment(by: outcomes.count { (try? $0.get()) != nil })
            transactions.increment()
            duration.recordNanoseconds(Int64(DispatchTime.now().uptimeNanoseconds - start))
            author.note(newest.sequence)
            noteWritten()
            let isFinished =
                step?.conclude(isDurable: true) { [outcomes] in Self.finish(batch, outcomes) } ?? false
            if isFinished { return }
            observer?.committed(upTo: newest.position)
        } else {
            giveUp()
        }
        Self.finish(batch, outcomes)
    }

    /// A transaction activated another author.
    func goOn(as renewed: LogAuthor) {
        author.take(renewed)
        // It is stored, whatever the result: the key is found where it is, and moved at the next opening.
        try? author.keyFile.activate(for: renewed.identity.id)
    }

    // MARK: Signing when idle

    /// Signs the line once nothing was written for some seconds: if the key were lost, no other replica would ever
    /// accept commits without a signature.
    private func noteWritten() {
        let mustWait = queue.withLock { queue in
            queue.written += 1
            guard queue.writtenAtWait == nil else { return false }
            queue.writtenAtWait = queue.written
            return true
        }
        if mustWait { awaitIdle() }
    }

    private func awaitIdle() {
        dependencies.whenIdle { [weak self] in
            guard let self else { return }
            let isIdle = queue.withLock { queue in
                let isIdle = queue.writtenAtWait == queue.written
                queue.writtenAtWait = isIdle ? nil : queue.written
                return isIdle
            }
            // A failure is reported to the next append or exchange.
            if isIdle { worker.perform { try? self.signHeadNow() } } else { awaitIdle() }
        }
    }

    private static func finish(_ batch: [Request], _ outcomes: [Result<Appended?, any Error>]) {
        for (request, outcome) in zip(batch, outcomes) { request.finish(outcome) }
    }

    private func append(
        _ batch: [Request], _ transaction: borrowing WriteTransaction, _ observer: (any AppendObserver)?,
        _ shown: ShownCommits, _ renewed: inout LogAuthor?
    ) throws -> (
        [Result<Appended?, any Error>], CommitCopies, newest: (position: Position, sequence: SequenceNumber)?
    ) {
        let snapshot = LogSnapshot(transaction.reading.alias(), tables, showing: shown)
        let former = try author.author(in: snapshot)
        let implausible = try ImplausibleLine(on: former.line, snapshot, dependencies)
        if let reason = implausible?.reason {
            renewed = try author.renew(reason, former, former.identity.id, former.journal, transaction, tables).0
        } else if implausible != nil {
            try author.showFormerKeys(of: former, transaction, tables)
        }
        let verdicts = try snapshot.verdicts()
        if renewed == nil, let refusal = verdicts.refusal {
            return (batch.map { _ in .failure(refusal) }, CommitCopies(), nil)
        }
        var appender = try LineAppender(
            snapshot, author: renewed ?? former, schema: schema, dependencies: dependencies, verdicts)
        try observer?.transactionBegins(snapshot)
        let names = try implausible?.write(with: &appender, in: former.journal, dependencies, transaction)
        var outcomes: [Result<Appended?, any Error>] = []
        for request in batch {
            var payload: HashedPayload?
            do {
                payload = try request.prepare(snapshot)
                if let names { payload = try payload.map(names.renamed) }
                if let payload { try appender.admit(payload) }
            } catch let error as StorageError {
                // The transaction cannot be trusted any further: none of the batch is stored.
                throw error
            } catch {
                outcomes.append(.failure(error))
                continue
            }
            // After a failure here a commit may be half written, and the others would fail as well: none of the batch
            // is stored.
            outcomes.append(.success(try payload.map { try appender.append($0, transaction) }))
        }
        if signsNext.exchange(false, ordering: .relaxed) { try appender.sign(transaction) }
        try appender.finish(transaction)
        let newest = appender.hasAppended ? (appender.last, appender.newest) : nil
        return (outcomes, appender.copies, newest)
    }
}
