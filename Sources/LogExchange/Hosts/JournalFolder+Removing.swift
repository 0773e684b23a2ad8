import EventLog
import Events
import Foundation
import Logging

extension JournalFolder {
    /// Removes the bytes whose time has come, in every journal, also where no client comes any more. Returns the number
    /// of commits that have fewer bytes now.
    ///
    /// The first call opens every journal, one after the other, and later ones those of which something is due, those
    /// whose file is to be rewritten after the call before, and each after a week. Clients that still use such a journal
    /// connect again. What fails is tried again by the next call.
    ///
    /// Where journals are kept elsewhere, one server removes the bytes there. Each has copies of its own: one from which
    /// bytes were removed is replaced by another, also while clients use it, and these connect again.
    ///
    /// Throws what listing the journals throws, or `CancellationError`.
    @discardableResult
    package func removeDue() async throws -> Int {
        var removed = 0
        parts.removeOld()
        for journal in try await backing?.journals() ?? journals() {
            try Task.checkCancellation()
            guard !isClosed else { break }
            guard isDue(journal) else { continue }
            do { removed += try await removeDue(in: journal) } catch is CancellationError {
                throw CancellationError()
            } catch {
                logger.warning(
                    "erased bytes of a journal could not be removed",
                    metadata: ["journal": "\(journal)", "error": "\(error)"])
            }
        }
        return removed
    }

    private func isDue(_ journal: JournalID) -> Bool {
        if let entry = entries[journal], let log = entry.log {
            // More may have come while clients use it.
            noteRemoval(journal, log)
            if entry.backed != nil && mayHaveRemoved(log) { return true }
        }
        return removals[journal].map { $0 <= options.dependencies.now() } ?? true
    }

    private func removeDue(in journal: JournalID) async throws -> Int {
        let entry = entries[journal] ?? Entry()
        entries[journal] = entry
        entry.leases += 1
        await entry.lock.lock()
        let wasOpen = entry.log != nil
        var removed = 0
        var failure: (any Error)?
        do {
            // Nil if as many are open as may be.
            if let log = try await open(journal, entry) {
                removed = try await log.removeDue()
                try await entry.backed?.tidy()
                noteRemoval(journal, log)
                let isOwed = mayHaveRemoved(log)
                if entry.backed != nil {
                    if isOwed { await discardCopy(entry) }
                } else {
                    if isOwed && entry.isOwed && entry.leases > 1 {
                        entry.ending.raise()
                        // Sessions that rest notice it.
                        log.changes.raise()
                    }
                    entry.isOwed = isOwed
                }
            }
        } catch { failure = error }
        entry.lock.unlock()
        if wasOpen {
            await release(journal)
        } else {
            entry.leases -= 1
            await closeIfUnused(journal)
        }
        if let failure { throw failure }
        return removed
    }

    func discardCopy(_ entry: Entry) async {
        if entry.log.map(mayHaveRemoved) == true {
            // Parts of segments that had arrived may have the bytes as well.
            parts.removeAll(writtenBefore: options.dependencies.now() &+ 1)
        }
        await entry.backed?.close()
        // Files that are still open stay usable.
        try? FileManager.default.removeItem(atPath: entry.path)
        (entry.log, entry.backed) = (nil, nil)
    }

    /// Whether a log's file may have bytes that were removed from its commits.
    nonisolated func mayHaveRemoved(_ log: Log) -> Bool { (try? log.owedScrubs().contains(.log)) ?? true }

    /// The longest time, in milliseconds, until a journal is looked at again: another server may have taken an erasure in,
    /// and ended.
    private static let longest: Int64 = 7 * 86_400_000

    /// Notes when a journal is next to be looked at: when something is due, or after a week. One that cannot be read is
    /// looked at by the next call, and one whose file still has removed bytes: opening rewrites it.
    func noteRemoval(_ journal: JournalID, _ log: Log?) {
        guard let log else { return }
        do {
            let isOwed = try backing == nil && !log.owedScrubs().isDisjoint(with: [.log, .contents])
            let latest = options.dependencies.now() &+ Self.longest
            removals[journal] = isOwed ? nil : min(try log.nextRemoval() ?? latest, latest)
        } catch { removals[journal] = nil }
    }
}
