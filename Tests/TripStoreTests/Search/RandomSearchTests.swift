import Events
import Foundation
import ProjectionEngine
import StoreSupport
import TestSupport
import Testing

@testable import TripProjections
@testable import TripStore
@testable import Trips

@Suite("Searches, held against a plain scan")
struct RandomSearchTests {
    /// Of each seed. TEST_QUESTIONS asks more, such as 10000.
    private static let questions = ProcessInfo.processInfo.environment["TEST_QUESTIONS"].flatMap { Int($0) } ?? 80

    private func store() async throws -> TripStore {
        var options = TripStore.Options(
            mapSize: 1 << 30, schema: [Souvenir.schema, Trip.hashtags], search: .indexed,
            dependencies: ManualClock().dependencies)
        options.foundsJournal = false
        return try await TripStore.temporary(options: options)
    }

    @Test(
        "An index finds what a scan finds, in that order, through edits, deletions, restores and rebuilds",
        arguments: Seeds.some(4))
    func random(seed: UInt64) async throws {
        let store = try await store()
        var session = SearchSession(store, seed: seed)
        for round in 0..<3 {
            for _ in 0..<60 { try await session.step() }
            if round == 1 { try await store.searchViews.rebuild() }
            try await store.searchViews.catchUp()
            let model = try ScannedModel(store)
            for _ in 0..<Self.questions / 3 {
                let question = session.question()
                let expected = model.found(question)
                let found = try store.search(question, limit: 10_000)
                try #require(found.map(\.entity) == expected.map(\.entity), "\(question)")
                #expect(found.map(\.score) == expected.map(\.score), "\(question)")
                #expect(found.allSatisfy { !$0.passages.isEmpty }, "\(question)")
                let scanned = try store.read { views in
                    try views.search(
                        SearchRequest(question, [], nil, 10_000, nil, store.searchedFields), isIndexed: false)
                }
                #expect(scanned.rows == found.rows, "\(question)")
                // However few rows are walked, and in whichever order the lists end.
                if let trip = expected.lazy.compactMap({ Trip.ID($0.entity) }).first {
                    let within = try store.search(question, in: trip, limit: 10_000)
                    let travellers = try store.trip(trip)?.travellers ?? []
                    #expect(
                        within.rows
                            == found.rows.filter { hit in
                                hit.trip == trip || hit.entity == trip.reference
                                    || Traveller.ID(hit.entity).map(travellers.contains) == true
                            })
                }
            }
        }
        try await store.expectInvariants()
    }

    private static let hasFTS5 = Program.succeeds(
        "python3", "-c",
        "import sqlite3; sqlite3.connect(':memory:').execute('create virtual table t using fts5(a, tokenize=\"trigram\")')"
    )

    /// Reads documents and questions as JSON, and prints the numbers of the documents that FTS5 finds for each. Texts are folded.
    private static let script = """
        import json, sqlite3, sys
        given = json.load(sys.stdin)
        database = sqlite3.connect(":memory:")
        columns = ", ".join(f"c{n}" for n in range(16))
        database.execute(f"create virtual table words using fts5({columns}, tokenize=\\"unicode61 remove_diacritics 0 categories 'L* N* Co Mc Me'\\")")
        database.execute(f"create virtual table parts using fts5({columns}, tokenize=\\"trigram\\")")
        marks = ", ".join("?" * 17)
        for number, texts in enumerate(given["documents"]):
            row = [number] + texts + [""] * (16 - len(texts))
            for table in ("words", "parts"):
                database.execute(f"insert into {table} (rowid, {columns}) values ({marks})", row)
        for table, question in given["questions"]:
            print(json.dumps([row[0] for row in database.execute(f"select rowid from {table} where {table} match ? order by rowid", (question,))]))
        """

    @Test(
        "It finds what SQLite's FTS5 finds: words, beginnings and phrases in scripts with spaces, and parts of runs in those without",
        .enabled(if: hasFTS5), arguments: Seeds.some(2))
    func fullTextSearch(seed: UInt64) async throws {
        struct Given: Encodable {
            let documents: [[String]]
            let questions: [[String]]
        }
        let store = try await store()
        var session = SearchSession(store, seed: 100 + seed)
        for _ in 0..<300 { try await session.step() }
        try await store.searchViews.catchUp()
        let model = try ScannedModel(store)
        // FTS5 takes a run of characters without spaces for a word, and with it the word right before it: they are set apart.
        let texts = model.documents.map { document in
            document.texts.map { $0.units.reduce("") { "\($0)\($1.isJoined ? "" : " ")\($1.text)" } }
        }
        var asked: [(question: String, table: String, match: String)] = []
        while asked.count < 3 * Self.questions {
            let question = session.question()
            let terms = ScannedModel.terms(question)
            let units = terms.flatMap(\.units)
            if units.isEmpty { continue }
            if units.allSatisfy({ !$0.isCharacter }) {
                let words = terms.map { term in
                    let words = term.units.map(\.text).joined(separator: " ")
                    return "\"\(words)\"" + (term.endsWithBeginning ? "*" : "")
                }
                asked.append((question, "words", words.joined(separator: " AND ")))
            } else if terms.count == 1, units.count > 2, units.dropFirst().allSatisfy({ $0.isCharacter && $0.isJoined })
            {
                asked.append((question, "parts", "\"\(units.map(\.text).joined())\""))
            }
        }
        let given = Given(documents: texts, questions: asked.map { [$0.table, $0.match] })
        let output = try #require(
            try Program.run("python3", ["-c", Self.script], input: [UInt8](JSONEncoder().encode(given))))
        try #require(output.code == 0, "\(output.complaint)")
        let lines = output.text.split(separator: "\n")
        #expect(lines.count == asked.count)
        for (line, (question, _, match)) in zip(lines, asked) {
            let numbers = try JSONDecoder().decode([Int].self, from: Data(line.utf8))
            let expected = Set(numbers.map { model.documents[$0].entity })
            let found = try store.search(question, limit: 10_000)
            #expect(Set(found.map(\.entity)) == expected, "\(question) as \(match)")
        }
        try await store.expectInvariants()
    }

    /// Whether an entity has all that is asked for. It counts no more than its words said it may.
    private func isMatch(
        _ candidate: SearchCandidate, _ index: inout SearchIndex, _ views: borrowing ViewSnapshot
    ) throws -> Bool {
        guard let score = try index.settle(candidate, in: views) else { return false }
        #expect(score <= candidate.score)
        return true
    }

    @Test(
        "Lists are intersected and rows compared with the same result, wherever walking ends", arguments: Seeds.some(2))
    func bounds(seed: UInt64) async throws {
        let store = try await store()
        var session = SearchSession(store, seed: 200 + seed)
        for _ in 0..<200 { try await session.step() }
        try await store.searchViews.catchUp()
        let group = try #require(store.searchGroup)
        for _ in 0..<Self.questions {
            let text = session.question()
            let question = try #require(SearchQuestion(text))
            func found(
                _ rows: Int, reach: Int = SearchIndex.reach
            ) throws -> (entities: [EntityReference], isComplete: Bool) {
                var index = SearchIndex(question, mostRows: rows, reach: reach)
                return try group.read { views in
                    let (found, isComplete) = try index.candidates(in: views)
                    let settled = try found.filter { try $0.isSettled || isMatch($0, &index, views) }
                    return (settled.map(\.entity), isComplete)
                }
            }
            let all = try found(.max)
            // Lists that are cut where they are compared: all rows of entities are read.
            for reach in [0, 1] { #expect(try found(.max, reach: reach).entities == all.entities, "\(text)") }
            for rows in [1, 2, 7, 50] {
                let some = try found(rows)
                if some.isComplete { #expect(some.entities == all.entities, "\(text)") }
                #expect(Set(some.entities).isSubset(of: all.entities), "\(text)")
            }
        }
        try await store.expectInvariants()
    }
}
