import EventLog
import Events
import Logging

/// When bytes of a journal are next to be removed.
enum NextRemoval {
    /// At a time, in milliseconds since 1970.
    case at(Int64)
    /// Not before another client comes.
    case never
}

extension JournalFolder {
    /// Removes the bytes whose time has come, in every journal, also where no client comes any more. Returns the number
    /// of commits that have fewer bytes now.
    ///
    /// The first call opens every journal, one after the other, and later ones those of which something is due, and those
    /// whose file is to be rewritten after the call before. What fails is tried again by the next call.
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
        return switch removals[journal] {
        case nil: true
        case .never?: false
        case .at(let time)?: time <= options.dependencies.now()
        }
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
                if entry.backed != nil && mayHaveRemoved(log) { await discardCopy(entry) }
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

    /// Whether a log's file may have bytes that were removed from its commits.
    nonisolated func mayHaveRemoved(_ log: Log) -> Bool { (try? log.owedScrubs().contains(.log)) ?? true }

    /// Notes when something is next to be removed. One that cannot be read is looked at again, and one whose file still
    /// has removed bytes: opening rewrites it.
    func noteRemoval(_ journal: JournalID, _ log: Log?) {
        guard let log else { return }
        do {
            let isOwed = try backing == nil && !log.owedScrubs().isDisjoint(with: [.log, .contents])
            removals[journal] = isOwed ? nil : try log.nextRemoval().map { .at($0) } ?? .never
        } catch { removals[journal] = nil }
    }
}
