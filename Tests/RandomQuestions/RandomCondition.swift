import Foundation
public import TripStore
import TripStoreTestSupport

/// A condition in four forms: for the store in Swift and in words, as a plain function, and for SQLite.
public struct RandomCondition<Entity: TripEntity> {
    let condition: Condition<Entity>
    let words: String
    /// Of the row of an alias. Neither true nor false counts as false, as in the others.
    let statement: (String) -> String
    let holds: (QuestionRow, QuestionRows) -> Bool

    init(
        _ condition: Condition<Entity>, _ words: String, _ statement: @escaping (String) -> String,
        _ holds: @escaping (QuestionRow, QuestionRows) -> Bool
    ) {
        self.condition = condition
        self.words = words
        self.statement = { "COALESCE(\(statement($0)), 0)" }
        self.holds = holds
    }

    /// With a statement in which § is the alias.
    init(
        _ condition: Condition<Entity>, _ words: String, _ statement: String,
        _ holds: @escaping (QuestionRow, QuestionRows) -> Bool
    ) {
        self.init(condition, words, { statement.replacing("§", with: $0) }, holds)
    }

    static func random(
        _ depth: Int, _ random: inout SeededRandom, _ atom: (inout SeededRandom) -> RandomCondition
    ) -> RandomCondition {
        guard depth > 0 else { return atom(&random) }
        let (a, b) = (Self.random(depth - 1, &random, atom), Self.random(depth - 1, &random, atom))
        switch Int.random(in: 0..<4, using: &random) {
        case 0, 1: return a.and(b)
        case 2:
            return RandomCondition(
                a.condition || b.condition, "(\(a.words)) or (\(b.words))",
                { "(\(a.statement($0)) OR \(b.statement($0)))" }, { a.holds($0, $1) || b.holds($0, $1) })
        default:
            return RandomCondition(
                !a.condition, "not (\(a.words))", { "NOT \(a.statement($0))" }, { !a.holds($0, $1) })
        }
    }

    func and(_ other: RandomCondition) -> RandomCondition {
        RandomCondition(
            condition && other.condition, "(\(words)) and (\(other.words))",
            { "(\(statement($0)) AND \(other.statement($0)))" }, { holds($0, $1) && other.holds($0, $1) })
    }

    /// Some, all or none of the entities that belong to one; `link` joins the alias of these, the second, to that of the one.
    static func relation<Related>(
        _ relation: QueryRelation<Entity, Related>, _ name: String, _ kinds: [QuestionRow.Kind], depth: Int,
        _ inner: RandomCondition<Related>, _ random: inout SeededRandom, link: @escaping (String, String) -> String,
        _ related: @escaping (QuestionRow, QuestionRows) -> [QuestionRow]
    ) -> RandomCondition {
        let numbers = kinds.map { "\($0.rawValue)" }.joined(separator: ", ")
        func exists(_ alias: String, _ condition: (String) -> String) -> String {
            // Each level has its own alias.
            let other = "r\(depth)"
            return
                "EXISTS (SELECT 1 FROM entities \(other) WHERE \(other).kind IN (\(numbers)) AND \(link(alias, other))"
                + " AND \(condition(other)))"
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            return RandomCondition(
                relation.isEmpty, "no \(name)", { alias in "NOT \(exists(alias) { _ in "1" })" },
                { related($0, $1).isEmpty })
        case 1:
            return RandomCondition(
                relation.allSatisfy { _ in inner.condition }, "all \(name) (\(inner.words))",
                { alias in "NOT \(exists(alias) { "NOT \(inner.statement($0))" })" },
                { row, rows in related(row, rows).allSatisfy { inner.holds($0, rows) } })
        default:
            return RandomCondition(
                relation.contains { _ in inner.condition }, "any \(name) (\(inner.words))",
                { alias in exists(alias) { inner.statement($0) } },
                { row, rows in related(row, rows).contains { inner.holds($0, rows) } })
        }
    }

    /// The entity that a field names.
    static func named<Target>(
        _ field: QueryField<Entity, Identifier<Target>>, _ name: String, _ column: String, depth: Int,
        _ inner: RandomCondition<Target>, _ kind: QuestionRow.Kind, _ id: @escaping (QuestionRow) -> UUID?
    ) -> RandomCondition {
        RandomCondition(
            field.matches { _ in inner.condition }, "\(name) (\(inner.words))",
            { alias in
                let other = "r\(depth)"
                return
                    "EXISTS (SELECT 1 FROM entities \(other) WHERE \(other).kind = \(kind.rawValue) AND \(other).id = \(alias).\(column)"
                    + " AND \(inner.statement(other)))"
            },
            { row, rows in rows[id(row)].map { inner.holds($0, rows) } ?? false })
    }
}
