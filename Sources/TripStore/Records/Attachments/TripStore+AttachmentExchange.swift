import EventLog
import Events
import LogExchange
import TripProjections
public import Trips

extension TripStore {
    /// Exchanges the bytes that commits name, after those commits were exchanged.
    ///
    /// Nil if there is nothing to do. O(commits since the last one with this peer, and those that name what was missing then).
    func exchangeAttachments(
        with peer: any ExchangePeer, of replica: ReplicaID, canStore: Bool = true, all: Bool = false,
        progress: @escaping @Sendable (ContentReport) -> Void = { _ in }
    ) async throws -> ContentReport? {
        guard !isReadOnly, let contents = peer.contents else { return nil }
        // A file promises to keep nothing.
        if canStore { await tidyAttachments(heldBy: contents) }
        let (ground, end) = try log.read { (try SettledContents.Ground($0), try $0.lastPosition()) }
        let known = all ? SettledContents.Mark() : settledContents.mark(with: replica, ground)
        guard known.position < end || !known.open.isEmpty else { return nil }
        let entries = try await contentFolder.worker.run { [log] in
            var entries = try NamedAttachments.Entries(after: known.position, upTo: end, in: log)
            try entries.add(at: known.open, in: log)
            return entries
        }
        if entries.discards { try await dropDiscarded() }
        guard !entries.list.isEmpty else {
            settledContents.note(.init(position: end), with: replica, ground, isLasting: !known.open.isEmpty)
            return nil
        }
        try await catchUp(to: end)
        let named = try log.read { log in
            try views.read(beside: log) { try NamedAttachments(entries.list, $0, in: knownSchema) }
        }
        let (now, policy) = (log.wallClock, attachmentPolicy)
        // What nobody needs is not fetched; it is once it is restored.
        let dormant = try named.contents.filter {
            try named.isExpired($0.content, at: now) && !contentFolder.holds($0.content)
        }
        let asked = named.contents.filter { !dormant.contains($0) }
        let report =
            asked.isEmpty
            ? nil
            : try await ContentExchange(
                contentFolder, with: contents, canStore: canStore, wants: { policy.includes($0) }, progress: progress
            ).run(asked)
        guard report?.isSupported != false else { return nil }
        let open = Set(dormant + (report.map { $0.unsettled + $0.lacking } ?? []))
        let mark = SettledContents.Mark(position: end, open: named.positions(of: open))
        if mark != known {
            try await contentFolder.worker.run { [settledContents] in
                settledContents.note(mark, with: replica, ground, isLasting: true)
            }
        }
        return report
    }

    /// Brings the bytes of one attachment here, whatever the policy is. Nothing is done if they are here; a file that was altered is
    /// replaced. O(bytes).
    ///
    /// Throws `TripStoreError.Code.missingContent` if the other does not have them either, and what `exchange` throws.
    public func fetch(_ attachment: AttachedFile, from target: ExchangeTarget) async throws {
        guard let content = attachment.content else { return }
        let isIntact = try await TripStoreError.wrapAsync {
            try await contentFolder.worker.run { [contentFolder] in try contentFolder.isIntact(content) }
        }
        guard !isIntact else { return }
        guard !isReadOnly else {
            throw TripStoreError(
                .readOnly, "The store is open for reading alone. Open it for writing to fetch attachments.")
        }
        try await TripStoreError.wrapAsync {
            let peer = try await peer(for: target)
            _ = try await peer.greet(log.greeting().greeting)
            try await contentFolder.worker.run { [contentFolder] in try contentFolder.remove(content) }
            let report =
                if let contents = peer.contents, let named = try name(of: content, for: attachment) {
                    try await ContentExchange(contentFolder, with: contents, canStore: false).run([named])
                } else { ContentReport() }
            if let error = report.refused.first { throw error }
            guard try contentFolder.holds(content) else {
                throw TripStoreError(
                    .missingContent,
                    "\(target.words) does not have the \(content.size.counted("byte")) of '\(attachment.name)' either. Exchange with another replica.",
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
        let named = try log.read { log in
            try views.read(beside: log) { try NamedAttachments(entries, $0, in: knownSchema) }
        }
        let now = log.wallClock
        return BundledAttachments(
            named.contents.map(\.content).filter { lacked.contains($0) && !named.isExpired($0, at: now) },
            in: contentFolder)
    }
}
