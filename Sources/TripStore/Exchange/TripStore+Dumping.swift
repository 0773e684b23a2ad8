import EventLog
import Events
import Foundation
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

    /// The ids of all appends in the log that have one. O(commits)
    package func appendIDs() throws -> Set<AppendID> {
        try readLog { log in
            var ids: Set<AppendID> = []
            try log.forEachCommit(after: .start) { commit in
                if let id = try? commit.view.payload?.appendID() { ids.insert(id) }
                return true
            }
            return ids
        }
    }

    /// Writes the events of a dump's commit as one of this replica, in the name of its author. Like a peer's commits they are not rejected for
    /// their meaning. The receipt says whether that was done before.
    ///
    /// Throws what a write throws.
    package func rewrite(_ commit: DumpedCommit, at time: Timestamp) async throws -> Receipt {
        try await write(
            computed: commit.rewritten(at: time), .adopting,
            by: Authorship(
                author: commit.author, causation: commit.causation, correlation: commit.correlation,
                appendID: commit.appendID),
            expecting: [:], .rewritten)
    }
}
