import Testing

@testable import Trips

@Suite("Currencies")
struct CurrencyTests {
    @Test(
        "A currency has the decimals of ISO 4217",
        arguments: [
            ("JPY", 0), ("ISK", 0), ("XAF", 0), ("VND", 0), ("EUR", 2), ("USD", 2), ("AED", 2), ("ZWL", 2), ("MGA", 2),
            ("MRU", 2), ("BHD", 3), ("IQD", 3), ("KWD", 3), ("TND", 3), ("CLF", 4), ("UYW", 4),
        ])
    func decimals(code: String, digits: Int) throws {
        let currency = try #require(Currency(code))
        #expect(currency.minorDigits == digits)
        #expect(currency.isKnown)
        #expect(currency.description == code)
    }

    @Test("A code is taken in either case and kept in capitals", arguments: ["eur", "Eur", "eUR", "EUR"])
    func cases(code: String) { #expect(Currency(code)?.code == "EUR") }

    @Test(
        "What ISO 4217 does not have is no currency",
        arguments: ["", "E", "EU", "EURO", "EUR ", " EUR", "XYZ", "123", "€", "E\0R", "EUR\u{301}"])
    func unknown(code: String) {
        #expect(Currency(code) == nil)
        #expect(Currency(unchecked: code).minorDigits == nil)
        #expect(!Currency(unchecked: code).isKnown)
    }

    @Test(
        "Letters that only look like those of a code, or become them in capitals, make no currency",
        arguments: ["\u{212A}WD", "\u{212A}wd", "u\u{17F}d", "\u{DF}p", "ＥＵＲ"])
    func lookalikes(code: String) {
        #expect(Currency(code) == nil)
        #expect(!Currency(unchecked: code).isKnown)
    }

    @Test("A code that was not checked is kept letter for letter", arguments: ["eur", "", "doubloons"])
    func unchecked(code: String) {
        #expect(Currency(unchecked: code).code == code)
        #expect(!Currency(unchecked: code).isKnown)
    }

    @Test("A code in code is kept as it stands, so that a wrong one is found when it is validated")
    func literals() {
        let (euro, wrong): (Currency, Currency) = ("EUR", "eur")
        #expect(Currency("EUR") == euro)
        #expect(wrong.code == "eur")
        #expect(!wrong.isKnown)
    }

    @Test("All currencies are three capital letters each, known, once, in the order of their codes")
    func all() {
        let codes = Currency.all.map(\.code)
        #expect(codes.count > 150)
        #expect(codes == Set(codes).sorted())
        for currency in Currency.all {
            #expect(currency.code.utf8.count == 3)
            #expect(currency.code.utf8.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 })
            #expect(Currency(currency.code.lowercased()) == currency)
        }
    }
}
