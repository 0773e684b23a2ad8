import TestSupport
import Testing

@testable import Trips

@Suite("Shares of a cost")
struct CostSplitTests {
    private static func travellers(_ count: Int) -> [Traveller.ID] {
        (0..<count).map { Traveller.ID.derived(from: "travellers.example", "\($0)") }.sorted()
    }

    private static func euros(_ minorUnits: Int64) -> Money { Money(minorUnits: minorUnits, "EUR") }

    @Test("Units that are left over go to the largest remainders, and of equal ones to the least ids")
    func leftovers() {
        let three = Self.travellers(3)
        let equal = CostSplit.equally.shares(of: Self.euros(100), among: Set(three))
        #expect(three.map { equal.minorUnits[$0] } == [34, 33, 33] && equal.rest == 0)
        let refund = CostSplit.equally.shares(of: Self.euros(-100), among: Set(three))
        #expect(three.map { refund.minorUnits[$0] } == [-34, -33, -33])
        // 10 by 1, 2 and 4 parts: 1 3/7, 2 6/7 and 5 5/7.
        let parts = CostSplit.byParts([three[0]: 1, three[1]: 2, three[2]: 4])
        #expect(three.map { parts.shares(of: Self.euros(10), among: Set(three)).minorUnits[$0] } == [1, 3, 6])
    }

    @Test("Those without parts have one, 0 parts owe nothing, and if nobody has parts all share equally")
    func parts() {
        let two = Self.travellers(2)
        let one = CostSplit.byParts([two[0]: 3]).shares(of: Self.euros(100), among: Set(two))
        #expect(two.map { one.minorUnits[$0] } == [75, 25])
        let none = CostSplit.byParts([two[0]: 0]).shares(of: Self.euros(99), among: Set(two))
        #expect(two.map { none.minorUnits[$0] } == [0, 99])
        let nobody = CostSplit.byParts([two[0]: 0, two[1]: -4]).shares(of: Self.euros(99), among: Set(two))
        #expect(two.map { nobody.minorUnits[$0] } == [50, 49])
    }

    @Test("Those without an amount share the rest; what is not the cost, where all have amounts, is nobody's")
    func amounts() {
        let three = Self.travellers(3)
        let split = CostSplit.byAmounts([three[0]: Self.euros(40), three[1]: Money(minorUnits: 7, "USD")])
        #expect(three.map { split.shares(of: Self.euros(101), among: Set(three)).minorUnits[$0] } == [40, 31, 30])
        let beyond = split.shares(of: Self.euros(30), among: Set(three))
        #expect(three.map { beyond.minorUnits[$0] } == [30, 0, 0] && beyond.rest == 0)
        let alone = split.shares(of: Self.euros(50), among: [three[0]])
        #expect(alone.minorUnits == [three[0]: 40] && alone.rest == 10)
    }

    @Test("What amounts exceed is divided in proportion to them, and those without one owe nothing")
    func amountsBeyond() {
        let three = Self.travellers(3)
        let split = CostSplit.byAmounts([three[0]: Self.euros(6000), three[1]: Self.euros(4000)])
        let shares = { (cost: Int64) in
            let shares = split.shares(of: Self.euros(cost), among: Set(three))
            return three.map { shares.minorUnits[$0] ?? -1 } + [shares.rest]
        }
        #expect(shares(2000) == [1200, 800, 0, 0])
        #expect(shares(0) == [0, 0, 0, 0])
        // 0.6 and 0.4 of one unit: the largest remainder has it.
        #expect(shares(1) == [1, 0, 0, 0])
        #expect(shares(10_001) == [6000, 4000, 1, 0])
        let refund = CostSplit.byAmounts([three[0]: Self.euros(-60), three[1]: Self.euros(-40)])
        let returned = refund.shares(of: Self.euros(-20), among: Set(three))
        #expect(three.map { returned.minorUnits[$0] } == [-12, -8, 0] && returned.rest == 0)
    }

    @Test("Of a cancelled item what is paid is shared, and its payer paid no more", arguments: [2000, 0] as [Int64])
    func cancelled(paid: Int64) throws {
        let three = Self.travellers(3)
        var tour = Activity(name: "Tour", in: .new(), cost: Self.euros(10_000), paid: .deposit)
        (tour.stage, tour.paidAmount, tour.payer) = (.cancelled, Self.euros(paid), three[0])
        tour.split = .byAmounts([three[0]: Self.euros(6000), three[1]: Self.euros(4000)])
        let shares = try #require(tour.shares(among: Set(three)))
        let expected = [Int128(paid) * 6 / 10, Int128(paid) * 4 / 10, 0]
        #expect(three.map { shares.minorUnits[$0] ?? -1 } == expected && shares.rest == 0)
        let balances = TravellerBalance.all(of: [.activity(tour)], among: Set(three))
        #expect(balances.map(\.paid) == [Int128(paid), 0, 0] && balances.map(\.share) == expected)
        #expect(balances.reduce(0) { $0 + $1.balance } == 0)
        tour.split = .equally
        let equal = TravellerBalance.all(of: [.activity(tour)], among: Set(three))
        #expect(equal.reduce(0) { $0 + $1.paid } == Int128(paid))
    }

