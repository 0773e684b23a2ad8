import TestSupport
import Testing

@testable import Trips

@Suite("Rates, and costs in one currency")
struct CurrencyRateTests {
    private static let people = (0..<2).map { Traveller.ID.derived(from: "travellers.example", "\($0)") }.sorted()

    @Test("An amount is converted in both directions, exactly, and rounded to the unit of the other currency")
    func converted() {
        let trip = Trip.ID.new()
        func text(_ pair: String, _ rate: String, _ amount: Money) -> String? {
            CurrencyRate(pair, rate, in: trip).converted(amount).map { "\($0)" }
        }
        #expect(text("NOK/EUR", "0.0875", Money(minorUnits: 10_000, "NOK")) == "8.75 EUR")
        #expect(text("NOK/EUR", "0.0875", Money(minorUnits: 875, "EUR")) == "100.00 NOK")
        #expect(text("JPY/EUR", "0.0062", Money(minorUnits: 9_000, "JPY")) == "55.80 EUR")
        #expect(text("EUR/JPY", "161.29", Money(minorUnits: 1_000, "EUR")) == "1613 JPY")
        #expect(text("EUR/JPY", "2", Money(minorUnits: 25, "EUR")) == "1 JPY", "half of one away from 0")
        #expect(text("EUR/JPY", "2", Money(minorUnits: -25, "EUR")) == "-1 JPY")
        #expect(text("EUR/KWD", "0.33", Money(minorUnits: 100, "EUR")) == "0.330 KWD")
        #expect(text("NOK/EUR", "0.0875", Money(minorUnits: 1, "USD")) == nil)
        #expect(text("EUR/JPY", "999999999999", Money(minorUnits: .max, "EUR")) == nil)
    }

