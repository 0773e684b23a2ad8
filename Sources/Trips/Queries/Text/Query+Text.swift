extension Query {
    /// Only those that meet a condition in words, beside all conditions so far.
    ///
    /// ```swift
    /// let query = try Query<Book>().where(parsing: "title contains \"dune\" and rating > 3").sorted(parsing: "-rating,~title")
    /// ```
    ///
    /// The page 'Asking' of TripStore specifies the grammar. Apps' own fields and kinds have the names that the store of `init(in:)` knows.
    ///
    /// Throws `QueryTextError` with the character that is wrong. O(characters).
    public func `where`(parsing text: String) throws(QueryTextError) -> Query {
        let node = try ConditionParser.condition(text, of: kind)
        return self.where { _ in Condition(node) }
    }

    /// In the order of some fields, after the orders so far: names with commas between them, of which `-` before one is from the last to the first,
    /// and `~` as people expect names. Both may stand there.
    ///
    /// Throws `QueryTextError` with the character that is wrong. O(characters).
    public func sorted(parsing text: String) throws(QueryTextError) -> Query {
        var query = self
        query.sortKeys += try SortKey.keys(text, of: kind)
        return query
    }
}

extension String {
    /// A text as a literal of the grammar of questions: in quotes, with the escapes that it needs.
    package var quotedForQuery: String {
        let escaped = unicodeScalars.map { $0 == "\\" || $0 == "\"" ? "\\\($0)" : String($0) }
        return "\"\(escaped.joined())\""
    }
}
