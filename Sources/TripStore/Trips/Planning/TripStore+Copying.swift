import Events
package import Foundation
public import Trips

/// Copies of trips, templates, and other days.
extension TripStore {
    /// Copies a trip, or saves or uses a template, with its items, budgets, rates and checklists, and returns the copy's id. It begins on `day`, or on
    /// the day of the original, and has its name unless another is given; `parts` are left out.
    ///
    /// It is one commit or, if that would be too large, several with one correlation: `UndoTarget.lastWork(by:)` takes all of them back, and so
    /// does this where one of them fails.
    ///
    /// ```swift
    /// let again = try await store.copy(lisbon, startingOn: Day(2028, 5, 1), without: [.payments, .confirmations])
    /// let template = try await store.copy(lisbon, as: .template, named: "City break", without: [.costs, .payments, .confirmations])
    /// let porto = try await store.copy(template, startingOn: Day(2028, 9, 4), named: "Porto")
    /// ```
    ///
    /// Items keep their zones and the times that clocks show there, also where these are put forward or back in between. Nothing in
    /// checklists is done. Entities of apps' kinds are not copied.
    ///
    /// Throws `TripStoreError` (`.unknownEntity`, `.deleted`, `.invalidValue`, `.appendIDUnusable` for an append id, as another attempt would make
    /// other ids: append the `creations` of `TripContents.copied(…)` instead), or what the log refuses.
    @discardableResult
    public func copy(
        _ trip: Trip.ID, as kind: TripCopyKind = .trip, startingOn day: Day? = nil, named name: String? = nil,
        without parts: Set<TripPart> = [], by authorship: Authorship = Authorship()
    ) async throws -> Trip.ID {
        try refuseAppendID(authorship, whereIDsAreMadeBy: "a copy")
        try await awaitServedViews()
        let copy = try read { try $0.copy(of: trip, as: kind, startingOn: day, named: name, without: parts) }
        _ = try await write(copy, by: authorship)
        return copy.trip.id
    }

    /// Writes a copy, which has at least one commit. Throws like `copy`, and what `append` throws for an append id.
    package func write(
        _ copy: TripContents, by authorship: Authorship
    ) async throws -> (receipts: [Receipt], correlation: UUID?) {
        let events = copy.creations(in: knownSchema)
        do {
            return ([try await append(events, by: authorship, .any)], authorship.correlation)
        } catch let error as TripStoreError where error.code == .commitTooLarge {}
        try refuseAppendID(authorship, "for a copy of several commits")
        var authorship = authorship
        authorship.correlation = authorship.correlation ?? UUID()
        var receipts: [Receipt] = []
        do {
            for part in Self.parts(of: events) {
                receipts.append(try await append(Array(part), by: authorship, .any))
            }
        } catch {
            // Half of a copy is none. What contains others comes first.
            for receipt in receipts.reversed() {
                _ = try? await undo(receipt, by: Authorship(author: authorship.author))
            }
            throw error
        }
        return (receipts, authorship.correlation)
    }

    /// The events of each commit, each of about `UndoRun.fullSize` bytes.
    private static func parts(of events: [TripEvent]) -> [ArraySlice<TripEvent>] {
        var parts: [ArraySlice<TripEvent>] = []
        var (start, size) = (0, 0)
        for (index, event) in events.enumerated() {
            let bytes = event.writes.reduce(64) { $0 + 32 + ($1.value?.count ?? 0) }
            if size + bytes > UndoRun.fullSize, index > start {
                parts.append(events[start..<index])
                (start, size) = (index, 0)
            }
            size += bytes
        }
        return parts + [events[start...]]
    }

    /// Puts a trip so many days later, or earlier, with its items and the days of its checklists, in one commit: so one undo puts them
    /// back. Local times stay what they are, each in its zone.
    ///
    /// It is one step: if any of it moved meanwhile, it is computed anew. Throws like `edit(_:by:isolation:_:)`.
    @discardableResult
    public func shift(
        _ trip: Trip.ID, byDays days: Int, by authorship: Authorship = Authorship()
    ) async throws -> Receipt {
        try await shift(trip, by: authorship) { $0.shifted(byDays: days) }
    }

    /// Puts a trip where it begins on a day, likewise. A trip without days is counted from the first of its
    /// items, and gets the day if these have none either.
    @discardableResult
    public func shift(
        _ trip: Trip.ID, to day: Day, by authorship: Authorship = Authorship()
    ) async throws -> Receipt {
        try await shift(trip, by: authorship) { $0.shifted(to: day) }
    }

    private func shift(
        _ trip: Trip.ID, by authorship: Authorship, _ shifted: (TripContents) -> TripContents
    ) async throws -> Receipt {
        try await writeComputed {
            let (contents, versions, position) = try read { views in
                let contents = try views.presentContents(of: trip)
                return (contents, try views.versions(of: contents), views.position)
            }
            let references = Set(versions.keys)
            // The new days follow from those that an earlier attempt may have written.
            if let receipt = try receiptOfEarlierAttempt(.edits(references), authorship) { return receipt }
            let events = contents.edits(to: shifted(contents))
            if events.isEmpty {
                return Receipt(unchangedAt: position, versions: versions, entities: Array(references))
            }
            return try await write(events, .edits(references), by: authorship, expecting: versions)
        }
    }
}

extension TripViews {
    /// The copy of a trip, unwritten. Throws like `present`.
    package func copy(
        of trip: Trip.ID, as kind: TripCopyKind, startingOn day: Day?, named name: String?, without parts: Set<TripPart>
    ) throws -> TripContents {
        let contents = try presentContents(of: trip)
        let shifted = day.map { contents.shifted(to: $0) } ?? contents
        return shifted.copied(as: kind, named: name, without: parts)
    }

    /// Throws `TripStoreError.Code.unknownEntity` or `.deleted` if the trip is not there.
    package func presentContents(of trip: Trip.ID) throws -> TripContents {
        guard let contents = try contents(of: trip) else {
            _ = try present(trip)
            throw TripStoreError.deleted(trip.reference, in: known)
        }
        return contents
    }

    /// Of what a shift may write.
    fileprivate func versions(of contents: TripContents) throws -> [EntityReference: EntityVersion] {
        let references =
            [contents.trip.reference] + contents.items.map(\.reference) + contents.entries.map(\.reference)
        return Dictionary(
            uniqueKeysWithValues: try references.map { ($0, try snapshot.record(of: $0)?.version ?? .none) })
    }
}
