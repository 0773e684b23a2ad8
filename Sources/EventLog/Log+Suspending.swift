import LMDB

extension Log {
    /// Closes the log's files until `resume`: see `Environment.suspend`. Blocks: not for the log's worker, which may have to end first what it
    /// does.
    ///
    /// Throws `StorageError`; the files are then open as before.
    package func suspend(by deadline: ContinuousClock.Instant) throws { try environment.suspend(by: deadline) }

    /// Opens the log's files again, and refuses nothing any more. Of a log that is open for writing this is an opening like any other: a file
    /// that was restored meanwhile goes on under a new id, which is returned. Does nothing for a log that is not suspended. Blocks.
    ///
    /// Throws `StorageError` and `EventLogError` as opening does: then it stays suspended.
    package func resume() throws -> IdentityChange? {
        defer { if !environment.isSuspended { suspension.isSet = false } }
        guard environment.isSuspended else { return nil }
        try LogStructure.check(at: path)
        try environment.resume()
        guard let writer else { return nil }
        do {
            let opened = try Self.identify(environment, tables, writer.author.keyFile, options)
            guard let author = opened.author else { throw Self.authorless(path) }
            try writer.author.keyFile.activate(for: author.identity.id)
            writer.author.resume(as: author, opened.record)
            return opened.change
        } catch {
            try? environment.suspend(by: .now + .seconds(1))
            throw error
        }
    }
}
