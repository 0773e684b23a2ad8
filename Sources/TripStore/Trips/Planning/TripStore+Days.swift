import Events
import Foundation
import Logging
public import Trips

/// The days of trips that nobody set.
extension TripStore {
    /// Brings the days of a trip to those of its items, as far as no person set them: the one rule for imports and writes, of which it is a commit
    /// of its own. Loads and exchanges leave that to the next write of an item. O(items and history of the trip).
    ///
    /// An end follows that an import gave to a trip which it made of a file's items, or that this rule wrote; so one that a person wrote since
    /// stays. The commit's causation says that this rule wrote it, on every replica.
    @discardableResult
    package func followItems(of trip: Trip.ID, by authorship: Authorship = Authorship()) async throws -> Receipt {
        let authorship = Authorship(
            author: authorship.author, causation: ImportMark.days.causation, correlation: authorship.correlation)
        return try await writeComputed(from: trip.reference) {
            // Before the days are read: a person may write them meanwhile, and theirs stay.
            let version = try read { try $0.record(of: trip.reference) }?.version ?? .none
            let held = try self.trip(trip)
            var changed = held
            if let ends = try endsThatFollow(of: trip) {
                changed?.follow(try read { try $0.itemsAtEnds(of: trip) }, start: ends.start, end: ends.end)
            }
            guard let held, let changed, let edit = TripEvent.edited(from: held, to: changed) else {
                return Receipt(unchangedAt: .start)
            }
            return try await append([edit], by: authorship, expecting: [trip.reference: version])
        }
    }

    /// The ends of a trip that follow its items; nil if neither does. An undoing gives back what was there: an end follows after it if it ever did.
    private func endsThatFollow(of trip: Trip.ID) throws -> (start: Bool, end: Bool)? {
        guard Self.isOfImport(trip), try self.trip(trip) != nil else { return nil }
        let entries = try history(of: trip).rows.map { entry in
            (entry, isMade: ImportMark(entry.commit.causation).map { $0.part != .deletions } ?? false)
        }
        guard entries.contains(where: \.isMade) else { return nil }
        func follows(_ field: String) -> Bool {
            let writers = entries.filter { $0.0.event.changes.contains { $0.field == field } }
            guard let last = writers.last else { return true }
            return last.0.commit.undoing == nil ? last.isMade : writers.contains(where: \.isMade)
        }
        let ends = (follows("startDate"), follows("endDate"))
        return ends.0 || ends.1 ? ends : nil
    }

    /// Whether an import may have made a trip: ids of version 8 are derived from what a file calls its trip.
    private static func isOfImport(_ trip: Trip.ID) -> Bool { trip.uuid.uuid.6 >> 4 == 8 }

    /// The trips whose days follow items that a commit writes: those into which they come, and those in which they are.
    func parentsThatFollow(_ commit: ProposedCommit) async throws -> Set<Trip.ID> {
        let items = isReadOnly ? [] : commit.written.filter { TripItem.ID($0.entity) != nil }
        var trips = Set(items.compactMap { ($0.parent ?? nil).flatMap { Trip.ID($0) } })
        // Fast path: a created item comes out of no trip, and most trips are of no import.
        let held = items.filter { $0.verb != .created }.map(\.entity)
        if held.isEmpty && !trips.contains(where: Self.isOfImport) { return [] }
        try await awaitServedViews()
        if !held.isEmpty {
            let left = try viewReader.read { view in
                let views = TripViews(view.alias(), in: knownSchema)
                return try held.compactMap { try views.ancestors(of: $0).first.flatMap { Trip.ID($0) } }
            }
            trips.formUnion(left)
        }
        return try trips.filter { try endsThatFollow(of: $0) != nil }
    }

    /// Writes the days of trips after a write of items. That one stands, so a failure is noted alone: the next write mends it.
    func follow(_ trips: Set<Trip.ID>, after receipt: Receipt, by authorship: Authorship) async -> Receipt {
        var receipt = receipt
        do {
            if !trips.isEmpty, !receipt.isVisible { try await catchUp(to: receipt.position) }
            for trip in trips.sorted() {
                let days = try await followItems(of: trip, by: authorship)
                receipt.followed += days.entities
                receipt.versions.merge(days.versions.filter { receipt.versions[$0.key] != nil }) { $1 }
            }
        } catch {
            logger.warning("the days of a trip did not follow its items", metadata: ["error": "\(error)"])
        }
        return receipt
    }
}

extension TripStore {
    /// Puts an entry elsewhere in its list: at an index of the list without it; one beyond the end is the end. Writes the ranks of as few
    /// entries as possible, in one commit. O(entries).
    ///
    /// Throws `TripStoreError` (`.unknownEntity`, `.deleted`), or what the log refuses.
    @discardableResult
    public func move(
        _ entry: ChecklistEntry.ID, to index: Int, by authorship: Authorship = Authorship()
    ) async throws -> Receipt {
        try await rank(entry, at: index, by: authorship) { entry, views in
            guard let list = entry.list else { return [entry] }
            return try views.entries(of: list)
        }
    }

    /// Puts a checklist elsewhere among those of its trip. Throws like the other.
    @discardableResult
    public func move(
        _ list: Checklist.ID, to index: Int, by authorship: Authorship = Authorship()
    ) async throws -> Receipt {
        try await rank(list, at: index, by: authorship) { list, views in
            guard let trip = list.trip else { return [list] }
            return try views.checklists(of: trip)
        }
    }

    private func rank<Entity: Ranked>(
        _ id: Identifier<Entity>, at index: Int, by authorship: Authorship,
        _ siblings: (Entity, borrowing TripViews) throws -> [Entity]
    ) async throws -> Receipt {
        try await awaitServedViews()
        let ranks = try read { views in
            var generator = SystemRandomNumberGenerator()
            return try siblings(views.present(id).0, views).ranks(moving: id, to: index, using: &generator)
        }
        return try await commit(by: authorship) { commit in
            for (id, rank) in ranks { commit.append(Entity.ranked(id, rank)) }
        }
    }
}
