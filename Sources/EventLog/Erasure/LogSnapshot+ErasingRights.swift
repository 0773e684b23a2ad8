package import Events

extension LogSnapshot {
    /// Whether the log's replica may erase what another wrote: for plans, also of a log that is open for reading alone.
    package func mayErase(commitsOf author: ReplicaID) throws -> Bool {
        try verdicts().mayErase(replica(), commitsOf: author)
    }
}
