package import EventLog
package import Foundation
import LogExchange
import Logging
import ProjectionEngine

/// Removing the bytes of what was erased from the files of a store.
///
/// The log's own file is rewritten when the store is opened for writing while no other process has it open. The files
/// beside it follow: views of the log as it was, attachments that no commit names any more, copies for reading that
/// killed processes left.
extension TripStore {
    /// The parts of the store whose files may still hold bytes that were erased. Those of the log go when the store is
    /// next opened for writing while no other process has it open.
    package func owedScrubs() throws -> Set<ScrubPart> { try TripStoreError.wrap { try log.owedScrubs() } }

    /// Removes what the files beside the log hold of bytes that are gone from it, and returns what is still owed: views
    /// that another process has open stay until the store is opened without it.
    ///
    /// Throws `TripStoreError.Code.readOnly`, or what the medium refuses.
    @discardableResult
    package func scrub() async throws -> Set<ScrubPart> {
        guard !isReadOnly else {
            throw TripStoreError(
                .readOnly,
                "The store was opened for reading. Open it for writing to remove erased bytes from its files.")
        }
        return try await TripStoreError.wrapAsync {
            try await contentFolder.worker.run { [contentFolder, log] in try contentFolder.scrub(log) }
            if let time = try log.scrubTime(of: .views), try await removeFormerViews() {
                try await log.worker.run { [log] in try log.noteScrubbed(.views, upTo: time) }
            }
            return try log.owedScrubs()
        }
    }

    /// Opens a closed store, removes what was erased from all of its files, closes it again, and returns what is still
    /// owed.
    ///
    /// Throws what opening for writing throws, or what the medium refuses.
    package static func scrub(at folder: URL, options: Options = Options()) async throws -> Set<ScrubPart> {
        let store = try await open(at: folder, options: options)
        let owed = try await store.scrub()
        await store.close()
        return owed
    }

    /// Returns whether no views of the log as it was are left.
    private func removeFormerViews() async throws -> Bool {
        ScratchFolder.removeLeft()
        let layout = StoreLayout(folder)
        var isDone = true
        for (group, folder) in [(views, layout.views), (appGroup, layout.appViews), (searchGroup, layout.searchViews)] {
            let isGone =
                if let group { try await group.removeFormerGenerations() } else {
                    try await log.worker.run { ProjectionGroup.removeGenerations(in: folder) }
                }
            isDone = isGone && isDone
        }
        return isDone
    }

    /// Scrubs in the background if something is owed beside the log, on the threads of the parts. What fails is tried
    /// at the next opening.
    func beginScrubIfOwed() {
        if let error = log.scrubFailure {
            logger.warning("erased bytes could not be removed from the log's file", metadata: ["error": "\(error)"])
        }
        guard !isReadOnly, let owed = try? log.owedScrubs(), !owed.isSubset(of: [.log]) else { return }
        Task { [self] in
            do { try await scrub() } catch {
                logger.notice("erased bytes could not be removed from files", metadata: ["error": "\(error)"])
            }
        }
    }
}
