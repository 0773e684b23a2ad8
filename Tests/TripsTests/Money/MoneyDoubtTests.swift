import TestSupport
import Testing

@testable import Trips

@Suite("Money that does not count or does not add up")
struct MoneyDoubtTests {
    private static let people = (0..<3).map { Traveller.ID.derived(from: "travellers.example", "\($0)") }.sorted()

    private static func euros(_ minorUnits: Int64) -> Money { Money(minorUnits: minorUnits, "EUR") }

    /// The doubts about a cost of 100 EUR that two share, in words.
    private static func words(_ change: (inout Activity) -> Void) -> [String] {
        var item = Activity(name: "Receipt", in: .new(), cost: euros(10_000))
        change(&item)
        let names = Dictionary(uniqueKeysWithValues: zip(people, ["Ana", "Ben", "Cid"]))
        return item.moneyDoubts(among: Set(people.prefix(2))).map { $0.words { names[$0] ?? "?" } }
    }

    @Test("Amounts and parts that nothing counts are named, and those that count and add up are not")
    func unused() {
        let (ana, ben) = (Self.people[0], Self.people[1])
        #expect(Self.words { _ in } == [])
        #expect(Self.words { $0.split = .byParts([ana: 2]) } == [])
        #expect(Self.words { $0.split = .byAmounts([ana: Self.euros(3_000), ben: Self.euros(7_000)]) } == [])
        #expect(
            Self.words { item in
                item[OwnMap<Activity, Traveller.ID, Money>(.amounts)] = [ana: Self.euros(3_000)]
            } == ["amounts without split=amounts count nothing"])
        #expect(
            Self.words { item in
                item.split = .byAmounts([ana: Self.euros(3_000)])
                item[OwnMap<Activity, Traveller.ID, Int>(.parts)] = [ben: 2]
            } == ["parts without split=parts count nothing"])
        #expect(
            Self.words { $0[OwnField<Activity, String>(.split)] = "thirds" }
                == ["the split 'thirds' is not known here, so all pay equally"])
    }

    @Test("Amounts that are not the cost say by how much, and those of other currencies and people say so")
    func sums() {
        let (ana, ben, cid) = (Self.people[0], Self.people[1], Self.people[2])
        #expect(
            Self.words { $0.split = .byAmounts([ana: Self.euros(3_000), ben: Self.euros(7_001)]) } == [
                "30.00 EUR and 70.01 EUR are 0.01 EUR more than 100.00 EUR, which is divided in proportion to them"
            ])
        #expect(
            Self.words { $0.split = .byAmounts([ana: Self.euros(3_000), ben: Self.euros(6_999)]) } == [
                "30.00 EUR and 69.99 EUR are 0.01 EUR less than 100.00 EUR, and nobody owes that"
            ])
        // A traveller without an amount shares the rest.
        #expect(Self.words { $0.split = .byAmounts([ana: Self.euros(3_000)]) } == [])
        #expect(
            Self.words { $0.split = .byAmounts([ana: Money(minorUnits: 3_000, "USD")]) } == [
                "the share of Ana, 30.00 USD, is not in the currency of the cost and counts nothing"
            ])
        #expect(
            Self.words { $0.split = .byAmounts([cid: Self.euros(3_000)]) }
                == ["Cid has a share and does not take part, so it counts nothing"])
        #expect(
            Self.words { $0.split = .byAmounts([ana: Self.euros(-500)]) }
                == ["the share of Ana, -5.00 EUR, has another sign than the cost"])
        #expect(Self.words { $0.split = .byParts([ana: -2]) } == ["-2 parts of Ana count as 0"])
    }

    @Test("A payment in another currency, beyond the cost, or beside one in full is named")
    func payments() {
        #expect(
            Self.words { $0.paidAmount = Money(minorUnits: 5_000, "USD") }
                == ["50.00 USD paid is not in the currency of the cost, and pays nothing of 100.00 EUR"])
        #expect(Self.words { $0.paidAmount = Self.euros(12_000) } == ["120.00 EUR paid is more than 100.00 EUR"])
        #expect(
            Self.words { ($0.paid, $0.paidAmount) = (.inFull, Self.euros(5_000)) }
                == ["50.00 EUR paid does not count beside 100.00 EUR that is paid in full"])
        #expect(Self.words { ($0.paid, $0.paidAmount) = (.deposit, Self.euros(5_000)) } == [])
    }

    @Test("A single write of a share that cannot fit is refused, and a merge keeps it")
    func refused() {
        let ana = Self.people[0]
        func code(_ change: (inout Activity) -> Void) -> ValidationError.Code? {
            var item = Activity(name: "Receipt", in: .new(), cost: Self.euros(10_000))
            change(&item)
            do throws(ValidationError) { try TripEvent.created(item).validate(on: nil) } catch { return error.code }
            return nil
        }
        #expect(code { $0[OwnField<Activity, String>(.split)] = "thirds" } == .brokenRule)
        #expect(code { $0[OwnField<Activity, String>(.split)] = "amounts" } == nil)
        #expect(code { $0.split = .byParts([ana: -1]) } == .brokenRule)
        #expect(code { $0.split = .byAmounts([ana: Self.euros(-1)]) } == .brokenRule)
        #expect(code { $0.split = .byAmounts([ana: Self.euros(20_000)]) } == nil)
        #expect(
            code {
                $0.cost = Self.euros(-10_000)
                $0.split = .byAmounts([ana: Self.euros(-1)])
            } == nil)
        // A value that is held already is neither refused nor lost by an edit of something else.
        var held = Activity(name: "Receipt", in: .new(), cost: Self.euros(10_000))
        held[OwnField<Activity, String>(.split)] = "thirds"
        var edited = held
        edited.notes = "paper"
        #expect(throws: Never.self) {
            try TripEvent.edited(from: held, to: edited)?.validate(in: nil) { $0 == 1 ? Array("Receipt".utf8) : nil }
        }
    }
}
