import Foundation
import TestSupport
import Testing

@testable import Trips

extension Activity {
    fileprivate static let steps = OwnCounter<Activity>("org.example.mistakes", 1, "steps")
    fileprivate static let twins = [
        OwnField<Activity, Int>("org.example.mistakes", 2, "twin"),
        OwnField<Activity, Int>("org.example.mistakes.too", 2, "twin"),
    ]
    fileprivate static let dates = OwnSet<Activity, Date>("org.example.mistakes", 3, "dates")
    fileprivate static let known = KnownSchema(declaring: [steps, dates] + twins)
}

@Suite("Mistakes in questions in words")
struct QueryTextErrorTests {
    struct Mistake: CustomTestStringConvertible {
        /// The mistake is at the ‸.
        let marked: String
        let code: QueryTextError.Code
        let message: String

        init(_ marked: String, _ code: QueryTextError.Code, _ message: String) {
            (self.marked, self.code, self.message) = (marked, code, message)
        }

        var testDescription: String { marked }
    }

    static let mistakes: [Mistake] = [
        Mistake("‸", .syntax, "Here a condition is to begin, such as name contains \"tram\", and not the end."),
        Mistake("name = 'a' ‸name", .syntax, "After a condition come and, or, or the end, and not 'name'."),
        Mistake(
            "name = 'a' or ‸", .syntax, "Here a condition is to begin, such as name contains \"tram\", and not the end."
        ),
        Mistake("(name = 'a'‸", .syntax, "A parenthesis is not closed. Write ) at the end."),
        Mistake(
            "(name = 'a' ‸'b')", .syntax, "In parentheses come and, or, or ) after a condition, and not the text 'b'."),
        Mistake("name = 'a'‸)", .syntax, "After a condition come and, or, or the end, and not ')'."),
        Mistake("‸= 5", .syntax, "Here a condition is to begin, such as name contains \"tram\", and not '='."),
        Mistake("name ‸== 'a'", .syntax, "There is no operator '=='. Write one of =, !=, <, <=, > and >=."),
        Mistake("name ‸<> 'a'", .syntax, "There is no operator '<>'. Write one of =, !=, <, <=, > and >=."),
        Mistake(
            "name = ‸\"a", .syntax,
            "The text that begins here does not end. Close it with \", and write \\\" for one in it."),
        Mistake(
            "name = 'é😀‸\\q'", .syntax,
            "The backslash begins no escape. Write \\\\ for a backslash, \\\" or \\' for a quote, \\n, \\r, \\t, or \\u{E9} for any character."
        ),
        Mistake("name = '‸\\u{110000}'", .syntax, "The backslash begins no escape."),
        Mistake("name = '‸\\u{D800}'", .syntax, "The backslash begins no escape."),
        Mistake("name = '‸\\u{+41}'", .syntax, "The backslash begins no escape."),
        Mistake("name = '‸\\u{}'", .syntax, "The backslash begins no escape."),
        Mistake("name = '‸\\u{41'", .syntax, "The backslash begins no escape."),
        Mistake("name = '‸\\", .syntax, "The backslash begins no escape."),
        Mistake(
            "‸nmae = 'a'", .unknownField,
            "The kind activity has no field 'nmae'. Did you mean 'name'? It has name, trip, start, end, "),
        Mistake("not ‸startDate = 1", .unknownField, "The kind activity has no field 'startDate'. "),
        Mistake(
            "name = 'a' and ‸Name = 'b'", .unknownField, "The kind activity has no field 'Name'. Did you mean 'name'?"),
        Mistake("‸\"no such\" = 1", .unknownField, "The kind activity has no field 'no such'. It has "),
        Mistake("‸twin = 1", .ambiguousField, "The fields of several apps are called 'twin'. Write one of "),
        Mistake(
            "name‸", .syntax,
            "After 'name' comes what is asked of it. Ask with =, !=, in, <, <=, >, >=, between, contains, begins with, is like, is none or is not none."
        ),
        Mistake(
            "cost ‸contains 'a'", .unfitOperator,
            "'contains' does not fit 'cost', which is an amount of money. Ask with =, !=, in, <, <=, >, >=, between, is none or is not none."
        ),
        Mistake("cost ‸like 5", .syntax, "'like' does not fit 'cost', which is an amount of money. Ask with "),
        Mistake(
            "paid ‸> none", .unfitOperator,
            "'>' does not fit 'paid', which is a choice. Ask with =, !=, in, is none or is not none."),
        Mistake("trip ‸< 5", .unfitOperator, "'<' does not fit 'trip', which is the id of a kind 'trip'."),
        Mistake(
            "address ‸in (1)", .unfitOperator,
            "'in' does not fit 'address', which is an address. Ask with within, is none or is not none."),
        Mistake(
            "address = ‸5", .unfitValue, "'5' does not fit 'address', which is an address. Ask whether it is none, or "),
        Mistake("cost ‸overlaps 2027-05-01", .unfitOperator, "'overlaps' does not fit 'cost', "),
        Mistake(
            "time ‸= 2027-05-01", .unfitOperator,
            "'=' does not fit 'time', which is from a moment to another. Ask with overlaps."),
        Mistake(
            "dates ‸is none", .unfitOperator,
            "'is' does not fit 'dates', of which each element is an instant. Ask with contains."),
        Mistake("dates contains ‸2027-05-01", .unfitValue, "'2027-05-01' does not fit 'dates', "),
        Mistake("steps ‸> 5", .unfitOperator, "'>' does not fit 'steps', which is a counter. No question reads it."),
        Mistake(
            "name = ‸Lisbon", .unfitValue,
            "'Lisbon' does not fit 'name', which is text. Write it in quotes, as \"Lisbon\"."),
        Mistake("name contains ‸5", .unfitValue, "'5' does not fit 'name', which is text. Write it in quotes"),
        Mistake("name contains ‸", .syntax, "A value for 'name' is missing. Write it in quotes, as \"Lisbon\"."),
        Mistake("name begins ‸'a'", .syntax, "After begins comes with, and not the text 'a'."),
        Mistake(
            "cost = ‸'5'", .unfitValue,
            "The text '5' does not fit 'cost', which is an amount of money. Write an amount and its currency"),
        Mistake("cost > 100‸", .unfitValue, "The amount needs its currency. Write it behind, as 100 EUR."),
        Mistake("cost > 100 ‸and paid = none", .unfitValue, "The amount needs its currency."),
        Mistake(
            "cost > 100 ‸XYZ", .unfitValue,
            "'XYZ' is no currency of ISO 4217. Use a code of three letters, such as EUR."),
        Mistake(
            "cost > ‸1.234 EUR", .unfitValue,
            "\"1.234\" is no amount in EUR. Write digits, with at most 2 after a point."),
        Mistake("cost > ‸none", .unfitValue, "'none' does not fit 'cost', which is an amount of money."),
        Mistake("cost between 1 EUR and ‸2 USD", .unfitValue, "Amounts in different currencies have no order."),
        Mistake("cost between 2 EUR and ‸1 EUR", .unfitValue, "The second value is less than the first."),
        Mistake("cost between 1 EUR ‸to 2 EUR", .syntax, "Between two values comes and, and not 'to'."),
        Mistake("cost is ‸5 EUR", .syntax, "After is comes none or not none, and not '5'. For a value write =."),
        Mistake("name is ‸'a'", .syntax, "After is comes none, not none, like or not like, and not the text 'a'."),
        Mistake(
            "paid = ‸maybe", .unfitValue,
            "'maybe' does not fit 'paid', which is a choice. Write one of none, deposit, inFull."),
        Mistake("paid in ‸none", .syntax, "After in comes a list of values in parentheses, and not 'none'."),
        Mistake("paid in (none ‸deposit)", .syntax, "After a value in a list comes a comma or ), and not 'deposit'."),
        Mistake("paid in (‸)", .unfitValue, "')' does not fit 'paid', which is a choice."),
        Mistake(
            "hidesLocation = ‸1", .unfitValue, "'1' does not fit 'hidesLocation', which is a flag. Write true or false."
        ),
        Mistake("start >= ‸soon", .unfitValue, "'soon' does not fit 'start', which is a moment. Write it as "),
        Mistake("start >= ‸2027-02-30", .unfitValue, "'2027-02-30' does not fit 'start', which is a moment."),
        Mistake("start >= 2027-05-01 ‸Nowhere", .unfitValue, "'Nowhere' is no time zone known here."),
        Mistake("start >= 2027-05-01 ‸10:00", .unfitValue, "'10:00' is no time zone known here."),
        Mistake("time overlaps 2027-05-02 to ‸2027-05-01", .unfitValue, "The second value is less than the first."),
        Mistake(
            "trip = ‸01A1", .unfitValue,
            "'01A1' does not fit 'trip', which is the id of a kind 'trip'. Write all of its digits"),
        Mistake("name = 'a' ‸; drop", .syntax, "After a condition come and, or, or the end, and not ';'."),
        Mistake("any ‸(name = 'a')", .syntax, "After any comes the name of a kind, and not '('."),
        Mistake("no ‸", .syntax, "After no comes the name of a kind, and not the end."),
        Mistake("any ‸lodging", .unknownKind, "No kind 'lodging' can be asked here. "),
        Mistake(
            "trip (any ‸lodgin)", .unknownKind,
            "No kind 'lodgin' can be asked here. Did you mean 'lodging'? A trip has item, activity, lodging, transportation"
        ),
        Mistake("trip (all lodging‸)", .syntax, "After all lodging comes a condition in parentheses, and not ')'."),
        Mistake("trip (any lodging (‸mode = plane))", .unknownField, "The kind lodging has no field 'mode'. "),
        Mistake("trip (any item (‸mode = plane))", .unknownField, "The kind item has no field 'mode'. "),
        Mistake("trip (name = 'a'‸", .syntax, "A parenthesis is not closed. Write ) at the end."),
        Mistake(
            "trip (name = 'a') ‸name = 'b'", .syntax, "After a condition come and, or, or the end, and not 'name'."),
        Mistake("trip as ‸= 5", .syntax, "After as comes the name of a kind, and not '='."),
        Mistake("trip as ‸lodging (name = 'a')", .unknownKind, "'trip' names a trip, and no lodging."),
        Mistake(
            "trip as ‸tripp (name = 'a')", .unknownKind, "No kind 'tripp' can be asked here. Did you mean 'trip'? "),
        Mistake("trip as trip ‸name", .syntax, "After as trip comes a condition in parentheses, and not 'name'."),
        Mistake("name ‸(name = 'a')", .unfitOperator, "'(' does not fit 'name', which is text. "),
        Mistake("name ‸within 5 km of 1, 2", .unfitOperator, "'within' does not fit 'name', which is text. "),
        Mistake("address within ‸", .syntax, "After within comes a distance, as 5 km or 800 m, and not the end."),
        Mistake(
            "address within ‸near 1, 2", .unfitValue, "After within comes a distance, as 5 km or 800 m, and not 'near'."
        ),
        Mistake("address within ‸-5 km of 1, 2", .unfitValue, "After within comes a distance, "),
        Mistake("address within ‸nan km of 1, 2", .unfitValue, "After within comes a distance, "),
        Mistake("address within 5 ‸of 1, 2", .unfitValue, "The distance needs its unit, m or km. Write it as 5 km."),
        Mistake("address within ‸5mi of 1, 2", .unfitValue, "The distance needs its unit, m or km. Write it as 5 km."),
        Mistake(
            "address within 5 km ‸1, 2", .syntax,
            "After a distance comes of and a place, as of 38.7, -9.1, and not '1'."),
        Mistake("address within 5 km of ‸", .syntax, "The latitude is a number of degrees from -90 to 90, "),
        Mistake("address within 5 km of ‸91, 2", .unfitValue, "The latitude is a number of degrees from -90 to 90, "),
        Mistake("address within 5 km of 9 ‸2", .syntax, "Between latitude and longitude comes a comma, and not '2'."),
        Mistake(
            "address within 5 km of 9, ‸181", .unfitValue, "The longitude is a number of degrees from -180 to 180, "),
    ]

