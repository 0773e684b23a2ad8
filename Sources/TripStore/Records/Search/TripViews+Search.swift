import Events
import ProjectionEngine
import TripProjections
import Trips

/// Searching one snapshot of views: of the index of words, or of the store's own by looking at all entities.
extension TripViews {
    /// A page of what a search finds.
    ///
    /// Throws `TripStoreError.Code.invalidCursor` if its cursor belongs to another search.
    func search(_ request: SearchRequest, isIndexed: Bool) throws -> Rows<SearchHit> {
        let last = try request.cursor.map { cursor throws(TripStoreError) in try cursor.hit(in: request) }
        // An index answers for everything.
        var index = isIndexed && request.root == nil ? SearchIndex(request.question, kinds: request.kinds) : nil
        let (found, isComplete) = try index?.candidates(in: snapshot) ?? candidates(request)
        let templates = request.root == nil ? try Templates.all(in: snapshot) : []
        // Most pages need the first few of many.
        var hits: [SearchHit] = []
        var ranked = RankedCandidates(found)
        var end: SearchCandidate?
        while let candidate = try ranked.next(settling: { try index?.settle($0, in: snapshot) }) {
            if let last, !last.ranksBefore(candidate) { continue }
            guard let record = try snapshot.record(of: candidate.entity), try record.isPresent(),
                try !isHidden(candidate.entity, record), try !isIn(templates, candidate.entity)
            else { continue }
            if hits.count == request.limit {
                return try listed(hits, next: end.map { PageCursor(after: $0, request) }, isComplete: isComplete)
            }
            hits.append(try hit(candidate, record, request))
            end = candidate
        }
        return try listed(hits, isComplete: isComplete)
    }

    /// By looking at one entity with what belongs to it, or at all entities.
    private func candidates(_ request: SearchRequest) throws -> (found: [SearchCandidate], isComplete: Bool) {
        if request.question.isEmpty { return ([], true) }
        if let root = request.root {
            return (try matches(among: members(of: root) + companions(of: root), request), true)
        }
        snapshot.depend(onPrefix: [], of: "entities")
        let views = snapshot.unrecorded()
        var found: [SearchCandidate] = []
        var looked = 0
        let scan = try views.scan("entities", KeyBounds(prefix: []))
        while let row = try scan.next() {
            looked += 1
            // A live search that nobody waits for any more must not keep its thread.
            if looked.isMultiple(of: 256) { try Task.checkCancellation() }
            guard row.key.count == 18, let entity = EntityReference(row.key), request.covers(entity) else { continue }
            if let candidate = try request.match(entity, RecordView(row: row.value)) { found.append(candidate) }
        }
        return (found, true)
    }

    /// Those of some entities that a search finds. O(their texts).
    private func matches(
        among entities: [EntityReference], _ request: SearchRequest
    ) throws -> [SearchCandidate] {
        try entities.compactMap { entity in
            guard request.covers(entity), let record = try snapshot.record(of: entity) else { return nil }
            return try request.match(entity, record)
        }
    }

    /// An entity and what belongs to it, or to that, and so on.
    private func members(of root: EntityReference) throws -> [EntityReference] {
        // Of entities that are under each other one is cut off: it belongs to nothing.
        try [root] + descendants(of: [root]).filter { try ancestors(of: $0).contains(root) }
    }

    private func hit(
        _ candidate: SearchCandidate, _ record: borrowing RecordView, _ request: SearchRequest
    ) throws -> SearchHit {
        let entity = candidate.entity
        let passages = try request.fields.texts(of: entity, record).compactMap { text -> SearchHit.Passage? in
            let ranges = request.question.places(in: text.text)
            guard !ranges.isEmpty else { return nil }
            return SearchHit.Passage(
                field: text.field, fieldName: entity.nameOfField(text.number, in: known), text: text.text,
                ranges: ranges)
        }
        return SearchHit(
            entity: entity, root: try ancestors(of: entity).last,
            name: try entity.name(of: record, in: known), score: Int(candidate.score), passages: passages)
    }
}

extension SearchRequest {
    fileprivate func covers(_ entity: EntityReference) -> Bool {
        kinds.isEmpty || kinds.contains { $0.covers(entity) }
    }

    fileprivate func match(
        _ entity: EntityReference, _ record: borrowing RecordView
    ) throws -> SearchCandidate? {
        let row = EntityWords.row(of: try fields.texts(of: entity, record))
        return row.withUnsafeBytes { question.score(of: $0) }.map { SearchCandidate(entity, score: $0) }
    }
}

/// Candidates in the order of results, settled and sorted only as far as they are taken: those that may count the same at a time.
private struct RankedCandidates {
    private var rest: [SearchCandidate]
    /// All that may count this much, of which those from `position` on are to be taken.
    private var group: [SearchCandidate] = []
    private var position = 0

    init(_ candidates: [SearchCandidate]) { rest = candidates }

    /// `settle` says what a candidate counts, which is no more than its score; nil if it is none.
    mutating func next(settling settle: (SearchCandidate) throws -> Int?) throws -> SearchCandidate? {
        while true {
            if position == group.count, !takeGroup() { return nil }
            var candidate = group[position]
            position += 1
            if candidate.isSettled { return candidate }
            guard let score = try settle(candidate).map({ Int32(clamping: $0) }) else { continue }
            candidate.isSettled = true
            if score == candidate.score { return candidate }
            candidate.score = score
            rest.append(candidate)
        }
    }

    /// False if there are no more.
    private mutating func takeGroup() -> Bool {
        guard let best = rest.max(by: { $0.score < $1.score })?.score else { return false }
        group.removeAll(keepingCapacity: true)
        position = 0
        rest.removeAll { candidate in
            if candidate.score == best { group.append(candidate) }
            return candidate.score == best
        }
        let isSorted = zip(group, group.dropFirst()).allSatisfy { $0.isBefore($1) }
        if !isSorted { group.sort { $0.isBefore($1) } }
        return true
    }
}
