public import Trips

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
