import GRDB

extension SQLiteStore {
    /// An index of words over all texts, by SQLite's FTS5: with indexes of beginnings, and the fields ranked as ours are.
    public func addWords() throws {
        try pool.write { database in
            try database.execute(
                sql: """
                    CREATE VIRTUAL TABLE words USING fts5(
                        name, code, place, address, contact, notes, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');
                    INSERT INTO words (name, code, place, address, contact, notes)
                        SELECT name, '', destination, '', '', notes FROM trips;
                    INSERT INTO words (name, code, place, address, contact, notes)
                        SELECT name, reservation, location,
                            coalesce(formatted, '') || ' ' || coalesce(street, '') || ' ' || coalesce(postal_code, '') || ' ' ||
                                coalesce(city, '') || ' ' || coalesce(state, '') || ' ' || coalesce(country, ''), '', notes
                        FROM items;
                    INSERT INTO words (name, code, place, address, contact, notes)
                        SELECT name, '', '', '', phone || ' ' || email || ' ' || website, '' FROM organizations;
                    INSERT INTO words (words, rank) VALUES ('rank', 'bm25(8.0, 6.0, 5.0, 3.0, 3.0, 2.0)');
                    INSERT INTO words (words) VALUES ('optimize');
                    """)
        }
    }

    /// The row numbers of the best matches of a question in FTS5's words, in order.
    public func find(_ question: String, limit: Int) throws -> [Int64] {
        try pool.read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?")
            return try Int64.fetchAll(statement, arguments: [question, limit])
        }
    }

    /// How many match.
    public func matchCount(_ question: String) throws -> Int {
        try pool.read { database in
            try Int.fetchOne(database, sql: "SELECT count(*) FROM words WHERE words MATCH ?", arguments: [question])
                ?? 0
        }
    }
}
