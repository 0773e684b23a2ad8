import EventLog
import Events
import LogExchange
import TripProjections
public import Trips

extension TripStore {
    /// Exchanges the bytes that commits name, after those commits were exchanged.
    ///
    /// Nil if there is nothing to do. O(commits since the last one with this peer).
    func exchangeAttachments(
        with peer: any ExchangePeer, of replica: ReplicaID, canStore: Bool = true, all: Bool = false,
        progress: @escaping @Sendable (ContentReport) -> Void = { _ in }
    ) async throws -> ContentReport? {
        guard !isReadOnly, let contents = peer.contents else { return nil }
        await tidyAttachments(heldBy: contents)
        let (ground, end) = try log.read { (try SettledContents.Ground($0), try $0.lastPosition()) }
        let start = all ? .start : settledContents.position(with: replica, ground)
        guard start < end else { return nil }
        let (entries, discards) = try log.read { try NamedAttachments.entries(after: start, upTo: end, in: $0) }
        if discards {
            try await catchUp(to: end)
            try await dropDiscarded()
        }
        guard !entries.isEmpty else {
            settledContents.note(end, with: replica, ground, isLasting: false)
            return nil
        }
        try await catchUp(to: end)
        let named = try log.read { log in try views.read(beside: log) { try NamedAttachments(entries, $0) } }
        let (now, policy) = (log.wallClock, attachmentPolicy)
        let expired = Set(named.contents.map(\.content).filter { named.isExpired($0, at: now) })
        let report = try await ContentExchange(
            contentFolder, with: contents, canStore: canStore,
            wants: { policy.includes($0) && !expired.contains($0) }, progress: progress
        ).run(named.contents)
        guard report.isSupported else { return nil }
        // What no replica has may still come, unless nobody needs it.
        let open = report.unsettled + report.lacking.filter { named.unnamedSince[$0.content] == nil }
        let first = named.firstPosition(of: Set(open.map(\.content)))
        let settled = first.map { Position($0.rawValue - 1) } ?? end
        try await contentFolder.worker.run { [settledContents] in
            settledContents.note(settled, with: replica, ground, isLasting: true)
        }
        return report
    }

    /// Brings the bytes of one attachment here, whatever the policy is. Nothing is done if they are here.
    ///
    /// Throws `TripStoreError.missingContent` if the other does not have them either, and what `exchange` throws.
    public func fetch(_ attachment: AttachedFile, from target: ExchangeTarget) async throws {
        guard let content = attachment.content, !contentFolder.holds(content) else { return }
        guard !isReadOnly else {
            throw TripStoreError(
                .readOnly, "The store is open for reading alone. Open it for writing to fetch attachments.")
        }
        try await TripStoreError.wrapAsync {
            let peer = try await peer(for: target)
            _ = try await peer.greet(log.greeting().greeting)
            let report =
                if let contents = peer.contents, let named = try name(of: content, for: attachment) {
                    try await ContentExchange(contentFolder, with: contents, canStore: false).run([named])
                } else { ContentReport() }
            if let error = report.refused.first { throw error }
            guard contentFolder.holds(content) else {
                throw TripStoreError(
                    .missingContent,
                    "\(target.words) does not have the \(content.size) bytes of '\(attachment.name)' either. Exchange with another replica.",
                    entity: attachment.reference)
            }
        }
    }

    /// A commit that counts, and names the bytes for the attachment. O(events of the attachment).
    private func name(of content: ContentID, for attachment: AttachedFile) throws -> NamedContent? {
        try log.read { log in
            let journal = try log.journal()
            let events = try views.read(beside: log) {
                try EntityHistory.positions(of: attachment.reference, in: $0)
            }
            for event in events {
                let commit = CommitID(replica: event.stamp.replica, sequence: event.sequence, hash: event.stamp.hash)
                let named = NamedContent(content, in: commit)
                if try log.position(of: commit, in: journal) != nil, try log.names(named) { return named }
            }
            return nil
        }
    }
}
