public import Foundation

/// The report of a repair.
public struct StoreRepair: Sendable {
    /// A finding that was not repaired, and why.
    public struct Left: Sendable {
        public let finding: StoreFinding
        public let reason: String
    }

    /// The correlation of all its commits: `undo(.correlation(_:))` takes it back.
    public let correlation: UUID
    public fileprivate(set) var repaired: [StoreFinding] = []
    public fileprivate(set) var left: [Left] = []
}

extension TripStore {
    /// Repairs the findings of a diagnosis whose `repair` is not nil, by commits with one correlation, by which they can be undone: of entities
    /// with the same fields those are deleted to which nothing belongs. Days in the wrong order are left to people: an undo, which writes
    /// nothing that breaks a rule, could not bring them back.
    ///
    /// What has changed since the diagnosis is left, and so is what a write refuses. Throws `TripStoreError.Code.readOnly` if the store is open
    /// for reading.
    public func repair(_ diagnosis: StoreDiagnosis, by authorship: Authorship = Authorship()) async throws
        -> StoreRepair
    {
        guard !isReadOnly else {
            throw TripStoreError(.readOnly, "The store is open for reading alone. Open it for writing to repair it.")
        }
        var authorship = authorship
        // Each commit has other events.
        authorship.appendID = nil
        let correlation = authorship.correlation ?? UUID()
        authorship.correlation = correlation
        var outcome = StoreRepair(correlation: correlation)
        for finding in diagnosis.findings where finding.repair != nil {
            do {
                if try await repair(finding, by: authorship) {
                    outcome.repaired.append(finding)
                } else {
                    outcome.left.append(StoreRepair.Left(finding: finding, reason: "It has changed meanwhile."))
                }
            } catch let error as TripStoreError {
                outcome.left.append(StoreRepair.Left(finding: finding, reason: "\(error)"))
            }
        }
        return outcome
    }
}
