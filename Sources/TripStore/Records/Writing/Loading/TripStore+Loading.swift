import EventLog
import Logging
import ProjectionEngine

extension TripStore {
    /// Writes many commits: to migrate from another database, or to read large files.
    ///
    /// ```swift
    /// try await store.load { load in
    ///     for books in pages { try await load.append(books.map { .created($0) }) }
    /// }
    /// ```
    ///
    /// Each commit is checked and stored as by `append(_:by:expecting:)`, but kinds and fields of apps that the store does not know are
    /// taken, as a migration brings them, and those that it knows are described at the end. View updates are deferred: in the end the
    /// views catch up, or are rebuilt if that is faster. This is several times as fast as one commit after another.
    /// Queries show the state before the load until then. Others may write; then the views catch up early, which takes
    /// longer. Commits of about 1,000 events are best.
    ///
    /// If the task is cancelled, `append` throws `CancellationError`; what was appended before stays.
    ///
    /// When this returns, everything is durable and, unless views cannot be built, visible, including what was appended
    /// before `body` threw. Throws what `body` throws, and the first failure to store a commit.
    @discardableResult
    public func load<T>(
        by authorship: Authorship = Authorship(), isolation: isolated (any Actor)? = #isolation,
        _ body: (_ load: BulkLoad) async throws -> T
    ) async throws -> T {
        // No closure between: it would leave the caller's actor.
        do { return try await loading(by: authorship, isolation: isolation, body) } catch {
            throw TripStoreError(error) ?? error
        }
    }

    private func loading<T>(
        by authorship: Authorship, isolation: isolated (any Actor)?,
        _ body: (_ load: BulkLoad) async throws -> T
    ) async throws -> T {
        try refuseAppendID(authorship, "a load")
        let groups = try await deferViews()
        let outcome: Result<T, any Error>
        var used: Set<UsedPart> = []
        do {
            let load = try BulkLoad(self, authorship.named(author))
            do { outcome = .success(try await body(load)) } catch { outcome = .failure(error) }
            try await load.finish()
            used = await load.used
        } catch {
            await resume(groups)
            throw error
        }
        await resume(groups)
        // After the views, on which this is computed.
        if !used.isEmpty { await describe(Array(used)) }
        return try outcome.get()
    }

    /// Defers view updates, of up-to-date views; `resume` ends that. Throws if the store cannot be written to.
    func deferViews() async throws -> [ProjectionGroup] {
        // A store that cannot be written to reports that at once.
        if isReadOnly { _ = try await log.appendHashed { _ in nil } }
        try await catchUp()
        let groups = [views, appGroup, searchGroup].compactMap { $0 }
        for group in groups { group.deferUpdates() }
        return groups
    }

    /// Updates the views. A failure is no failure of the load: the commits are stored.
    func resume(_ groups: [ProjectionGroup]) async {
        for group in groups {
            do { try await group.resumeUpdates() } catch {
                logger.error("views could not be brought up to date after a load", metadata: ["error": "\(error)"])
            }
        }
    }
}
