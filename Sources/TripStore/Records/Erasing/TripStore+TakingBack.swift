package import EventLog
import Events

extension TripStore {
    /// Takes an erasure back, and what was erased late for it: events that were not removed yet are shown again at once,
    /// and others as soon as an exchange brings their bytes.
    ///
    /// The eraser may, an admin of higher rank, and the author over an admin. Throws `TripStoreError`: `.readOnly`;
    /// `.noEffect` if it was taken back before, or if this replica may not.
    public func takeBack(_ erasure: ErasureStatus) async throws {
        try await checkErasing()
        try checkStanding(erasure)
        try await TripStoreError.wrapAsync {
            _ = try await log.takeBack(erasure.parts)
            try await catchUp()
        }
    }

    /// Confirms, as an admin, what the author of commits erases: its bytes are removed at once, here and wherever both
    /// statements arrive, and not after some days.
    ///
    /// Throws `TripStoreError`: `.readOnly`; `.notAMember` if this replica is no admin; `.noEffect` if the erasure is
    /// final here, was taken back, is an admin's of what others wrote, or if its eraser made this replica an admin.
    public func confirm(_ erasure: ErasureStatus) async throws {
        try await checkErasing()
        let parts = try confirmable(erasure)
        try await TripStoreError.wrapAsync {
            // They are named by stored events until these are removed.
            let (contents, time) = (try ErasedContents.hidden(in: log), log.wallClock)
            _ = try await log.erase(parts, causes: erasure.causes)
            try await finishErasures(of: Array(contents), erasedAt: time)
            try await catchUp()
        }
    }

    /// The parts of an erasure that this replica can confirm. Throws `.notAMember` and `.noEffect` as `confirm` does.
    @discardableResult
    package func confirmable(_ erasure: ErasureStatus) throws -> [CommitID: ErasedLeaves] {
        try checkStanding(erasure)
        guard case .pending = erasure.state else {
            throw TripStoreError(
                .noEffect, "The erasure at position \(erasure.position) is final here: its bytes are removed.")
        }
        return try readLog { try $0.confirmable(erasure.parts, of: erasure.statement) }
    }

    /// The erasures of a replica and its successors that are taken back with their membership, as far as their bytes are
    /// here.
    package func takenBack(byRevoking replica: ReplicaID) throws -> [ErasureStatus] {
        let (parts, erasers) = try readLog { log in
            (try log.takenBack(byRevoking: replica), try log.membership()?.successors(of: replica) ?? [])
        }
        guard !parts.isEmpty else { return [] }
        return try erasures().filter { erasure in
            guard case .pending = erasure.state, erasers.contains(erasure.eraser) else { return false }
            return erasure.parts.keys.contains { parts[$0] != nil }
        }
    }

    private func checkStanding(_ erasure: ErasureStatus) throws {
        guard case .takenBack = erasure.state else { return }
        throw TripStoreError(.noEffect, "The erasure at position \(erasure.position) was taken back before.")
    }
}
