import Events
import Foundation
import LogExchange
import Logging
public import Trips

extension TripStore {
    /// Gives up the bytes of an attachment for ever, on every replica: a commit says so, and each drops them as it arrives there.
    ///
    /// Bytes that another attachment names stay. Undoing the commit brings no bytes back. Throws `TripStoreError` (`.unknownEntity`,
    /// `.deleted`), or what the log refuses.
    @discardableResult
    public func discard(_ attachment: AttachedFile.ID, by authorship: Authorship = Authorship()) async throws -> Receipt
    {
        let now = Date(timeIntervalSince1970: Double(log.wallClock) / 1000)
        let receipt = try await edit(attachment, by: authorship) { $0.discardedAt = $0.discardedAt ?? now }
        try await dropDiscarded()
        return receipt
    }

    /// What a process was writing when it was killed: nobody else finds it where a store has no peers.
    func removeHalfWrittenAttachments() async {
        guard !isReadOnly, contentFolder.hasLeftovers else { return }
        let limit = Date(timeIntervalSince1970: Double(log.wallClock - ContentFolder.keepingTime) / 1000)
        do {
            try await contentFolder.worker.run { [contentFolder] in
                try contentFolder.removeLeftovers(writtenBefore: limit)
            }
        } catch {
            logger.notice("half written attachments could not be removed", metadata: ["error": "\(error)"])
        }
    }

    /// Removes what was discarded everywhere. O(commits).
    func dropDiscarded() async throws {
        guard !isReadOnly else { return }
        try await TripStoreError.wrapAsync {
            try await contentFolder.worker.run { [contentFolder, log] in try contentFolder.removeDiscarded(log) }
        }
    }

    /// Removes bytes that no attachment has named for 30 days, and that another replica has said to hold: it keeps them for as long. The
    /// last copy stays, see `discard`; bytes that no commit ever named, as after a crash, go after the same time.
    ///
    /// An exchange does it as well, once a day. Returns how many contents were removed. O(attachments, and contents here).
    @discardableResult
    public func dropUnnamedAttachments(heldBy target: ExchangeTarget) async throws -> Int {
        guard !isReadOnly else {
            throw TripStoreError(.readOnly, "The store is open for reading alone. Open it for writing to drop bytes.")
        }
        return try await TripStoreError.wrapAsync {
            let peer = try await peer(for: target)
            _ = try await peer.greet(log.greeting().greeting)
            guard let contents = peer.contents else { return 0 }
            return try await dropUnnamed(heldBy: contents)
        }
    }

    /// Drops as `dropUnnamedAttachments` does, at most once a day. What fails is tried the next day: no exchange fails for it.
    func tidyAttachments(heldBy peer: any ContentPeer) async {
        guard contentFolder.isTidyingDue else { return }
        do {
            try await contentFolder.worker.run { [contentFolder] in try contentFolder.noteTidied() }
            let dropped = try await dropUnnamed(heldBy: peer)
            if dropped > 0 { logger.info("bytes of attachments were dropped", metadata: ["contents": "\(dropped)"]) }
        } catch {
            logger.notice("bytes of attachments could not be dropped", metadata: ["error": "\(error)"])
        }
    }

    private func dropUnnamed(heldBy peer: any ContentPeer) async throws -> Int {
        let now = log.wallClock
        let limit = Date(timeIntervalSince1970: Double(now - ContentFolder.keepingTime) / 1000)
        let here = try await contentFolder.worker.run { [contentFolder, log] in
            try contentFolder.removeLeftovers(writtenBefore: limit)
            try contentFolder.removeDiscarded(log)
            return try contentFolder.contents().filter { $0.added < limit }.map(\.content)
        }
        guard !here.isEmpty else { return 0 }
        try await catchUp()
        let (entries, everNamed) = try await contentFolder.worker.run { [log] in
            let end = try log.read { try $0.lastPosition() }
            return (
                try NamedAttachments.Entries(after: .start, upTo: end, in: log).list,
                try NamedAttachments.everNamed(in: log)
            )
        }
        let named = try log.read { log in
            try views.read(beside: log) { try NamedAttachments(entries, $0, in: knownSchema) }
        }
        let byContent = Dictionary(named.contents.map { ($0.content, $0) }, uniquingKeysWith: { first, _ in first })
        var (dropped, names) = (0, Set<NamedContent>())
        for content in here {
            guard let name = byContent[content] else {
                // A crash came between the bytes and their commit. What a commit names that does not count stays.
                if !everNamed.contains(content), try await remove(content, writtenBefore: limit) { dropped += 1 }
                continue
            }
            guard named.isExpired(content, at: now) else { continue }
            // Two replicas that drop at once would each rely on the other: the one on which another relies keeps its copy.
            guard try await !isKept(content, since: limit), try await peer.held([name], keeping: true) == [true],
                try await !isKept(content, since: limit), try await remove(content, writtenBefore: limit)
            else { continue }
            dropped += 1
            names.insert(name)
        }
        let positions = named.positions(of: names)
        try await contentFolder.worker.run { [settledContents] in settledContents.reopen(positions) }
        return dropped
    }

    private func remove(_ content: ContentID, writtenBefore limit: Date) async throws -> Bool {
        try await contentFolder.worker.run { [contentFolder] in
            try contentFolder.remove(content, writtenBefore: limit)
        }
    }

    /// Whether another replica has relied on the bytes being here since a time.
    private func isKept(_ content: ContentID, since limit: Date) async throws -> Bool {
        try await contentFolder.worker.run { [contentFolder] in contentFolder.kept(content).map { $0 > limit } ?? false
        }
    }
}
