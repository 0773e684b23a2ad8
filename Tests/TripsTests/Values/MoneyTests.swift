import Foundation
import TestSupport
import Testing

@testable import Trips

@Suite("Money")
struct MoneyTests {
    @Test(
        "Decimal text is read exactly, with the decimals of its currency",
        arguments: [
            ("0", "EUR", 0), ("-0", "EUR", 0), ("12", "EUR", 1_200), ("12.3", "EUR", 1_230), ("12.34", "EUR", 1_234),
            ("-0.01", "EUR", -1), ("007.50", "EUR", 750), ("0.10", "EUR", 10), ("1500", "JPY", 1_500),
            ("-7", "JPY", -7), ("1", "KWD", 1_000), ("1.2", "KWD", 1_200), ("1.234", "KWD", 1_234),
            ("-0.001", "BHD", -1), ("1.2345", "CLF", 12_345), ("00000000000000000000000001", "JPY", 1),
        ] as [(String, Currency, Int64)])
    func parsing(text: String, currency: Currency, minorUnits: Int64) throws {
        #expect(try Money(parsing: text, currency) == Money(minorUnits: minorUnits, currency))
        #expect(Money(text, currency) == Money(minorUnits: minorUnits, currency))
    }

    @Test(
        "Text reaches the ends of 64 bits and not beyond",
        arguments: [
            ("92233720368547758.07", "EUR", Int64.max), ("-92233720368547758.08", "EUR", .min),
            ("92233720368547758.08", "EUR", nil), ("-92233720368547758.09", "EUR", nil),
            ("9223372036854775807", "JPY", .max), ("-9223372036854775808", "JPY", .min),
            ("9223372036854775808", "JPY", nil), ("-9223372036854775809", "JPY", nil),
            ("9223372036854775.807", "KWD", .max), ("-9223372036854775.808", "KWD", .min),
            ("9223372036854775.808", "KWD", nil), ("9223372036854775807", "EUR", nil),
            ("99999999999999999999999999999999", "EUR", nil), ("-99999999999999999999999999999999", "JPY", nil),
        ] as [(String, Currency, Int64?)])
    func ends(text: String, currency: Currency, minorUnits: Int64?) {
        #expect(Money(text, currency)?.minorUnits == minorUnits)
    }

    @Test(
        "Text that is no exact amount is refused, with the text, the currency and the form that is wanted",
        arguments: [
            ("", "EUR"), ("-", "EUR"), ("+1", "EUR"), ("1.", "EUR"), (".5", "EUR"), ("-.5", "EUR"), (".", "EUR"),
            ("1,50", "EUR"), ("1.234", "EUR"), ("1.230", "EUR"), (" 1", "EUR"), ("1 ", "EUR"), ("1e3", "EUR"),
            ("0x10", "EUR"), ("--1", "EUR"), ("1.-5", "EUR"), ("1.2.", "EUR"), ("1.2.3", "KWD"), ("1.2345", "KWD"),
            ("1.0", "JPY"), ("1.", "JPY"), ("1.00001", "CLF"), ("NaN", "EUR"), ("∞", "EUR"), ("١٢", "EUR"),
            ("１２", "EUR"), ("1\u{301}", "EUR"), ("1\0", "EUR"),
        ] as [(String, Currency)])
    func refusedText(text: String, currency: Currency) {
        expectRefusal(.invalidAmount, naming: "\"\(text)\"", "\(currency)", advising: "Write digits") {
            _ = try Money(parsing: text, currency)
        }
        #expect(Money(text, currency) == nil)
    }

    @Test(
        "Of an amount beyond 64 bits it is said that it is too large, and which is the largest",
        arguments: [
            ("92233720368547758.08", "EUR", "92233720368547758.07 EUR"),
            ("9223372036854775808", "JPY", "9223372036854775807 JPY"),
            ("-92233720368547758.09", "EUR", "92233720368547758.07 EUR"),
        ] as [(String, Currency, String)])
    func tooLarge(text: String, currency: Currency, largest: String) {
        expectRefusal(.invalidAmount, naming: "\"\(text)\"", "too large", advising: largest) {
            _ = try Money(parsing: text, currency)
        }
    }

