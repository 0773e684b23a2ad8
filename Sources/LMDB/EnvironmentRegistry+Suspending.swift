import Foundation
internal import LMDBLibrary
import Platform

extension EnvironmentRegistry {
    /// Opens the files of a suspended environment again, in the state in which others have left them. Returns false if another thread has done
    /// so.
    ///
    /// Throws `StorageError`, `.alreadyOpen` if another environment of this process has the files by now: then it stays suspended.
    func reopen(_ environment: Environment) throws(StorageError) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        guard environment.mapLock.isClosed else { return false }
        let (path, former) = (environment.path, environment.registration)
        let file = path + "/data.mdb"
        guard let identity = FileIdentity(path: file) else {
            throw StorageError(.missing, "\(file) is gone, which was there when it was suspended. Restore the folder.")
        }
        if let entry = entries[identity], entry.number != former.number, entry.forkCount == ForkDetector.forkCount {
            throw StorageError(
                .alreadyOpen,
                "The files of \(path) were replaced while it was suspended, and opened in this process since. Close that store, and resume "
                    + "again.")
        }
        var options = environment.options
        if options.access == .creating { options.access = .writing }
        let opened = try open(at: path, file: file, options: options, OpeningLock(path))
        do throws(StorageError) {
            guard opened.pageSize == environment.pageSize else {
                throw StorageError(
                    .damaged, "\(file) was replaced by a file with other pages. Close the store and open it again.")
            }
            try environment.openTables(of: opened.handle)
        } catch {
            // Its locks are released after it is closed.
            withExtendedLifetime(opened) { mdb_env_close(opened.handle) }
            throw error
        }
        if entries[former.identity]?.number == former.number { entries[former.identity] = nil }
        environment.reopened(with: opened)
        entries[identity] = Entry(environment)
        environment.mapLock.resume()
        condition.broadcast()
        return true
    }

    /// Records that the files of an environment are closed for now.
    func suspended(_ registration: Registration) {
        condition.lock()
        if entries[registration.identity]?.number == registration.number {
            entries[registration.identity]?.isSuspended = true
        }
        condition.broadcast()
        condition.unlock()
    }

    /// See `Environment.awaitClosed`.
    func awaitClosed(under folder: String, by deadline: ContinuousClock.Instant) -> Bool {
        func isOpen(_ entry: Entry) -> Bool {
            !entry.isSuspended && entry.forkCount == ForkDetector.forkCount
                && (entry.path == folder || entry.path.hasPrefix(folder + "/"))
        }
        condition.lock()
        defer { condition.unlock() }
        while entries.values.contains(where: isOpen) {
            guard condition.wait(until: Date(timeIntervalSinceNow: (deadline - .now) / .seconds(1))) else {
                return false
            }
        }
        return true
    }
}
