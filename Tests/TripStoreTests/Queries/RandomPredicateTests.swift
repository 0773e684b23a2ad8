import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStore
@testable import Trips

@Suite("Predicates, held against their evaluation")
struct RandomPredicateTests {
    private typealias Expressions = PredicateExpressions
    private typealias Part = any StandardPredicateExpression<Bool>

    private static let texts = ["", "a", "A", "é", "e\u{301}", "K", "\u{212A}", "ß", "ss", ";", "\u{37E}", "1", "a b"]
    private static let numbers = [0, -0.0, 1, 1.5, -1, .infinity, -.infinity, .nan]
    private static let dates = [0, 0.001, 0.0005, 1e9, -1e9, 1e300].map { Date(timeIntervalSince1970: $0) }
    private static let keys = (0..<3).map { _ in UUID() }

    private static func gauge(_ folders: [Folder.ID], _ random: inout SeededGenerator) -> Gauge {
        var gauge = Gauge(id: .new())
        gauge.name = texts.randomElement(using: &random) ?? ""
        gauge.count = Int.random(in: -2...2, using: &random)
        gauge.level = numbers.randomElement(using: &random) ?? 0
        gauge.isOn = .random(using: &random)
        if Bool.random(using: &random) { gauge.label = texts.randomElement(using: &random) }
        if Bool.random(using: &random) { gauge.limit = numbers.randomElement(using: &random) }
        if Bool.random(using: &random) { gauge.isSeen = .random(using: &random) }
        if Bool.random(using: &random) { gauge.day = Day(2027, 5, Int.random(in: 1...3, using: &random)) }
        if Bool.random(using: &random) { gauge.read = dates.dropLast().randomElement(using: &random) }
        if Bool.random(using: &random) {
            gauge.moment = Moment(
                dates[Int.random(in: 0...2, using: &random)], Bool.random(using: &random) ? "UTC" : "Asia/Tokyo")
        }
        if Bool.random(using: &random) { gauge.key = keys.randomElement(using: &random) }
        if Bool.random(using: &random) { gauge.parent = folders.randomElement(using: &random) }
        return gauge
    }

    private static func equal<Value: Equatable & Codable & Sendable>(
        _ field: some StandardPredicateExpression<Value>, _ value: Value, _ random: inout SeededGenerator
    ) -> Part {
        let constant = Expressions.build_Arg(value)
        return switch Int.random(in: 0..<4, using: &random) {
        case 0: Expressions.build_Equal(lhs: field, rhs: constant)
        case 1: Expressions.build_Equal(lhs: constant, rhs: field)
        case 2: Expressions.build_NotEqual(lhs: field, rhs: constant)
        default: Expressions.build_contains(Expressions.build_Arg([value]), field) as Expressions.SequenceContains
        }
    }

    private static func compare<Value: Comparable & Codable & Sendable>(
        _ field: some StandardPredicateExpression<Value>, _ value: Value, _ other: Value,
        _ random: inout SeededGenerator
    ) -> Part {
        let constant = Expressions.build_Arg(value)
        let operators: [Expressions.ComparisonOperator] = [
            .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual,
        ]
        let op = operators.randomElement(using: &random) ?? .lessThan
        let isOrdered = value <= other
        return switch Int.random(in: 0..<5, using: &random) {
        case 0: Expressions.build_Comparison(lhs: constant, rhs: field, op: op)
        case 1 where isOrdered:
            Expressions.build_contains(
                Expressions.build_ClosedRange(lower: constant, upper: Expressions.build_Arg(other)), field)
                as Expressions.RangeExpressionContains
        case 2 where isOrdered:
            Expressions.build_contains(Expressions.build_Arg(value..<other), field)
                as Expressions.RangeExpressionContains
        default: Expressions.build_Comparison(lhs: field, rhs: constant, op: op)
        }
    }

