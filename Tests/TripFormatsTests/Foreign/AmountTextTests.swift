import Testing
import TripStore

@testable import TripFormats

@Suite("Amounts of tables")
struct AmountTextTests {
    /// The amount of the one row of a table; "" if it has none, nil if it is left out.
    private static func amount(
        _ text: String, in column: String = "", decimal: String? = nil, currency: Currency = "EUR",
        others: [String] = []
    ) throws -> String? {
        let separator = decimal.map { ",\"decimalSeparator\":\"\($0)\"" } ?? ""
        let mapping = try TableMapping(
            json: Array(
                "{\"source\":\"x\",\"columns\":{\"name\":\"n\",\"cost\":\"p\",\"currency\":\"c\"}\(separator)}".utf8))
        let rows = ([text] + others).map { "a\t\($0)\t\(column)" }.joined(separator: "\n")
        let table = try TableItems(
            reading: Array("n\tp\tc\n\(rows)\n".utf8), mapping, zone: "UTC", currency: currency)
        guard let first = table.entries.first, first.line == 2 else { return nil }
        return (first.item.cost ?? nil).map { "\($0)" } ?? ""
    }

    private static let spaces: [UInt32] = [
        0x20, 0xA0, 0x1680, 0x2000, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200A, 0x202F,
        0x205F, 0x3000,
    ]

    @Test("Every space of Unicode may stand between groups of digits", arguments: spaces)
    func space(code: UInt32) throws {
        let space = try String(#require(Unicode.Scalar(code)))
        #expect(try Self.amount("1\(space)234,56", decimal: ",") == "1234.56 EUR")
    }

    @Test(
        "Amounts with a comma before the fraction",
        arguments: [
            ("1.234,56", "1234.56 EUR"), ("1'234,56", "1234.56 EUR"), ("1’234,56", "1234.56 EUR"),
            ("1234567,8", "1234567.80 EUR"),
            ("12.34.567,89", "1234567.89 EUR"), (",50", "0.50 EUR"), ("12,-", "12.00 EUR"), ("12,--", "12.00 EUR"),
            ("12.–", "12.00 EUR"), ("-12,50", "-12.50 EUR"), ("\u{2212}12,50", "-12.50 EUR"), ("–12,50", "-12.50 EUR"),
            ("12,50-", "-12.50 EUR"), ("(12,50)", "-12.50 EUR"), ("(12,50 €)", "-12.50 EUR"),
            ("€ -12,50", "-12.50 EUR"),
            ("12,50 €-", "-12.50 EUR"), ("+12,5", "12.50 EUR"), ("12,5000", "12.50 EUR"), ("٣٫٥", "3.50 EUR"),
            ("-", ""), ("n/a", ""), ("", ""),
        ])
    func amounts(text: String, expected: String) throws {
        #expect(try Self.amount(text, decimal: ",") == expected)
    }

    @Test(
        "What may be another amount, or is none, is left out",
        arguments: [
            "1.50", "1.50,00", "1,2,3", "12,345", "12,000", "--12", "(-12)", "abc", "12 EUR 3", "10%", "1,5E+03",
            "=12,50", "0,125",
        ])
    func refused(text: String) throws { #expect(try Self.amount(text, decimal: ",") == nil) }

    @Test(
        "Currencies stand before or behind, as codes or signs",
        arguments: [
            ("50 zł", "", "50.00 PLN"), ("CHF 12,50", "", "12.50 CHF"), ("Fr. 12,50", "", "12.50 CHF"),
            ("Fr.50", "", "50.00 CHF"),
            ("£5", "", "5.00 GBP"), ("£5", "EGP", "5.00 EGP"), ("US$ 5", "", "5.00 USD"), ("$5", "CAD", "5.00 CAD"),
            ("100 kr", "SEK", "100.00 SEK"), ("¥500", "JPY", "500 JPY"), ("5 EUR", "€", "5.00 EUR"),
            ("₹ 1.23.456,00", "", "123456.00 INR"),
            ("5.000,00", "JPY", "5000 JPY"), ("1,234", "KWD", "1.234 KWD"), ("1.355,90€", "", "1355.90 EUR"),
        ])
    func currencies(text: String, column: String, expected: String) throws {
        #expect(try Self.amount(text, in: column, decimal: ",") == expected)
    }

    @Test(
        "A sign of several currencies, two currencies and an unknown one leave the row out",
        arguments: [
            ("$5", ""), ("100 kr", ""), ("¥500", ""), ("100 kr", "EUR"), ("5 USD", "EUR"), ("5", "XXQ"), ("5", "$"),
            ("5 Taler", ""),
        ])
    func unclearCurrencies(text: String, column: String) throws {
        #expect(try Self.amount(text, in: column, decimal: ",") == nil)
    }

    @Test("A sign of several currencies is that of the import if that has it, or what the mapping says")
    func preferredCurrency() throws {
        #expect(try Self.amount("$5", currency: "AUD") == "5.00 AUD")
        let mapping = try TableMapping(
            json: Array(#"{"source":"x","columns":{"name":"n","cost":"p"},"values":{"currency":{"KR":"NOK"}}}"#.utf8))
        let table = try TableItems(reading: Array("n,p\na,100 kr\n".utf8), mapping, zone: "UTC", currency: "EUR")
        #expect(table.entries.first?.item.cost == Money("100", "NOK"))
    }

    @Test(
        "Without a sign of the mapping the amounts of the column show the sign before the fraction, and a point is taken if none does",
        arguments: [
            ("1.234", ["12,50"], "1234.00 EUR"), ("1,234", ["12.50"], "1234.00 EUR"), ("1,234", [], "1234.00 EUR"),
            ("1.234", [], nil),
            ("12,50", [], "12.50 EUR"), ("12.50", ["1,5", "2,5"], nil), ("1.234,56", [], "1234.56 EUR"),
            ("1,234.56", [], "1234.56 EUR"),
        ] as [(String, [String], String?)])
    func shownSeparator(text: String, others: [String], expected: String?) throws {
        #expect(try Self.amount(text, others: others) == expected)
    }
}
