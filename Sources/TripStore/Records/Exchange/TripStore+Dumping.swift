import EventLog
import Events
package import LogExchange

extension TripStore {
    /// Calls `body` with each part of the log, as a bundle of all of it would have it. Memory holds a segment.
    ///
    /// Throws what reading the log throws, or `body`.
    package func dump(_ body: (DumpPart) async throws -> Void) async throws {
        try await TripStoreError.wrapAsync { try await LogDump.read(log, body) }
    }

    /// Which of a dump's commits are here.
    package func holds(_ commit: CommitID, of journal: JournalID) throws -> Bool {
        guard journal == self.journal else { return false }
        return try readLog { try $0.holds(commit, in: journal) }
    }

    /// A temporary store that holds what this one does after a dump was received: its members decide whose commits are taken in, and the
    /// dump itself may change them.
    ///
    /// Throws what an exchange with the dump would throw. Needs room for a second copy of the log meanwhile.
    package func rehearsal(of dump: DumpPeer) async throws -> TripStore {
        var options = Options(logger: logger, dependencies: log.ownDependencies)
        // The machine need not record a store that will be removed in a moment.
        options.dependencies.machineFolder = nil
        let copy = try await TripStore.temporary(options: options)
        if try status().position > .start {
            try await copy.exchange(with: .peer(ReadingPeer(LogPeer(log))))
        }
        try await copy.exchange(with: .peer(dump))
        return copy
    }

    /// Writes the events of a dump's commits as commits of this replica, each in the name of its author, in the order of the merge. View
    /// updates are deferred as in a load. A commit that was written in this way before, or that is in the log itself, is passed over.
    ///
    /// With `isDryRun` nothing is written. `progress` is called after each commit, with what is durable.
    ///
    /// Throws what a write throws, `DumpError` if the file was changed meanwhile, or `CancellationError`; what `progress` had last stays
    /// written. O(commits of the log and of the dump), memory for an id of each.
    package func rewrite(
        _ dump: DumpedEvents, isDryRun: Bool = false, progress: (RewrittenDump) -> Void = { _ in }
    ) async throws -> RewrittenDump {
        try await TripStoreError.wrapAsync {
            let groups = isDryRun ? [] : try await deferViews()
            var rewriting: DumpRewriting
            do {
                rewriting = try DumpRewriting(self, dump)
            } catch {
                await resume(groups)
                throw error
            }
            do {
                try await dump.forEachCommit { commit in
                    try await rewriting.add(commit, isDryRun: isDryRun)
                    progress(rewriting.outcome)
                }
                try await rewriting.finish()
            } catch {
                await rewriting.drain()
                progress(rewriting.outcome)
                await resume(groups)
                throw error
            }
            progress(rewriting.outcome)
            await resume(groups)
            return rewriting.outcome
        }
    }
}