    /// A comparison of the value of an optional, or its opposite, with what counts for nil.
    private static func unwrapped<Value: Comparable & Codable & Sendable>(
        _ field: some StandardPredicateExpression<Value?>, _ value: Value, _ random: inout SeededGenerator
    ) -> Part {
        let constant = Expressions.build_Arg(value)
        let op: Expressions.ComparisonOperator = Bool.random(using: &random) ? .lessThan : .greaterThanOrEqual
        let ifNil = Expressions.build_Arg(Bool.random(using: &random))
        let isTrue: Bool? = true
        return switch Int.random(in: 0..<3, using: &random) {
        case 0:
            Expressions.build_NilCoalesce(
                lhs: Expressions.build_flatMap(field) {
                    Expressions.build_Comparison(lhs: $0, rhs: constant, op: op)
                }, rhs: ifNil)
        case 1:
            Expressions.build_NilCoalesce(
                lhs: Expressions.build_flatMap(field) {
                    Expressions.build_Negation(Expressions.build_Comparison(lhs: $0, rhs: constant, op: op))
                }, rhs: ifNil)
        default:
            Expressions.build_Equal(
                lhs: Expressions.build_flatMap(field) {
                    Expressions.build_Comparison(lhs: $0, rhs: constant, op: op)
                }, rhs: Expressions.build_Arg(isTrue))
        }
    }

    private static func text(_ gauge: Expressions.Variable<Gauge>, _ random: inout SeededGenerator) -> Part {
        let name = Expressions.build_KeyPath(root: gauge, keyPath: \Gauge.name)
        let label = Expressions.build_KeyPath(root: gauge, keyPath: \Gauge.label)
        let text = texts.randomElement(using: &random) ?? ""
        let constant = Expressions.build_Arg(text)
        return switch Int.random(in: 0..<6, using: &random) {
        case 0: equal(name, text, &random)
        case 1: equal(label, Bool.random(using: &random) ? text : nil, &random)
        case 2: Expressions.build_contains(name, constant) as Expressions.CollectionContainsCollection
        case 3: Expressions.build_starts(name, with: constant)
        case 4: Expressions.build_KeyPath(root: name, keyPath: \String.isEmpty)
        default: compare(name, text, texts.randomElement(using: &random) ?? "", &random)
        }
    }

    private static func number(_ gauge: Expressions.Variable<Gauge>, _ random: inout SeededGenerator) -> Part {
        let count = Expressions.build_KeyPath(root: gauge, keyPath: \Gauge.count)
        let level = Expressions.build_KeyPath(root: gauge, keyPath: \Gauge.level)
        let limit = Expressions.build_KeyPath(root: gauge, keyPath: \Gauge.limit)
        let (one, two) = (Int.random(in: -2...2, using: &random), Int.random(in: -2...2, using: &random))
        let number = numbers.randomElement(using: &random) ?? 0
        return switch Int.random(in: 0..<6, using: &random) {
        case 0: equal(count, one, &random)
        case 1: compare(count, one, two, &random)
        case 2: equal(level, number, &random)
        case 3: compare(level, number, numbers.randomElement(using: &random) ?? 0, &random)
        case 4: equal(limit, Bool.random(using: &random) ? number : nil, &random)
        default: unwrapped(limit, number, &random)
        }
    }

    private static func time(_ gauge: Expressions.Variable<Gauge>, _ random: inout SeededGenerator) -> Part {
        let day = Expressions.build_KeyPath(root: gauge, keyPath: \Gauge.day)
        let read = Expressions.build_KeyPath(root: gauge, keyPath: \Gauge.read)
        let moment = Expressions.build_KeyPath(root: gauge, keyPath: \Gauge.moment)
        let date = dates.randomElement(using: &random)
        let other = Day(2027, 5, Int.random(in: 1...3, using: &random))
        let instant = Expressions.build_flatMap(moment) { Expressions.build_KeyPath(root: $0, keyPath: \Moment.date) }
        let milliseconds = Expressions.build_flatMap(moment) {
            Expressions.build_KeyPath(root: $0, keyPath: \Moment.milliseconds)
        }
        return switch Int.random(in: 0..<8, using: &random) {
        case 0: equal(day, other, &random)
        case 1: unwrapped(day, other, &random)
        case 2: equal(read, date, &random)
        case 3: unwrapped(read, date ?? Date(), &random)
        case 4: equal(instant, date, &random)
        case 5: unwrapped(instant, date ?? Date(), &random)
        case 6: unwrapped(milliseconds, Int64.random(in: 0...1, using: &random), &random)
        default: equal(milliseconds, Bool.random(using: &random) ? 1 : nil, &random)
        }
    }

