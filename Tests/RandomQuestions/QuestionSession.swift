public import Foundation
public import TripStore
public import TripStoreTestSupport

/// Another database with the rows, of which questions are asked in SQL: a table `entities` with the columns of `QuestionRow`, and a function
/// `meters` of two places.
public protocol QuestionDatabase {
    /// The ids that a statement selects, in its order.
    func ids(_ statement: String) throws -> [UUID]
    /// The rows of numbers that a statement selects, in its order.
    func numbers(_ statement: String) throws -> [[Int64?]]
}

/// An answer that is not that of the filter or of the other database.
public struct WrongAnswer: Error, CustomStringConvertible {
    public let description: String
}

/// Asks a store random questions, and holds the answers against a plain filter, and against another database if there is one.
public struct QuestionSession {
    public private(set) var random: SeededRandom
    public private(set) var questions: QuestionStore
    /// How many questions were asked, and how many of them an index answered.
    public private(set) var asked = 0
    public private(set) var byIndex = 0
    /// The last questions, to be asked again when something else is there.
    private var again: [(any TripQuerying, QuestionRows) throws -> Void] = []
    private static let kept = 20

    public init(seed: UInt64, _ options: TripStore.Options) async throws {
        random = SeededRandom(seed: seed)
        questions = try await QuestionStore(options, &random)
    }

    /// Changes some entities, and asks the last questions again.
    public mutating func change() async throws {
        try await questions.change(&random)
        try askAgain(questions.store, questions.rows)
    }

    /// Changes one trip and what is in it, and asks the last questions again: the results of most of them stand.
    public mutating func changeOneTrip() async throws {
        try await questions.changeOneTrip(&random)
        try askAgain(questions.store, questions.rows)
    }

    /// Asks the last questions again, of what has or had the rows.
    public func askAgain(_ store: any TripQuerying, _ rows: QuestionRows) throws {
        for question in again { try question(store, rows) }
    }