    @Test(
        "The refusal says how many decimals there may be",
        arguments: [("JPY", "no smaller unit"), ("EUR", "at most 2"), ("KWD", "at most 3")] as [(Currency, String)])
    func decimalsInRefusals(currency: Currency, advice: String) {
        expectRefusal(.invalidAmount, naming: "1.23456", advising: advice) {
            _ = try Money(parsing: "1.23456", currency)
        }
    }

    @Test("A refusal quotes only the start of long text")
    func longText() throws {
        let text = String(repeating: "9", count: 5_000) + "x"
        let error = expectRefusal(.invalidAmount, naming: "999", advising: "Write digits") {
            _ = try Money(parsing: text, "EUR")
        }
        #expect(try #require(error).message.count < 300)
    }

    @Test("Amounts of currencies that ISO 4217 does not have are refused by the currency")
    func unknownCurrency() {
        expectRefusal(.unknownCurrency, naming: "XYZ", advising: "Use a code of three letters") {
            _ = try Money(parsing: "not even an amount", "XYZ")
        }
        #expect(Money("1", "XYZ") == nil)
    }

    @Test(
        "Amounts are written with all decimals of their currency",
        arguments: [
            (0, "EUR", "0.00"), (5, "EUR", "0.05"), (-5, "EUR", "-0.05"), (50, "EUR", "0.50"), (1_234, "EUR", "12.34"),
            (-100, "EUR", "-1.00"), (0, "JPY", "0"), (100, "JPY", "100"), (-7, "JPY", "-7"), (1, "KWD", "0.001"),
            (-1_234, "KWD", "-1.234"), (1, "CLF", "0.0001"), (.max, "EUR", "92233720368547758.07"),
            (.min, "EUR", "-92233720368547758.08"), (.min, "JPY", "-9223372036854775808"),
            (.min, "KWD", "-9223372036854775.808"),
        ] as [(Int64, Currency, String)])
    func formatting(minorUnits: Int64, currency: Currency, amount: String) {
        let money = Money(minorUnits: minorUnits, currency)
        #expect(money.amount == amount)
        #expect(money.description == "\(amount) \(currency)")
    }

    @Test("An amount in a currency that is not known is shown in its minor units, and called so")
    func formattingUnknown() {
        let money = Money(minorUnits: -1_234, "XYZ")
        #expect(money.amount == "-1234")
        #expect(money.description == "-1234 minor units of XYZ")
    }

    @Test("Any amount in any currency comes back from its text, which says the same number", arguments: Seeds.some(5))
    func textComesBack(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for currency in Currency.all {
            let isSmall = Bool.random(using: &generator)
            let range = isSmall ? -20_000...20_000 : Int64.min...Int64.max
            let money = Money(minorUnits: .random(in: range, using: &generator), currency)
            #expect(try Money(parsing: money.amount, currency) == money)
            let digits = try #require(currency.minorDigits)
            let number = try #require(Decimal(string: money.amount))
            let scale = (0..<digits).reduce(Decimal(1)) { scale, _ in scale * 10 }
            #expect(number * scale == Decimal(money.minorUnits), "\(money)")
        }
    }

    @Test("Amounts in different currencies differ, and so do zero and nothing at all")
    func equality() {
        #expect(Money(minorUnits: 1, "EUR") != Money(minorUnits: 1, "USD"))
        #expect(Money(minorUnits: 1, "EUR") != Money(minorUnits: 2, "EUR"))
        #expect(Money(minorUnits: 0, "EUR").encodedValue != nil)
        #expect(Money(minorUnits: 0, "").encodedValue == nil)
    }
}
