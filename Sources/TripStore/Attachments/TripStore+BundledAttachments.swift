import EventLog
import Events
import LogExchange
import TripProjections

extension TripStore {
    /// What a bundle has of attachments: the bytes that commits name which its reader lacks. O(commits).
    func bundledAttachments(lackedBy since: Frontier) async throws -> BundledAttachments {
        // Views that are behind know less of what was deleted, and of what is discarded there are no bytes.
        let entries = try await contentFolder.worker.run { [log] in
            try NamedAttachments.Entries(after: .start, upTo: log.read { try $0.lastPosition() }, in: log).list
        }
        let known = Dictionary(grouping: since.heads, by: \.replica)
        let lacked = Set(
            entries.map(\.content).filter { content in
                // Of a replica whose commits fork, all beyond the shortest branch.
                guard let held = known[content.commit.replica]?.map(\.sequence).min() else { return true }
                return held < content.commit.sequence
            }.map(\.content))
        let named = try log.read { log in try views.read(beside: log) { try NamedAttachments(entries, $0) } }
        let now = log.wallClock
        return BundledAttachments(
            named.contents.map(\.content).filter { lacked.contains($0) && !named.isExpired($0, at: now) },
            in: contentFolder)
    }
}
