import EventLog
import Events
import ProjectionEngine
public import Trips

extension TripStore {
    /// Searches texts for words, their beginnings, and phrases in quotes: names, places, notes, addresses, codes, tags, what apps ask for.
    ///
    /// ```swift
    /// for hit in try store.search("lis tram") { print(hit.name) }     // "Tram 28 in Lisbon"
    /// ```
    ///
    /// All that is asked for must be in one entity, whatever its fields. Case and accents make no difference. What was deleted, or belongs to
    /// what was deleted, is not found, nor are templates. What counts most comes first, at the same count by ids. The page "Search" of the
    /// documentation says how words are told and what counts.
    ///
    /// An empty question, or one without a word, finds nothing. With an index of words (`Options.search`) it takes time in proportion to the
    /// entities that have the rarest of the words; without one, and while it is being built, to all entities, and with `trip` to those of the
    /// trip. Throws `TripStoreError.questionTooLong` for one of over 1,024 bytes or 64 words, and `.invalidCursor`.
    ///
    /// - Parameters:
    ///   - text: words and phrases, as people type them.
    ///   - kinds: only entities of these, as `[Trip.self, Packing.self]`; empty for all.
    ///   - trip: only it, what belongs to it, and those who travel or take part in its items, a template as well; nil for all.
    ///   - limit: the most hits of a page.
    ///   - cursor: `next` of the page before.
    public func search(
        _ text: String, kinds: [any TripEntity.Type] = [], in trip: Trip.ID? = nil, limit: Int = 50,
        after cursor: PageCursor? = nil
    ) throws -> SearchResults {
        try search(
            SearchRequest(text, kinds.map { $0.concreteKind }, trip, limit, cursor, searchedFields))
    }

    private func search(_ request: SearchRequest) throws -> SearchResults {
        // An index that a fault has stopped knows nothing of what came since.
        guard let searchGroup, searchGroup.isServing, searchGroup.fault == nil else {
            let found = try querySource.cached(request) { try $0.search(request, isIndexed: false) }
            return found.value.at(found.position)
        }
        return try TripStoreError.wrap {
            try interceptor?.willRead()
            searchGroup.reader.notice()
            let found = try searchGroup.reader.cached(request) {
                try TripViews($0.alias()).search(request, isIndexed: true)
            }
            return found.value.at(found.position)
        }
    }

    /// The first page of a search, live: it runs again when something that it read has changed. Without an index of words every change of an
    /// entity is one, and all entities are looked at on a thread for searches. `LiveRows.isComplete` says whether all that there is was looked
    /// at.
    ///
    /// Its iteration throws what `search` throws.
    public func live(
        searching text: String, kinds: [any TripEntity.Type] = [], in trip: Trip.ID? = nil, limit: Int = 50
    ) -> LiveQuery<LiveRows<SearchHit>> {
        let fields = searchedFields
        // A reader has an index only if a writer has left one.
        let group = isReadOnly && searchGroup?.isServing != true ? nil : searchGroup
        let isIndexed = group != nil
        return LiveQuery(
            group ?? views, log, interceptor, isScan: !isIndexed && trip == nil,
            Self.someRows { views in
                let request = try SearchRequest(text, kinds.map { $0.concreteKind }, trip, limit, nil, fields)
                let found = try views.search(request, isIndexed: isIndexed)
                return (found.hits, found.next, found.isComplete)
            })
    }
}

extension PastStore {
    /// Searches the texts as they were, by looking at all entities: see `TripStore.search`.
    public func search(
        _ text: String, kinds: [any TripEntity.Type] = [], in trip: Trip.ID? = nil, limit: Int = 50,
        after cursor: PageCursor? = nil
    ) throws -> SearchResults {
        let request = try SearchRequest(
            text, kinds.map { $0.concreteKind }, trip, limit, cursor, searchedFields)
        return try read { try $0.search(request, isIndexed: false) }
    }
}

extension TripQuerying {
    /// Searches by looking at all entities, among kinds by what tells them apart, and in fields of apps that a log describes: for tools, which
    /// have no app's declarations. Throws like `TripStore.search`.
    package func search(
        _ text: String, kinds: [ConcreteKind], in trip: Trip.ID?, limit: Int, after cursor: PageCursor?,
        describedBy fields: [FieldDescription]
    ) throws -> SearchResults {
        let request = try SearchRequest(text, kinds, trip, limit, cursor, SearchedFields(fields))
        return try read { try $0.search(request, isIndexed: false) }
    }
}

extension TripEntity {
    package static var concreteKind: ConcreteKind { ConcreteKind(Self.self) }
}
