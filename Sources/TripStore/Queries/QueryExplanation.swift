/// How a query is answered: what `explain` gives.
public struct QueryExplanation: Hashable, Sendable {
    /// The index that serves it, or the indexes, one for each alternative of an `or`; "entities by id" or "entities by parent", or by a
    /// kind's word for them, for what is looked up without one; a view that has the entities in order; nil if all entities of the kind are looked at.
    public let index: String?
    /// The rows of the index that were read, or without an index the entities.
    public let rowsLookedAt: Int
    /// The rows of the first page.
    public let rowsGiven: Int
    /// Whether the rows had to be sorted, for they came in another order.
    package let isSorted: Bool
}

extension QueryExplanation: CustomStringConvertible {
    public var description: String {
        let source = index.map { "by the index \($0)" } ?? "by a scan, for no index serves it"
        return "\(source): \(rowsLookedAt) rows looked at, \(rowsGiven) given\(isSorted ? ", sorted" : "")"
    }
}
