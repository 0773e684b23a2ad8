import EventLog
import Events
import Foundation
public import LogExchange
import ProjectionEngine

extension TripStore {
    /// Writes the entities of a store of another journal into this one, as commits of this store, to merge two stores
    /// that were created separately. The other store and its history stay there unchanged.
    ///
    /// Entities keep their ids. If both have one, the later value of each field counts, by the times at which they were
    /// written; deletions likewise. The adopted values keep those times (`Event.original`): a later edit by another
    /// replica of this journal still counts when the two meet. Adopting again adds what the other wrote since; if its
    /// clock is ahead of this one, also what it wrote before and was changed here since. The commits share a
    /// correlation.
    ///
    /// Throws `TripStoreError.Code.nothingToAdopt` if the two share a journal, because then they can exchange; or what a
    /// write throws. O(entities of the other).
    @discardableResult
    public func adopt(_ other: TripStore, by authorship: Authorship = Authorship()) async throws -> AdoptionReport {
        guard other.journal != journal else {
            throw TripStoreError(
                .nothingToAdopt,
                "Both stores belong to the journal \(journal): exchange with the other, which loses no history.")
        }
        try refuseAppendID(authorship, "to adopt a store")
        var authorship = authorship
        authorship.correlation = authorship.correlation ?? UUID()
        try await other.catchUp()
        var written = AdoptionReport()
        while true {
            try Task.checkCancellation()
            try await catchUp()
            let adoption = try plan(other)
            if written.receipts.isEmpty { written = adoption.report }
            do {
                for part in adoption.parts {
                    try Task.checkCancellation()
                    written.receipts.append(
                        try await write(computed: part.events, .adopting, by: authorship, expecting: part.versions))
                }
                return written
            } catch let error as TripStoreError where error.code == .versionConflict {
                // Another writer came first: plan again on the new state. It includes what was adopted so far.
            }
        }
    }

    /// Adopts a folder, a bundle or another peer: its commits are read into a temporary store, which is removed
    /// afterwards. Nothing is written there except the signature with which a store's folder offers its line.
    ///
    /// Throws like `adopt` with a store, and what an exchange throws. Needs room for a second copy of the other
    /// meanwhile.
    @discardableResult
    public func adopt(
        _ target: ExchangeTarget, by authorship: Authorship = Authorship(),
        progress: @escaping @Sendable (ExchangeProgress) -> Void = { _ in }
    ) async throws -> AdoptionReport {
        let source: ExchangeTarget
        if case .connector = target {
            // The temporary store connects by itself; it has nothing to send.
            source = target
        } else {
            source = .peer(ReadingPeer(try await TripStoreError.wrapAsync { try await self.peer(for: target) }))
        }
        var options = Options(logger: logger, dependencies: log.ownDependencies)
        // The machine need not record a store that will be removed in a moment.
        options.dependencies.machineFolder = nil
        let other = try await TripStore.temporary(options: options)
        try await other.exchange(with: source, progress: progress)
        return try await adopt(other, by: authorship)
    }

    private func plan(_ other: TripStore) throws -> Adoption {
        try TripStoreError.wrap { try plan(other.views) }
    }

    private func plan(_ other: ProjectionGroup) throws -> Adoption {
        var adoption = Adoption()
        try other.read { theirs in
            let scan = try theirs.scan("entities", KeyBounds(prefix: []))
            while let row = try scan.next() {
                guard row.key.count == 18 else { continue }
                let entity = EntityReference(
                    kind: EntityKind(rawValue: row.key.bigEndian(UInt16.self, at: 16)), id: row.key.uuid())
                guard let record = try theirs.record(of: entity) else { continue }
                let own = try views.read { try $0.withRecord(of: entity) { try EntityRecord($0) } }
                adoption.add(entity, try EntityRecord(record), own: own)
            }
        }
        return adoption
    }
}