    private static func choice(
        _ gauge: Expressions.Variable<Gauge>, _ folders: [Folder.ID], _ random: inout SeededGenerator
    ) -> Part {
        let isOn = Expressions.build_KeyPath(root: gauge, keyPath: \Gauge.isOn)
        let isSeen = Expressions.build_KeyPath(root: gauge, keyPath: \Gauge.isSeen)
        let key = Expressions.build_KeyPath(root: gauge, keyPath: \Gauge.key)
        let parent = Expressions.build_KeyPath(root: gauge, keyPath: \Gauge.parent)
        let id = Expressions.build_KeyPath(root: gauge, keyPath: \Gauge.id)
        let isSet = Bool.random(using: &random)
        return switch Int.random(in: 0..<7, using: &random) {
        case 0: isOn
        case 1: equal(isOn, isSet, &random)
        case 2: equal(isSeen, [true, false, nil].randomElement(using: &random) ?? nil, &random)
        case 3: Expressions.build_NilCoalesce(lhs: isSeen, rhs: Expressions.build_Arg(isSet))
        case 4: equal(key, isSet ? keys[0] : nil, &random)
        case 5: equal(parent, folders.randomElement(using: &random), &random)
        default: equal(id, .new(), &random)
        }
    }

    private static func part(
        _ depth: Int, _ gauge: Expressions.Variable<Gauge>, _ folders: [Folder.ID], _ random: inout SeededGenerator
    ) -> Part {
        func not(_ part: some StandardPredicateExpression<Bool>) -> Part { Expressions.build_Negation(part) }
        func both(_ a: some StandardPredicateExpression<Bool>, _ b: some StandardPredicateExpression<Bool>) -> Part {
            Expressions.build_Conjunction(lhs: a, rhs: b)
        }
        func either(_ a: some StandardPredicateExpression<Bool>, _ b: some StandardPredicateExpression<Bool>) -> Part {
            Expressions.build_Disjunction(lhs: a, rhs: b)
        }
        func choice(
            _ a: some StandardPredicateExpression<Bool>, _ b: some StandardPredicateExpression<Bool>,
            _ c: some StandardPredicateExpression<Bool>
        ) -> Part { Expressions.build_Conditional(a, b, c) }
        guard depth > 0 else {
            return switch Int.random(in: 0..<4, using: &random) {
            case 0: text(gauge, &random)
            case 1: number(gauge, &random)
            case 2: time(gauge, &random)
            default: Self.choice(gauge, folders, &random)
            }
        }
        let parts = (0..<3).map { _ in part(depth - 1, gauge, folders, &random) }
        return switch Int.random(in: 0..<6, using: &random) {
        case 0: not(parts[0])
        case 1, 2: both(parts[0], parts[1])
        case 3, 4: either(parts[0], parts[1])
        default: choice(parts[0], parts[1], parts[2])
        }
    }

    @Test("Whatever the predicate, the rows are those for which it is true", arguments: Seeds.some(4))
    func random(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let store = try await TripStore.test(schema: [Gauge.schema, Folder.schema])
        var folders: [Folder.ID] = []
        for number in 0..<3 { folders.append(try await store.create(Folder("Folder \(number)", in: nil))) }
        try await store.create((0..<150).map { _ in Self.gauge(folders, &random) })
        // What names it reads as nil.
        try await store.delete(folders[0])
        let all = try store.fetch(Query<Gauge>())
        var (conditions, evaluated) = (0, 0)
        for _ in 0..<250 {
            let depth = Int.random(in: 0...3, using: &random)
            let predicate = Predicate<Gauge> { Self.part(depth, $0, folders, &random) }
            let query = Query<Gauge>().where(predicate)
            let expected = try all.filter(predicate).map(\.id)
            #expect(try store.fetch(query).map(\.id) == expected, "seed \(seed): \(predicate.expression)")
            conditions += query.predicates.isEmpty ? 1 : 0
            evaluated += query.condition == nil ? 1 : 0
        }
        // Neither way is left out.
        #expect(conditions > 20 && evaluated > 20, "seed \(seed)")
        try await store.expectInvariants()
    }
}
