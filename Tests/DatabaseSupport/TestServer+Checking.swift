extension TestServer {
    /// Where the numbers or the positions of a database's entries have a gap, and what is stored twice; empty if all is well.
    public func gaps(in database: String) async throws -> [String] {
        let found = try await sql(
            """
            SELECT 'entry ' || journal || ' ' || entry FROM (
                SELECT *, lag(entry, 1, 0::bigint) OVER w AS before, lag(position + commits, 1, 1::bigint) OVER w AS expected
                FROM tripstore.entry WINDOW w AS (PARTITION BY journal ORDER BY entry)) AS e
            WHERE entry <> before + 1 OR position <> expected
            UNION ALL
            SELECT 'journal ' || journal FROM tripstore.journal j
            WHERE next_entry > 1 AND (next_entry, next_position) IS DISTINCT FROM
                (SELECT (e.entry + 1, e.position + e.commits) FROM tripstore.entry e WHERE e.journal = j.journal
                 ORDER BY entry DESC LIMIT 1)
            UNION ALL
            SELECT 'twice ' || a.journal || ' ' || a.entry FROM tripstore.entry a JOIN tripstore.entry b
                ON a.journal = b.journal AND a.replica = b.replica AND a.entry < b.entry AND a.last_hash = b.last_hash
            WHERE a.set_aside IS NULL AND b.set_aside IS NULL
            """, in: database)
        return found.split(separator: "\n").map(String.init)
    }
}