    @Test(
        "What is no pair and no rate is refused",
        arguments: [
            ("NOK", "1"), ("NOK/NOK", "1"), ("NOK/EURO", "1"), ("NOK/EUR/USD", "1"), ("NOK/EUR", ""), ("NOK/EUR", "0"),
            ("NOK/EUR", "-1"), ("NOK/EUR", "1,5"), ("NOK/EUR", "1e3"), ("NOK/EUR", "."), ("NOK/EUR", "1234567890.1234"),
            ("NOK/EUR", "1234567890123"),
        ])
    func refused(pair: String, rate: String) {
        #expect(throws: ValidationError.self) {
            try TripEvent.created(CurrencyRate(pair, rate, in: .new())).validate(on: nil)
        }
    }

    @Test("Rates are written and read back")
    func roundTrip() throws {
        let rate = CurrencyRate("NOK/EUR", "0.0875", on: Day(2027, 5, 1), from: "my bank", in: .new())
        try TripEvent.created(rate).validate(on: nil)
        var read = CurrencyRate(id: rate.id)
        read.apply(.created(rate))
        #expect(read == rate && CurrencyRate.schema.ownKind?.name == "rate")
    }

    private static func trip() -> DetailedTotals.Part {
        var trip = Trip(name: "Norway", days: Day(2027, 5, 1)...Day(2027, 5, 9))
        trip.travellers = Set(people)
        var hut = Lodging(name: "Hut", in: trip.id, cost: Money(minorUnits: 100_000, "NOK"), paid: .inFull)
        (hut.startDay, hut.endDay, hut.payer) = (Day(2027, 5, 2), Day(2027, 5, 3), people[0])
        hut.split = .byAmounts([
            people[0]: Money(minorUnits: 33_300, "NOK"), people[1]: Money(minorUnits: 66_700, "NOK"),
        ])
        var boat = Activity(name: "Boat", in: trip.id, cost: Money(minorUnits: 100_000, "NOK"))
        (boat.startDay, boat.payer) = (Day(2027, 5, 7), people[1])
        var train = Transportation(name: "Train", mode: .train, in: trip.id, cost: Money(minorUnits: 5_000, "EUR"))
        train.paidAmount = Money(minorUnits: 1_000, "EUR")
        var shop = Activity(name: "Shop", in: trip.id, cost: Money(minorUnits: 700, "SEK"), paid: .inFull)
        shop.payer = people[0]
        return (
            trip, [.lodging(hut), .activity(boat), .transportation(train), .activity(shop)],
            [Budget(Money(minorUnits: 20_000, "EUR"), in: trip.id), Budget(Money(minorUnits: 1, "NOK"), in: trip.id)]
        )
    }

    @Test(
        "Totals, budgets and settling are in one currency by the rate of each day, and what has none stays and is named"
    )
    func oneCurrency() {
        let part = Self.trip()
        let rates = [
            CurrencyRate("NOK/EUR", "0.1", on: Day(2027, 5, 5), in: part.trip.id),
            CurrencyRate("EUR/NOK", "12.5", on: Day(2027, 5, 1), in: part.trip.id),
            CurrencyRate("NOK/USD", "0.1", in: part.trip.id),
        ]
        let totals = DetailedTotals(of: [part], in: "EUR", by: [part.trip.id: rates])
        // 1000 NOK at 12.5 on the 2nd, 1000 NOK at 0.1 on the 7th, and 50 EUR.
        #expect(
            totals.totals.map { "\($0.currency) \($0.cost) \($0.paid) \($0.unpaid)" } == [
                "EUR 23000 9000 14000", "SEK 700 700 0",
            ])
        #expect(totals.rates.map(\.pair) == ["EUR/NOK", "NOK/EUR"] && totals.currency == "EUR")
        // 0.01 NOK is 0 EUR: both budgets are one.
        #expect(totals.budgets.map { "\($0.budgeted) \($0.planned)" } == ["20000 23000"])
        #expect(totals.budgets.first?.uncounted == [CostSum(currency: "SEK", minorUnits: 700)])
        // Two thirds of 80 EUR, as the amounts in NOK are.
        #expect(totals.payments.map { "\($0.amount.currency) \($0.amount.minorUnits)" } == ["EUR 5336", "SEK 350"])
        #expect(totals.balances.first { $0.traveller == Self.people[1] && $0.currency == "EUR" }?.share == 5336)
        #expect(
            totals.unpaidAmounts.map { "\($0.amount.currency) \($0.amount.minorUnits)" } == ["EUR 10000", "EUR 4000"])
    }

    @Test("Without rates no amount is added to another currency, and nothing is left out")
    func without() {
        let part = Self.trip()
        let plain = DetailedTotals(of: [part])
        let asked = DetailedTotals(of: [part], in: "EUR")
        #expect(asked.totals == plain.totals && asked.payments == plain.payments && asked.rates.isEmpty)
        #expect(plain.totals.map { "\($0.currency) \($0.cost)" } == ["EUR 5000", "NOK 200000", "SEK 700"])
        #expect(plain.budgets.map { $0.uncounted.map { "\($0.currency)" } } == [["SEK"], ["SEK"]])
        #expect(plain.payments.map { "\($0.amount.currency) \($0.amount.minorUnits)" } == ["NOK 66700", "SEK 350"])
    }

    @Test("Shares of a deposit are the parts that they are of the cost, to the unit", arguments: Seeds.some(20))
    func deposits(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let cost = Int64.random(in: 1...100_000, using: &generator)
            let first = Int64.random(in: 0...cost, using: &generator)
            var item = Activity(name: "Boat", in: .new(), cost: Money(minorUnits: cost, "EUR"), paid: .deposit)
            item.split = .byAmounts([Self.people[0]: Money(minorUnits: first, "EUR")])
            let paid = Int64.random(in: 0...cost, using: &generator)
            item.paidAmount = Money(minorUnits: paid, "EUR")
            let shares = try #require(item.paidShares(among: Set(Self.people)))
            #expect(shares.minorUnits.values.reduce(0, +) == Int128(paid) && shares.rest == 0)
            let exact = Double(paid) * Double(first) / Double(cost)
            #expect(abs(Double(shares.minorUnits[Self.people[0]] ?? -9) - exact) < 1)
        }
    }
}
