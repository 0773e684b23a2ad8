import TestSupport
import Testing

@testable import Trips

@Suite("Who pays whom")
struct SettlementTests {
    private static func travellers(_ count: Int) -> [Traveller.ID] {
        (0..<count).map { Traveller.ID.derived(from: "travellers.example", "\($0)") }.sorted()
    }

    private static func balance(_ traveller: Traveller.ID, _ balance: Int128, _ currency: Currency = "EUR")
        -> TravellerBalance
    {
        TravellerBalance(traveller: traveller, currency: currency, paid: balance, share: 0)
    }

    @Test("Opposite balances settle each other first, then who owes most pays whom most is owed")
    func order() {
        let people = Self.travellers(5)
        let amounts: [Int128] = [-50, 70, -30, 30, -20]
        let payments = TravellerBalance.payments(settling: zip(people, amounts).map { Self.balance($0, $1) })
        let words = payments.map { payment in
            "\(people.firstIndex(of: payment.from) ?? -1) \(people.firstIndex(of: payment.to) ?? -1) \(payment.amount.minorUnits)"
        }
        #expect(words == ["0 1 50", "2 3 30", "4 1 20"])
        #expect(TravellerBalance.payments(settling: []).isEmpty)
        #expect(TravellerBalance.payments(settling: people.map { Self.balance($0, 0) }).isEmpty)
    }

    @Test(
        "Everyone is paid exactly, in at most n - 1 payments a currency, whatever the order of the balances",
        arguments: Seeds.some(50))
    func exact(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var balances: [TravellerBalance] = []
        for currency in ["EUR", "JPY", "USD"] as [Currency] {
            let people = Self.travellers(Int.random(in: 2...20, using: &generator))
            var rest: Int128 = 0
            let most: Int128 = [9, 1_000, 1 << 100][Int.random(in: 0...2, using: &generator)]
            for person in people.dropFirst() {
                let amount = Int128.random(in: -most...most, using: &generator)
                rest -= amount
                balances.append(Self.balance(person, amount, currency))
            }
            balances.append(Self.balance(people[0], rest, currency))
        }
        let payments = TravellerBalance.payments(settling: balances)
        #expect(payments.allSatisfy { $0.amount.minorUnits > 0 && $0.from != $0.to })
        for (currency, owed) in Dictionary(grouping: balances, by: \.currency) {
            let paid = payments.filter { $0.amount.currency == currency }
            #expect(paid.count <= max(0, owed.count { $0.balance != 0 } - 1))
            for balance in owed {
                let received = paid.reduce(Int128(0)) { sum, payment in
                    sum + (payment.to == balance.traveller ? payment.amount.minorUnits : 0)
                        - (payment.from == balance.traveller ? payment.amount.minorUnits : 0)
                }
                #expect(received == balance.balance)
            }
        }
        balances.shuffle(using: &generator)
        #expect(TravellerBalance.payments(settling: balances) == payments)
    }

    @Test("Balances that do not add up are settled as far as that goes")
    func unbalanced() {
        let two = Self.travellers(2)
        let payments = TravellerBalance.payments(settling: [Self.balance(two[0], -50), Self.balance(two[1], 20)])
        #expect(payments.map(\.amount.minorUnits) == [20])
        #expect(TravellerBalance.payments(settling: [Self.balance(two[0], 5)]).isEmpty)
    }

    @Test("Parts add up, and differ from their share by less than one", arguments: Seeds.some(50))
    func largestRemainder(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let weights = (0..<Int.random(in: 1...20, using: &generator)).map { _ in
            Int.random(in: 0...9, using: &generator)
        }
        let amount = Int128.random(in: -10_000...10_000, using: &generator)
        let parts = LargestRemainder.parts(of: amount, by: weights)
        let sum = Int128(weights.reduce(0, +))
        guard sum > 0 else { return #expect(parts.allSatisfy { $0 == 0 }) }
        #expect(parts.reduce(0, +) == amount)
        for (part, weight) in zip(parts, weights) {
            #expect((part * sum - amount * Int128(weight)).magnitude < sum.magnitude)
            if weight == 0 { #expect(part == 0) }
        }
    }
}
