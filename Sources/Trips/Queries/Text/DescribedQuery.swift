/// A question in words for entities of an app's kind that only the log describes.
///
/// What the app's program alone knows does not count: a cleared field is none, also where its property has a default, and a field that replaces
/// others has its own value alone.
package struct DescribedQuery {
    private let query: CompiledQuery<DescribedEntity>
    private let schema: EntitySchema

    /// Throws `QueryTextError` if the condition or the order cannot be read.
    package init(_ kind: OwnKind, where condition: String?, sortedBy order: String?) throws {
        schema = EntitySchema.described(kind)
        var query = Query<DescribedEntity>()
        if let condition {
            let node = try ConditionParser.condition(condition, of: schema)
            query = query.where { _ in Condition(node) }
        }
        if let order { query.sortKeys = try SortKeyParser.keys(order, of: schema) }
        self.query = try CompiledQuery(query, of: schema, readsRecord: false)
    }

    /// The entities that meet the condition, in the order; as they stand without one. O(entities · log).
    package func rows(of entities: [DescribedEntity]) throws -> [DescribedEntity] {
        // Words name no relations.
        let found = try entities.filter { try query.matches($0) { _ in false } }
        guard !query.record.sortKeys.isEmpty else { return found }
        return found.map { ($0, query.sortValues($0)) }.sorted { query.record.isBefore($0.1, $1.1) }.map(\.0)
    }

    /// Throws `QueryTextError` for a field that the kind does not have, or that is there twice.
    package func columns(_ text: String) throws(QueryTextError) -> EntityColumns<DescribedEntity> {
        try EntityColumns(parsing: text, of: schema)
    }
}
