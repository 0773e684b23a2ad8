import EventLog

extension TripStore {
    /// Whose conflicts a handler resolves.
    public enum HandledConflicts: Sendable, Hashable {
        /// Those in which an edit of this replica was superseded: every conflict is then one replica's, and resolved once.
        case ownEdits
        /// All that this replica learns of. Where several replicas do so and write different values, the later counts; where they
        /// write the same, nothing is in conflict.
        case all
    }

    /// Resolves conflicts as they arrive, as an app decides; continues until the task is cancelled.
    ///
    /// ```swift
    /// try await store.resolveConflicts("notes") { conflict in
    ///     guard conflict.field == "notes", let ours = conflict.superseded.value(as: String.self),
    ///         let theirs = conflict.winner.value(as: String.self)
    ///     else { return .leaving }
    ///     return .writing("\(theirs)\n\(ours)")
    /// }
    /// ```
    ///
    /// `handler` is called at least once for each open conflict that is found with a commit after its last run, over all runs of the app:
    /// a subscription of the name keeps how far it came (`subscription(_:from:_:)`, under `conflicts/` and the name), the first time from the
    /// end of the log on. What it decides is written in view of both edits; the commit's causation names the conflict, the same on every
    /// replica. A conflict of two such resolutions follows the merge: no handler is called again.
    ///
    /// If something else stands there when the handler returns, nothing is written.
    ///
    /// Throws what `handler` throws, which is then called again in the next run; `TripStoreError` (`.unusableOption` for a value where a
    /// deletion is in conflict, or a given causation, `.invalidValue`, `.subscriptionUnusable` if the name is running already), or what the
    /// log refuses. O(events of the entities that a commit touches) for each commit.
    public func resolveConflicts(
        _ name: String, _ handled: HandledConflicts = .ownEdits, by authorship: Authorship = Authorship(),
        isolation actor: isolated (any Actor)? = #isolation,
        _ handler: (Conflict) async throws -> ConflictResolution
    ) async throws {
        try refuseAppendID(authorship, "to resolve conflicts")
        guard authorship.causation == nil else {
            throw TripStoreError(
                .unusableOption,
                "The causation of a resolution names its conflict, and none can be given. Name your own work by a correlation."
            )
        }
        let subscription = try await subscription("conflicts/" + name)
        for try await commit in subscription {
            let position = commit.info.position
            let found = try conflicts(
                includingResolved: false, since: Position(position.rawValue - 1), upTo: position)
            for conflict in found.rows where try isHandled(conflict, handled) {
                try await resolve(conflict, try await handler(conflict), as: authorship)
            }
            try await subscription.acknowledge(position)
        }
    }

    private func isHandled(_ conflict: Conflict, _ handled: HandledConflicts) throws -> Bool {
        if handled == .ownEdits, conflict.superseded.commit.replica != replica { return false }
        return ConflictMark(conflict.superseded.commit.causation) == nil
            || ConflictMark(conflict.winner.commit.causation) == nil
    }

    private func resolve(
        _ conflict: Conflict, _ resolution: ConflictResolution, as authorship: Authorship
    ) async throws {
        if resolution == .leaving { return }
        var authorship = authorship
        authorship.causation = ConflictMark(of: conflict.id).causation
        while true {
            do {
                _ = try await resolve(conflict, resolution, by: authorship)
                return
            } catch let error as TripStoreError where error.code == .conflictResolved {
                return
            } catch let error as TripStoreError where error.code == .versionConflict {
                // Another write came first, to this field or to another of the entity.
                try await catchUp()
                try Task.checkCancellation()
            }
        }
    }
}
