import Events

extension Log {
    /// How far two clocks may differ that confirm each other: an hour, in milliseconds.
    private static let confirmedSkew: UInt64 = 3_600_000

    /// Continues under a new id if this replica wrote while its clock was over a day ahead, and the clock is right again, and writes the
    /// content of those commits again: no other replica stores them before their time has come. If only replicas that this one succeeds
    /// did so, it goes on under its id. An append does it as well; an exchange does it first of all, so that nothing waits for the next
    /// append.
    ///
    /// `peerClock` is that of the other replica, in milliseconds since 1970: without one that confirms this clock, nothing happens.
    /// Nothing happens either if the log is read-only, if its replica may not write, or if a commit of another replica is held that is
    /// over a day later than this clock. Returns the change of the id; nil if there was none. Throws what an append throws.
    package func renewLineAhead(confirmedBy peerClock: Int64?) async throws -> IdentityChange? {
        guard let writer, writer.ledger == nil, let peerClock else { return nil }
        let (skew, overflow) = peerClock.subtractingReportingOverflow(dependencies.now())
        guard !overflow, skew.magnitude <= Self.confirmedSkew else { return nil }
        let former = try read { log -> ReplicaID? in
            let (journal, replica) = try log.authorship()
            let line = LineID(journal: journal, replica: replica)
            // A replica that may not write has nothing to write again.
            return try log.verdicts().refusal == nil && ImplausibleLine(on: line, log, dependencies) != nil
                ? replica : nil
        }
        guard let former else { return nil }
        _ = try await append { (_: borrowing LogSnapshot) -> Payload? in nil }
        return replica == former ? nil : try lastIdentityChange()
    }
}
