import Events
public import Trips

extension FetchRequest<Rows<SearchHit>> {
    /// The hits of a search: see `TripQuerying.search(_:kinds:in:limit:after:)`. It is asked of a store: a read has no answer.
    public static func search<Root: TripEntity>(
        _ text: String, kinds: [any TripEntity.Type] = [], in root: Identifier<Root>? = Trip.ID?.none, limit: Int = 50,
        after cursor: PageCursor? = nil
    ) -> FetchRequest {
        let (kinds, root) = (kinds.map { $0.concreteKind }, root?.reference)
        return FetchRequest(
            rows: FetchIdentity.search(Array(text.utf8), kinds, in: root, limit: limit, cursor),
            of: .words(amongAll: root == nil), readsDeclarations: true
        ) { views, context in
            guard let fields = context.searchedFields else {
                throw TripStoreError(.unusableOption, "A search is asked of a store, and not inside of a read.")
            }
            let request = try SearchRequest(text, kinds, root, limit, cursor, fields)
            return try views.search(request, isIndexed: context.isIndexed)
        }
    }
}

// Not the views of a read: they do not know what apps want to be searched.
extension TripQuerying {
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
    /// entities that have the rarest of the words; without one, while it is being built, and in the past, to all entities, and with `root` to
    /// those that belong to it. Throws `TripStoreError.Code.questionTooLong` for one of over 1,024 bytes or 64 words, and `.invalidCursor`.
    ///
    /// - Parameters:
    ///   - text: words and phrases, as people type them.
    ///   - kinds: only entities of these, as `[Trip.self, Packing.self]`; empty for all.
    ///   - root: only this entity and what belongs to it, directly or not, in a template as well: a book with its notes, a trip with its
    ///     items. With a trip also those who travel or take part in its items. Without it: all.
    ///   - limit: the most hits of a page.
    ///   - cursor: `next` of the page before.
    public func search<Root: TripEntity>(
        _ text: String, kinds: [any TripEntity.Type] = [], in root: Identifier<Root>? = Trip.ID?.none, limit: Int = 50,
        after cursor: PageCursor? = nil
    ) throws -> Rows<SearchHit> {
        try fetch(.search(text, kinds: kinds, in: root, limit: limit, after: cursor))
    }
}

extension TripQuerying {
    /// Searches by looking at all entities, among kinds by what tells them apart, and in fields of apps that a log describes: for tools, which
    /// have no app's declarations. Throws like `TripStore.search`.
    package func search(
        _ text: String, kinds: [ConcreteKind], in root: EntityReference?, limit: Int, after cursor: PageCursor?,
        describedBy fields: [FieldDescription]
    ) throws -> Rows<SearchHit> {
        let request = try SearchRequest(text, kinds, root, limit, cursor, SearchedFields(fields))
        return try read { try $0.search(request, isIndexed: false) }
    }
}

extension SearchHit {
    /// The `root` if it is a trip; nil for trips themselves and for what belongs to none. `TripItem.ID(hit.entity)` is the id of an item of
    /// any kind.
    public var trip: Trip.ID? { root.flatMap { Trip.ID($0) } }
}

extension TripViews {
    /// Who travels or takes part in an item of a trip; nobody while it is deleted, and of what is no trip.
    func companions(of entity: EntityReference) throws -> [EntityReference] {
        guard let id = Trip.ID(entity), let trip = try self.entity(id) else { return [] }
        let all = try items(of: id).reduce(into: trip.travellers) { $0.formUnion($1.participants) }
        return all.map(\.reference)
    }
}
