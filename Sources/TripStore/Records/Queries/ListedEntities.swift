import Foundation
import TripProjections
import Trips

/// The only entities that can meet a condition: it names them, or the parents under which they lie.
struct ListedEntities {
    /// The rows by which they are found, in words.
    let name: String
    /// Each once; in order if the query is.
    private let ids: [UUID]

    private init(_ name: String, _ ids: [UUID], _ query: RecordQuery) {
        self.name = name
        self.ids = query.isOrderedByID ? ids.sorted() : ids
    }

    var count: Int { ids.count }

    /// Those after one, for a query in the order of ids. O(log n).
    func ids(after id: UUID) -> ArraySlice<UUID> {
        var (low, high) = (0, ids.count)
        while low < high {
            let middle = (low + high) / 2
            if ids[middle] <= id { low = middle + 1 } else { high = middle }
        }
        return ids[low...]
    }

    var all: ArraySlice<UUID> { ids[...] }

    /// Those that a query names, by themselves or by their parents; nil if it names none, or if as many as `bound` rows would be read for them.
    static func of(
        _ query: RecordQuery, _ constraints: FieldConstraints, below bound: Int, in views: borrowing TripViews
    ) throws -> ListedEntities? {
        if let ids = constraints.ids(of: query.kind), ids.count < bound {
            return ListedEntities("entities by id", ids, query)
        }
        guard let parents = constraints.parents(of: query.kind) else { return nil }
        // Read without recording, for another route may be taken.
        let snapshot = views.snapshot.unrecorded()
        // Going to the rows of a parent takes as long as one of them.
        var (ids, left): ([UUID], Int) = ([], bound - parents.count)
        for parent in parents {
            // Rows of kinds that are in order with this one are read as well.
            try ChildrenByParent.forEachChild(of: parent, query.kind, in: snapshot) { child in
                if query.kind.covers(child) { ids.append(child.id) }
                left -= 1
                return left > 0
            }
            guard left > 0 else { return nil }
        }
        for parent in parents { ChildrenByParent.depend(on: query.kind, of: parent, in: views.snapshot) }
        return ListedEntities(query.parents.areOfOneKind ? Self.partsByParent : "entities by parent", ids, query)
    }
}
