public import GRDB

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

    /// The best matches of a question in FTS5's words, in order, as a list shows them: the name, and where the words stand.
    public func find(_ question: String, limit: Int) throws -> [FoundWords] {
        try pool.read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT rowid, name, snippet(words, -1, '[', ']', '…', 16) FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?
                    """)
            return try FoundWords.fetchAll(statement, arguments: [question, limit])
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

/// A row that a search found.
public struct FoundWords: FetchableRecord {
    public let id: Int64
    public let name: String
    /// The text around the words, each in brackets.
    public let passage: String

    public init(row: GRDB.Row) {
        id = row[0]
        name = row[1]
        passage = row[2]
    }
}