    @Test("Each mistake is reported at its character, with what to write", arguments: mistakes)
    func refused(mistake: Mistake) throws {
        let parts = mistake.marked.split(separator: "‸", omittingEmptySubsequences: false)
        try #require(parts.count == 2)
        let text = parts.joined()
        let error = #expect(throws: QueryTextError.self) {
            try Query<Activity>(in: Activity.known).where(parsing: text)
        }
        #expect(error?.position == parts[0].count)
        #expect(error?.code == mistake.code && error?.text == text)
        #expect(error?.message.hasPrefix(mistake.message) == true, "\(error?.message ?? "")")
    }

    @Test("Below the line with the mistake stands a caret under its character")
    func caret() throws {
        let text = "name = 'é'\n  and nmae = 'b'\nand paid = none"
        let error = #expect(throws: QueryTextError.self) { try Query<Activity>().where(parsing: text) }
        #expect(error?.excerpt == "    and nmae = 'b'\n        ^")
        #expect(error?.description == "\(error?.message ?? "")\n\(error?.excerpt ?? "")")
        let long = String(repeating: "name = 'a' and ", count: 20) + "x = 1"
        let cut = try #require(#expect(throws: QueryTextError.self) { try Query<Activity>().where(parsing: long) })
        let lines = cut.excerpt.split(separator: "\n")
        #expect(lines[0].count == 74 && lines[0].dropFirst(lines[1].count - 1).hasPrefix("x = 1"))
        let tabs = #expect(throws: QueryTextError.self) { try Query<Activity>().where(parsing: "\tname\u{1B}") }
        #expect(tabs?.excerpt == "   name \n   ^")
    }

    @Test(
        "A hostile text neither overflows the stack nor takes long",
        arguments: [
            String(repeating: "(", count: 10_000),
            String(repeating: "(", count: 65) + "name = 'a'" + String(repeating: ")", count: 65),
            String(repeating: "not ", count: 16_000), String(repeating: "x", count: 100_000),
            String(repeating: "\"\\u{41}\"", count: 8_000), String(repeating: "not (", count: 10_000),
        ])
    func hostile(text: String) {
        let error = #expect(throws: QueryTextError.self) { try Query<Activity>().where(parsing: text) }
        #expect((error?.excerpt.count ?? .max) < 200)
    }

    @Test("Characters are counted as people see them, whatever they are made of")
    func characters() {
        let text = "name = 'e\u{301}👩‍👩‍👧\r\n' nmae"
        let error = #expect(throws: QueryTextError.self) { try Query<Activity>().where(parsing: text) }
        #expect(error?.position == 13)
    }

    @Test("Parentheses beside each other do not add up")
    func siblings() throws {
        let text = (0..<200).map { "(name = '\($0)')" }.joined(separator: " or ")
        let names = (0..<200).map { "\($0)" }
        let expected = Query<Activity>().where { fields in
            names.dropFirst().reduce(fields.name == names[0]) { $0 || fields.name == $1 }
        }
        #expect(try Query<Activity>().where(parsing: text) == expected)
    }

    @Test("As many parentheses as are allowed are read, and one more is refused where it is")
    func depth() throws {
        let deepest = ConditionParser.deepest
        func text(_ depth: Int) -> String {
            String(repeating: "(", count: depth) + "name = 'a'" + String(repeating: ")", count: depth)
        }
        #expect(try Query<Activity>().where(parsing: text(deepest)) == Query<Activity>().where { $0.name == "a" })
        let error = #expect(throws: QueryTextError.self) { try Query<Activity>().where(parsing: text(deepest + 1)) }
        #expect(error?.code == .tooLarge && error?.position == deepest)
        let longest = "name = 'a'" + String(repeating: " ", count: QueryLexer.longest - 10)
        #expect(try Query<Activity>().where(parsing: longest) == Query<Activity>().where { $0.name == "a" })
        #expect(throws: QueryTextError.self) { try Query<Activity>().where(parsing: longest + " ") }
    }

    @Test("Damaged questions are read or refused at a character of theirs", arguments: Seeds.some(20))
    func damaged(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for (text, _) in ConditionTextTests.conditions {
            let damaged = String(decoding: random.damaged(Array(text.utf8)), as: UTF8.self)
            do throws(QueryTextError) {
                _ = try Query<Activity>(in: Activity.known).where(parsing: damaged).sorted(parsing: damaged)
            } catch {
                #expect(0...damaged.count ~= error.position && error.text == damaged && !error.excerpt.isEmpty)
            }
        }
    }
}
