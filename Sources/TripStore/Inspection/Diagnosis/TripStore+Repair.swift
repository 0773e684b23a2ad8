import Events
public import Foundation
import Trips

/// What a repair did.
public struct StoreRepair: Sendable {
    /// A finding that was not repaired, and why.
    public struct Left: Sendable {
        public let finding: StoreFinding
        public let reason: String
    }

    /// The correlation of all its commits. `undo(.correlation(_:))` brings deleted trips back; swapped days stay, for an undo writes nothing
    /// that breaks a rule, and its report says so.
    public let correlation: UUID
    public fileprivate(set) var repaired: [StoreFinding] = []
    public fileprivate(set) var left: [Left] = []
}

extension TripStore {
    /// Repairs the findings of a diagnosis whose `repair` is not nil, by commits with one correlation, by which they can be undone: reversed
    /// whole days are swapped, and of trips with the same fields those are deleted to which nothing belongs.
    ///
    /// What has changed since the diagnosis is left, and so is what a write refuses. Throws `TripStoreError.readOnly` if the store is open
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

    /// Returns whether the finding still held.
    private func repair(_ finding: StoreFinding, by authorship: Authorship) async throws -> Bool {
        guard let entity = finding.entities.first else { return false }
        switch (finding.code, entity.kind) {
        case (.reversedDays, .trip):
            return try await swapDays(of: Trip.ID(entity.id), \.startDay, \.endDay, by: authorship)
        case (.reversedDays, .activity):
            return try await swapDays(of: Activity.ID(entity.id), \.startDay, \.endDay, by: authorship)
        case (.reversedDays, .lodging):
            return try await swapDays(of: Lodging.ID(entity.id), \.startDay, \.endDay, by: authorship)
        case (.reversedDays, .transportation):
            return try await swapDays(of: Transportation.ID(entity.id), \.startDay, \.endDay, by: authorship)
        case (.duplicateTrip, .trip):
            guard let kept = finding.entities.last, kept != entity else { return false }
            return try await delete(Trip.ID(entity.id), asDuplicateOf: Trip.ID(kept.id), by: authorship)
        default: return false
        }
    }

    private func swapDays<Entity: TripEntity>(
        of id: Identifier<Entity>, _ start: WritableKeyPath<Entity, Day?>, _ end: WritableKeyPath<Entity, Day?>,
        by authorship: Authorship
    ) async throws -> Bool {
        let found = try read { views in try views.entity(id).map { ($0, try views.version(of: id)) } }
        guard let (entity, version) = found, let first = entity[keyPath: start], let last = entity[keyPath: end],
            last < first
        else { return false }
        var swapped = entity
        swapped[keyPath: start] = last
        swapped[keyPath: end] = first
        guard let event = TripEvent.edited(from: entity, to: swapped) else { return false }
        try await append([event], by: authorship, expecting: [id: version])
        return true
    }

    private func delete(_ id: Trip.ID, asDuplicateOf kept: Trip.ID, by authorship: Authorship) async throws -> Bool {
        let versions: [Trip.ID: EntityVersion]? = try read { views in
            guard let trip = try TripLikeness(id, views), let other = try TripLikeness(kept, views), trip.isEmpty,
                trip.fields == other.fields, trip.isRepairable(by: other)
            else { return nil }
            return [id: try views.version(of: id), kept: try views.version(of: kept)]
        }
        guard let versions else { return false }
        try await append([.deleted(id)], by: authorship, expecting: versions)
        return true
    }
}
