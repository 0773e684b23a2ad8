import EventLog
import Events
import Trips

extension TripStore {
    /// The conflicts that a handler resolves.
    public enum HandledConflicts: Sendable, Hashable {
        /// Conflicts in which an edit of this replica was superseded, so that each conflict belongs to one replica.
        /// Edits that a replica wrote under an earlier identity, before its store was restored or copied, belong to no
        /// replica.
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
    /// `handler` is called at least once for each open conflict, over all runs of the app: a subscription named `conflicts/` and the name keeps
    /// how far it came. Of several edits that one edit superseded it is called for each, with what it made of those before in the winner's
    /// place; if it leaves one of them open, all of them stay open.
    ///
    /// The decision is written in view of both edits; the commit's causation names the conflict, the same on every replica, so no handler is
    /// called for two such resolutions. If something else stands there when the handler returns, it is called with that. What cannot be
    /// written, because the entity or what it belongs to is deleted or the edit does not fit the other fields any more, stays open.
    ///
    /// Throws what `handler` throws, which is then called again in the next run; `TripStoreError` (`.unusableOption` for a value where a
    /// deletion is in conflict, for a given causation, or for a name that has not 1 to 90 bytes; `.invalidValue` for a value that breaks a
    /// rule; `.subscriptionUnusable` if the name is running already), or what the log refuses.
    ///
    /// O(events of the entities that the commits touch) for up to 64 commits at a time; O(log) for those that change who is a member, for
    /// they may make others count.
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
        guard (1...90).contains(name.utf8.count) else {
            throw TripStoreError(
                .unusableOption,
                "The name of a handler has 1 to 90 bytes, and '\(name)' has \(name.utf8.count). Choose another.")
        }
        let subscription = try await conflictSubscription("conflicts/" + name)
        if try subscription.acknowledged == .start {
            let end = try readLog { try $0.lastPosition() }
            try await resolveConflicts(after: .start, upTo: end, handled, by: authorship, handler)
            try await subscription.acknowledge(end)
        }
        var commits = subscription.iterator()
        while let first = try await commits.next() {
            var last = first.position
            var changesMembers = !first.statements.isEmpty
            for _ in 1..<Self.commitsAtOnce {
                guard let next = try commits.current() else { break }
                last = next.position
                changesMembers = changesMembers || !next.statements.isEmpty
            }
            let start = changesMembers ? Position.start : Position(first.position.rawValue - 1)
            try await resolveConflicts(after: start, upTo: last, handled, by: authorship, handler)
            // Not after each commit: it costs a sync.
            try await subscription.acknowledge(last)
        }
    }

    private static let commitsAtOnce = 64

    /// What a restored copy has no cursor for is handled again: what was resolved is not open.
    private func conflictSubscription(_ name: String) async throws -> CommitSubscription {
        do {
            return try await subscription(name)
        } catch let error as TripStoreError
            where error.code == .unknownSubscription || error.code == .subscriptionOfOtherLog
        {
            return try await createSubscription(name, from: .beginning)
        }
    }

    private func resolveConflicts(
        after start: Position, upTo last: Position, _ handled: HandledConflicts, by authorship: Authorship,
        isolation actor: isolated (any Actor)? = #isolation,
        _ handler: (Conflict) async throws -> ConflictResolution
    ) async throws {
        // Each with the winner for which it was decided.
        var decided: Set<Decision> = []
        while true {
            let open = try await openConflicts(after: start, upTo: last).filter { conflict in
                isHandled(conflict, handled) && !decided.contains(Decision(conflict))
            }
            // One after the other: a write may change what is in conflict.
            guard let group = ConflictGroup.groups(of: open).first else { return }
            decided.formUnion(group.conflicts.map(Decision.init))
            guard let conflict = group.conflicts.first,
                let resolution = try await group.resolution(in: knownSchema, by: handler)
            else {
                continue
            }
            var authorship = authorship
            authorship.causation = ConflictMark(of: conflict.id).causation
            do {
                _ = try await resolve(conflict, resolution, by: authorship)
            } catch let error as TripStoreError {
                switch (error.code, resolution) {
                // Another write came first, to this field or to another of the entity.
                case (.versionConflict, _), (.conflictResolved, _):
                    if error.code == .versionConflict { decided.subtract(group.conflicts.map(Decision.init)) }
                    try await catchUp()
                    try Task.checkCancellation()
                case (.deleted, _), (.unknownEntity, _), (.invalidValue, .taking): break
                case (let code, _) where code.isMissingParent: break
                default: throw error
                }
            }
        }
    }

    /// A conflict, and the edit that had won when it was decided.
    private struct Decision: Hashable {
        let id: Conflict.ID
        let winner: Digest

        init(_ conflict: Conflict) {
            id = conflict.id
            winner = conflict.winner.commit.hash
        }
    }

    private func openConflicts(after start: Position, upTo last: Position) async throws -> [Conflict] {
        while true {
            try await awaitServedViews()
            do {
                if start == .start { return try conflicts().rows }
                return try conflicts(includingResolved: false, since: start, upTo: last).rows
            } catch let error as TripStoreError where error.code == .beingBuilt {
                try await catchUp()
                try Task.checkCancellation()
            }
        }
    }

    private func isHandled(_ conflict: Conflict, _ handled: HandledConflicts) -> Bool {
        if handled == .ownEdits, conflict.superseded.commit.replica != replica { return false }
        let mark = ConflictMark(conflict.superseded.commit.causation)
        return mark == nil || mark != ConflictMark(conflict.winner.commit.causation)
    }
}
