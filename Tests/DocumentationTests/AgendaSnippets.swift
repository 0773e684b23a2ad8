import StoreSupport
import Testing
import TripStore

@Suite("The pages on agendas and totals")
struct AgendaSnippets {
    @Test("What happens on a day, in a trip, before and live")
    func agenda() async throws {
        let store = try await TripStore.temporary()
        let japan = try await store.create(Trip(name: "Japan", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
        let departure = try Moment(parsing: "2027-05-07T20:05", in: "Asia/Tokyo")
        let arrival = try Moment(parsing: "2027-05-07T08:35", in: "Pacific/Honolulu")
        let receipt = try await store.create(
            Transportation(name: "JL 74", mode: .plane, in: japan, from: departure, until: arrival))
        let position = try store.status().position
        do {
            // begin Agenda-day
            let agenda = try store.agenda(Day(2027, 5, 7))  // or a range of days, in all trips
            for day in agenda.days {
                for entry in day.entries {
                    print(entry.item.name, entry.role, entry.begins?.localISO8601 ?? "", entry.ends?.localISO8601 ?? "")
                }
            }
            for finding in agenda.findings {
                print(finding.problem, finding.items.map(\.name), finding.days)
            }
            // end
            #expect(
                agenda.entries.map(\.role) == [.whole] && agenda.entries.map(\.item.id) == [.transportation(receipt)])
            #expect(agenda.findings.map(\.problem) == [.noBed])
        }
        let shown = Notes()
        func show(_ agenda: Agenda) { shown.add("\(agenda.entries.count)") }
        let follower = Task {
            // begin Agenda-others
            let whole = try store.agenda(of: japan)  // from the first day to the last
            let before = try await store.asOf(position).agenda(Day(2027, 5, 1)...Day(2027, 5, 8), of: japan)
            for try await agenda in store.live({ try $0.agenda(Day(2027, 5, 7)...Day(2027, 5, 8)) }) {
                show(agenda)
            }
            // end
            #expect(whole == before)
        }
        await shown.wait(for: 1)
        follower.cancel()
        #expect(shown.all == ["1"])
        try await store.expectInvariants()
    }

    @Test("What a trip costs, and who pays whom")
    func totals() async throws {
        let store = try await TripStore.temporary()
        let (ana, ben) = (
            try await store.create(Traveller(name: "Ana")), try await store.create(Traveller(name: "Ben"))
        )
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        try await store.edit(lisbon) { $0.travellers = [ana, ben] }
        let dinner = try await store.create(
            Activity(name: "Dinner", in: lisbon, cost: Money("61", "EUR"), paid: .inFull))
        try await store.edit(dinner) { $0.payer = ana }
        do {
            // begin Totals-trip
            let totals = try store.detailedTotals(of: lisbon)
            for total in totals.totals {
                print(total.currency, total.cost, total.paid, total.unpaid, total.itemCount)
            }
            for group in totals.byDay {
                print(group.key.map { "\($0)" } ?? "no day", group.totals.map(\.cost))
            }
            for payment in totals.payments {
                print(payment.from, "pays", payment.to, payment.amount.minorUnits, payment.amount.currency)
            }
            // end
            #expect(totals.payments.map(\.from) == [ben] && totals.payments.map(\.amount.minorUnits) == [3_050])
        }
        do {
            // begin Totals-currency
            try await store.create(CurrencyRate("NOK/EUR", "0.0875", on: Day(2027, 5, 1), from: "my bank", in: lisbon))
            let euros = try store.detailedTotals(of: lisbon, in: "EUR")
            print(euros.rates.map { "\($0.pair) \($0.rate)" }, euros.totals.filter { $0.currency != "EUR" })
            // end
            #expect(euros.rates.isEmpty && euros.totals.map(\.cost) == [6_100])
        }
        let shown = Notes()
        func show(_ totals: DetailedTotals) { shown.add("\(totals.itemCount)") }
        let follower = Task {
            // begin Totals-others
            let all = try store.detailedTotals()  // all trips together
            for try await totals in store.live({ try $0.detailedTotals(of: lisbon) }) {
                show(totals)
            }
            // end
            #expect(all.itemCount == 1)
        }
        await shown.wait(for: 1)
        follower.cancel()
        #expect(shown.all == ["1"])
        try await store.expectInvariants()
    }
}
