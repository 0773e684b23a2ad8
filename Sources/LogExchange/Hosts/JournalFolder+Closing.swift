import EventLog
import Events
import Foundation

extension JournalFolder {
    /// Closes the log that was not used for the longest time, if no more may be open.
    func makeRoom() async {
        guard openCount >= options.openLogs else { return }
        let idle = entries.filter { $0.value.log != nil && $0.value.leases == 0 }
        guard let oldest = idle.min(by: { $0.value.lastUsed < $1.value.lastUsed }) else { return }
        await closeIfUnused(oldest.key)
    }

    func release(_ journal: JournalID) async {
        guard let entry = entries[journal] else { return }
        entry.leases -= 1
        let now = time.now()
        entry.lastUsed = now
        guard entry.leases == 0 else { return }
        // A journal that holds nothing is removed again at once: a client that only looked in leaves no trace.
        let isEmpty = (try? entry.log?.isEmpty()) ?? true
        if isClosed || isEmpty || entry.ending.tick > 0 { return await closeIfUnused(journal) }
        Task { [weak self, time, idle = options.idle] in
            try? await time.sleep(idle)
            await self?.closeIfUnused(journal, since: now)
        }
    }

    func closeIfUnused(_ journal: JournalID, since time: Duration? = nil) async {
        guard let entry = entries[journal] else { return }
        await entry.lock.lock()
        defer { entry.lock.unlock() }
        guard entries[journal] === entry, entry.leases == 0, time.map({ $0 == entry.lastUsed }) ?? true else { return }
        noteRemoval(journal, entry.log)
        if entry.backed != nil { await discardCopy(entry) }
        // A client that comes meanwhile opens it again.
        defer {
            if entry.leases == 0 {
                entries[journal] = nil
                entry.ending.raise()
            }
        }
        guard let log = entry.log.take() else { return }
        let isEmpty = (try? log.isEmpty()) ?? false
        // A log that is not checkpointed is recovered when it is opened.
        try? await log.worker.run { try log.prepareClose() }
        if isEmpty {
            try? FileManager.default.removeItem(at: folder(of: journal))
            removals[journal] = nil
        }
    }
}
