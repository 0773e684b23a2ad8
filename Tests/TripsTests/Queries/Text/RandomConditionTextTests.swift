import Foundation
import TestSupport
import Testing

@testable import Trips

/// A condition, and the same in words, as any program may write them: with spaces, parentheses, capitals and escapes at random.
private struct RandomCondition {
    var random: SeededGenerator

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    private mutating func keyword(_ word: String) -> String { pick([word, word.uppercased(), word.capitalized]) }

    private mutating func space() -> String { pick([" ", "  ", "\n", "\t ", "\u{A0}"]) }

    private mutating func text() -> String {
        let count = Int.random(in: 0...6, using: &random)
        return String(
            (0..<count).map { _ in pick(["a", "Z", "é", "\u{301}", "\"", "'", "\\", "\n", " ", "😀", ")", "="]) }
                .joined())
    }

    private mutating func literal(_ text: String) -> String {
        if Bool.random(using: &random) { return text.quotedForQuery }
        let scalars = text.unicodeScalars.map { scalar in
            scalar == "'" || scalar == "\\" || Bool.random(using: &random)
                ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }
        return "'\(scalars.joined())'"
    }

    /// The text has no space at its ends.
    mutating func condition(_ depth: Int) -> (text: String, condition: Condition<Activity>) {
        switch depth == 0 ? 0 : Int.random(in: 0...3, using: &random) {
        case 1:
            let (a, b) = (operand(depth - 1), operand(depth - 1))
            return (a.text + space() + keyword("and") + space() + b.text, a.condition && b.condition)
        case 2:
            let (a, b) = (operand(depth - 1), operand(depth - 1))
            return (a.text + space() + keyword("or") + space() + b.text, a.condition || b.condition)
        case 3:
            let a = operand(depth - 1)
            return (keyword("not") + space() + a.text, !a.condition)
        default: return comparison()
        }
    }

    /// In parentheses, so that it can stand anywhere.
    private mutating func operand(_ depth: Int) -> (text: String, condition: Condition<Activity>) {
        let inner = condition(depth)
        return (pick(["(", "( ", "(\n"]) + inner.text + pick([")", " )"]), inner.condition)
    }

    private mutating func comparison() -> (text: String, condition: Condition<Activity>) {
        let fields = QueryFields<Activity>()
        let text = text()
        switch Int.random(in: 0...4, using: &random) {
        case 0:
            let value = literal(text)
            return pick([
                ("name \(keyword("contains"))\(space())\(value)", fields.name.contains(text)),
                ("notes \(keyword("begins")) \(keyword("with"))\(space())\(value)", fields.notes.begins(with: text)),
                ("name \(keyword("is")) \(keyword("like")) \(value)", fields.name.isLike(text)),
                ("name \(keyword("in"))(\(value) , \(value))", fields.name.isOne(of: [text])),
            ])
        case 1: return compared("name", fields.name, text, literal(text))
        case 2:
            let money = Money(
                minorUnits: Int64.random(in: -100_000...100_000, using: &random), pick(["EUR", "JPY", "KWD"]))
            return compared("cost", fields.cost, money, "\(money)")
        case 3:
            let moment = Moment(
                milliseconds: Int64.random(in: Moment.representable, using: &random),
                zone: pick(["UTC", "Europe/Lisbon", "America/New_York"]))
            // Before zones there were seconds in offsets, which ISO 8601 has not.
            let utc = Moment(milliseconds: moment.milliseconds, zone: "UTC")
            return compared("start", fields.start, moment, "\(utc.localISO8601) \(moment.zone)")
        default:
            let paid: PaidStatus = pick([.none, .deposit, .inFull, PaidStatus(rawValue: 9)])
            return pick([
                ("paid = \(paid)", fields.paid == paid), ("paid!='\(paid)'", fields.paid != paid),
                ("cost \(keyword("is")) \(keyword("none"))", fields.cost == nil),
                ("cost != \(keyword("none"))", fields.cost != nil),
                ("paid \(keyword("in")) (\(paid),\(keyword("none")))", fields.paid.isOne(of: [paid, .none])),
            ])
        }
    }

    private mutating func compared<Value>(
        _ name: String, _ field: QueryField<Activity, Value>, _ value: Value, _ text: String
    ) -> (text: String, condition: Condition<Activity>) {
        pick([
            ("\(name)=\(text)", field == value), ("\(name) != \(text)", field != value),
            ("\(name)<\(text)", field < value), ("\(name) <=\(text)", field <= value),
            ("\(name)> \(text)", field > value), ("\(name) >= \(text)", field >= value),
            ("\(name) \(keyword("between")) \(text) \(keyword("and")) \(text)", field >= value && field <= value),
        ])
    }
}

@Suite("Random conditions in words")
struct RandomConditionTextTests {
    @Test("A condition that is written in words is read as the same condition", arguments: Seeds.some(10))
    func roundTrips(seed: UInt64) throws {
        var random = RandomCondition(random: SeededGenerator(seed: seed))
        for _ in 0..<300 {
            let (text, condition) = random.condition(5)
            let parsed = try Query<Activity>().where(parsing: text)
            let expected = Query<Activity>().where { _ in condition }
            #expect(parsed == expected, "seed \(seed): \(text)\n\(parsed.words)\n\(expected.words)")
        }
    }
}