    @Test("Nobody who takes part owes nothing of any cost: all of it is the rest")
    func nobody() {
        for split in [CostSplit.equally, .byParts([:]), .byAmounts([:])] {
            let shares = split.shares(of: Self.euros(12), among: [])
            #expect(shares.minorUnits.isEmpty && shares.rest == 12 && shares.currency == "EUR")
        }
    }

    @Test("Shares and rest are the cost, whatever it is and however it is shared", arguments: Seeds.some(20))
    func exact(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let travellers = Self.travellers(Int.random(in: 1...12, using: &generator))
            let extremes: [Int64] = [.min, .max, 0, 1, -1]
            let cost = Self.euros(
                Bool.random(using: &generator)
                    ? extremes.randomElement(using: &generator) ?? 0
                    : Int64.random(in: -100_000...100_000, using: &generator))
            var (parts, amounts): ([Traveller.ID: Int], [Traveller.ID: Money]) = ([:], [:])
            for traveller in travellers where Bool.random(using: &generator) {
                parts[traveller] = [0, 1, 2, 7, .max, -1].randomElement(using: &generator)
                amounts[traveller] = Self.euros(
                    [.max, .min, 0, 5, 1000].randomElement(using: &generator) ?? 0)
            }
            for split in [CostSplit.equally, .byParts(parts), .byAmounts(amounts)] {
                let shares = split.shares(of: cost, among: Set(travellers))
                #expect(shares.minorUnits.values.reduce(shares.rest, +) == Int128(cost.minorUnits), "\(split)")
                #expect(Set(shares.minorUnits.keys) == Set(travellers))
                // The order in which they are named makes no difference, and nobody is a whole unit off.
                #expect(shares == split.shares(of: cost, among: Set(travellers.reversed())))
                guard case .equally = split else { continue }
                let values = shares.minorUnits.values
                let (least, greatest) = (try #require(values.min()), try #require(values.max()))
                #expect(greatest - least <= 1 && shares.rest == 0)
            }
        }
    }

    @Test("More parts never owe less", arguments: Seeds.some(10))
    func monotone(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let travellers = Self.travellers(Int.random(in: 2...8, using: &generator))
            let parts = Dictionary(
                uniqueKeysWithValues: travellers.map { ($0, Int.random(in: 0...9, using: &generator)) })
            let cost = Self.euros(Int64.random(in: 0...10_000, using: &generator))
            let shares = CostSplit.byParts(parts).shares(of: cost, among: Set(travellers)).minorUnits
            for a in travellers {
                for b in travellers where (parts[a] ?? 1) > (parts[b] ?? 1) {
                    #expect((shares[a] ?? 0) >= (shares[b] ?? 0), "\(parts) of \(cost)")
                }
            }
        }
    }

    @Test("What one has paid is what the others owe, currency by currency")
    func balances() {
        let travellers = Self.travellers(3)
        let trip = Trip.ID.new()
        var dinner = Activity(name: "Dinner", in: trip, cost: Self.euros(100), paid: .inFull)
        dinner.payer = travellers[0]
        var taxi = Transportation(name: "Taxi", mode: .car, in: trip, cost: Self.euros(31), paid: .inFull)
        taxi.payer = travellers[1]
        taxi.participants = [travellers[1], travellers[2]]
        var museum = Activity(name: "Museum", in: trip, cost: Money(minorUnits: 900, "USD"), paid: .inFull)
        museum.payer = travellers[2]
        let unpaid = Activity(name: "Tram", in: trip, cost: Self.euros(5))
        let balances = TravellerBalance.all(
            of: [.activity(dinner), .transportation(taxi), .activity(museum), .activity(unpaid)], among: Set(travellers)
        )
        #expect(
            balances.map { "\($0.currency.code) \($0.paid) \($0.share)" } == [
                "EUR 100 34", "EUR 31 49", "EUR 0 48", "USD 0 300", "USD 0 300", "USD 900 300",
            ])
        for currency in ["EUR", "USD"] {
            #expect(balances.filter { $0.currency.code == currency }.reduce(Int128(0)) { $0 + $1.balance } == 0)
        }
    }
}