    /// Reads all pages of a query while entities change: those that meet the condition all the time, in a place that does not change, are on
    /// exactly one page. Throws `WrongAnswer`.
    public mutating func readPagesWhileChanging() async throws {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: try await readPages(of: Bag.self)
        case 1: try await readPages(of: Trip.self)
        case 2: try await readPages(of: Lodging.self)
        default: try await readPages(of: Activity.self)
        }
    }

    private mutating func readPages<Entity: Questioned>(of kind: Entity.Type) async throws {
        let question: RandomQuestion<Entity> = question()
        let size = Int.random(in: 1...20, using: &random)
        var standing = question.matching(questions.rows)
        var (found, cursor): ([UUID], PageCursor?) = ([], nil)
        while true {
            let page = try questions.store.fetch(question.query.limit(size), after: cursor)
            found += page.map(\.id.uuid)
            guard let next = page.next else { break }
            cursor = next
            try await questions.changeOneTrip(&random)
            if Int.random(in: 0..<4, using: &random) == 0 { try await questions.change(&random) }
            let now = Dictionary(uniqueKeysWithValues: question.matching(questions.rows).map { ($0.id, $0) })
            standing.removeAll { row in now[row.id].map { question.order.compare($0, row) != 0 } ?? true }
        }
        for row in standing where found.count(where: { $0 == row.id }) != 1 {
            throw WrongAnswer(description: "\(row.id) is not on one page \(question.words), \(size) at once")
        }
    }

    /// Throws `WrongAnswer`.
    public mutating func ask(_ database: (any QuestionDatabase)? = nil) throws {
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1: try ask(Activity.self, database)
        case 2: try ask(Lodging.self, database)
        case 3: try ask(Transportation.self, database)
        case 4, 5: try ask(Trip.self, database)
        case 6: try ask(Organization.self, database)
        default: try ask(Bag.self, database)
        }
    }

    private mutating func ask<Entity: Questioned>(_ kind: Entity.Type, _ database: (any QuestionDatabase)?) throws {
        let question: RandomQuestion<Entity> = question()
        let (condition, order, query) = (question.condition, question.order, question.query)
        let matching = question.matching(questions.rows)
        let expected = question.sorted(matching)
        let explained = try questions.store.explain(query)
        func check<Value: Equatable>(_ what: String, _ found: Value, _ expected: Value) throws {
            guard found != expected else { return }
            throw WrongAnswer(
                description:
                    "\(what) \(question.words), \(explained): \(found) and not \(expected)"
            )
        }
        asked += 1
        if explained.index != nil { byIndex += 1 }
        try check("rows", pages(of: query), expected)
        try check("the count", questions.store.count(query), expected.count)
        try check("existence", questions.store.exists(query), !expected.isEmpty)
        let read = try Query<Entity>(in: questions.store).where(parsing: condition.words)
        try check("words", order.words.isEmpty ? read : read.sorted(parsing: order.words), query)
        if let items = query as? any ItemQuestion {
            try check("sums", items.sums(in: questions.store), Self.sums(of: matching))
        }
        if again.count == Self.kept { again.removeFirst() }
        let limit = Int.random(in: 1...80, using: &random)
        let repeated = { (store: any TripQuerying, rows: QuestionRows) in
            let matching = question.matching(rows)
            let expected = question.sorted(matching)
            guard try store.fetch(query.limit(limit)).map(\.id.uuid) == Array(expected.prefix(limit)) else {
                throw WrongAnswer(description: "the first \(limit) rows \(question.words), asked again")
            }
            guard try store.count(query) == expected.count, try store.ids(query).map(\.uuid) == expected else {
                throw WrongAnswer(description: "the count, or the ids \(question.words), asked again")
            }
            if let items = query as? any ItemQuestion, try items.sums(in: store) != Self.sums(of: matching) {
                throw WrongAnswer(description: "the sums \(question.words), asked again")
            }
        }
        try repeated(questions.store, questions.rows)
        again.append(repeated)
        guard let database else { return }
        let table = "FROM entities e WHERE e.kind = \(Entity.rowKind.rawValue) AND \(condition.statement("e"))"
        let columns = order.statement
        try check("rows in SQL", database.ids("SELECT e.id \(table) ORDER BY \(columns)"), expected)
        let counts = try database.numbers("SELECT e.paid, COUNT(*) \(table) GROUP BY e.paid ORDER BY e.paid")
        let expectedCounts = Dictionary(grouping: matching, by: \.paid).map { [Int64($0.rawValue), Int64($1.count)] }
        try check("groups in SQL", counts, expectedCounts.sorted { $0[0] < $1[0] }.map { $0.map(Optional.some) })
    }

    /// Now and then a condition that names entities, or their trip.
    private mutating func narrowing<Entity: Questioned>() -> RandomCondition<Entity>? {
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1: return questions.tripIDs.randomElement(using: &random).flatMap { Entity.belongs(to: $0) }
        case 2:
            let ids = questions.rows.all.filter { $0.kind == Entity.rowKind }.map(\.id)
            return Entity.isOne(of: (0..<8).compactMap { _ in ids.randomElement(using: &random) })
        default: return nil
        }
    }

    private mutating func question<Entity: Questioned>() -> RandomQuestion<Entity> {
        let depth = Int.random(in: 0...3, using: &random)
        var condition = RandomCondition.random(Int.random(in: 0...2, using: &random), &random) {
            Entity.atom(depth, &$0)
        }
        if let narrow: RandomCondition<Entity> = narrowing() { condition = narrow.and(condition) }
        let order = (Entity.orders + [.byID]).randomElement(using: &random) ?? .byID
        return RandomQuestion(condition, order)
    }

    private mutating func pages<Entity: TripEntity>(of query: Query<Entity>) throws -> [UUID] {
        let size = Int.random(in: 1...80, using: &random)
        var (found, cursor): ([UUID], PageCursor?) = ([], nil)
        repeat {
            let page = try questions.store.fetch(query.limit(size), after: cursor)
            found += page.map(\.id.uuid)
            cursor = page.next
        } while cursor != nil
        return found
    }

    /// By payment and currency, of the rows that have a cost.
    private static func sums(of rows: [QuestionRow]) -> [String] {
        let groups = Dictionary(grouping: rows, by: \.paid).sorted { $0.key.rawValue < $1.key.rawValue }
        return groups.map { paid, rows in
            let costs = Dictionary(grouping: rows.compactMap(\.cost), by: \.currency.code).sorted { $0.key < $1.key }
            return
                (["\(paid) \(rows.count)"]
                + costs.map { "\($0.key) \($0.value.reduce(0) { $0 + $1.minorUnits })" }).joined(separator: " ")
        }
    }
}

/// A query for items, whose costs are summed.
private protocol ItemQuestion {
    func sums(in store: any TripQuerying) throws -> [String]
}

extension Query: ItemQuestion where Entity: ItemEntity {
    fileprivate func sums(in store: any TripQuerying) throws -> [String] {
        guard let cost = try measures(parsing: "cost", isSummed: true).first?.key else { return [] }
        return try store.groups(of: self, by: groupKeys(parsing: "paid"), measuring: cost).map { group in
            (["\(group.keys[0]) \(group.count)"] + group.costs.map { "\($0.currency.code) \($0.minorUnits)" })
                .joined(separator: " ")
        }
    }
}
