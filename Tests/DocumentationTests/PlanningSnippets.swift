import StoreSupport
import Testing
import TripStore

@Suite("The pages on travellers, budgets and lists, and on copies")
struct PlanningSnippets {
    @Test("Travellers, shares, budgets and checklists")
    func planning() async throws {
        let store = try await TripStore.temporary()
        let lisbon = try await store.create(Trip(name: "Lisbon"))
        // begin Travellers-people
        let ana = try await store.create(Traveller(name: "Ana", email: "ana@example.org"))
        let ben = try await store.create(Traveller(name: "Ben"))
        try await store.edit(lisbon) { $0.travellers = [ana, ben] }

        let dinner = try await store.create(
            Activity(name: "Dinner", in: lisbon, cost: Money("61", "EUR"), paid: .inFull))
        try await store.edit(dinner) {
            $0.participants = [ana, ben]  // all who travel, if it is left out
            $0.payer = ana
            $0.split = .byParts([ana: 2])
        }

        let people = try store.travellers(of: lisbon)
        let hers = try store.fetch(Query<Activity>().where { $0.participants.contains(ana) })
        // end
        #expect(people.map(\.name) == ["Ana", "Ben"] && hers.map(\.id) == [dinner])
        // begin Travellers-shares
        let split = CostSplit.byParts([ana: 2])  // those without parts have one
        let shares = split.shares(of: Money(minorUnits: 100, "EUR"), among: [ana, ben])
        let hersAlone = shares.minorUnits[ana]  // 67
        // end
        #expect(hersAlone == 67)
        // begin Travellers-balances
        for balance in try store.balances(of: lisbon) {
            print(balance.traveller, balance.balance, balance.currency)  // more than 0: the others owe it
        }
        // end
        // begin Travellers-budgets
        try await store.create(Budget(Money(minorUnits: 60_000, "EUR"), in: lisbon))
        try await store.create(Budget(Money(minorUnits: 40_000, "EUR"), for: "lodging", in: lisbon))

        for status in try store.budgets(of: lisbon) {
            print(status.category, status.planned, status.budgeted, status.left)
        }
        // end
        #expect(try store.budgets(of: lisbon).map(\.planned) == [6100, 0])
        // begin Travellers-lists
        let packing = try await store.create(Checklist(name: "Packing", in: lisbon, for: "packing"))
        let passport = try await store.create(ChecklistEntry("passport", in: packing, by: ana, until: Day(2027, 4, 30)))
        let socks = try await store.create(ChecklistEntry("socks", in: packing))
        try await store.move(socks, to: 0)
        try await store.edit(passport) { $0.isDone = true }

        let open = try store.entries(of: packing).filter { !$0.isDone }
        // end
        #expect(open.map(\.id) == [socks])
        try await store.expectInvariants()
    }

    @Test("Copies, other days and templates")
    func copying() async throws {
        let store = try await TripStore.temporary()
        let lisbon = try await store.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 3)))
        // begin Copying-copy
        let again = try await store.copy(
            lisbon, startingOn: Day(2028, 5, 1), named: "Lisbon again", without: [.payments, .confirmations])
        try await store.shift(again, byDays: 3)
        try await store.shift(again, to: Day(2028, 6, 1))
        // end
        #expect(try store.trip(again)?.endDay == Day(2028, 6, 3))
        // begin Copying-contents
        if let contents = try store.contents(of: lisbon) {
            let draft = contents.copied(shiftedByDays: 7, without: [.costs])
            try await store.append(draft.creations)
        }
        // end
        // begin Copying-templates
        let template = try await store.copy(
            lisbon, as: .template, named: "City break", without: [.costs, .payments, .confirmations])
        let porto = try await store.copy(template, startingOn: Day(2028, 9, 4), named: "Porto")

        let templates = try store.templates()
        // end
        #expect(templates.map(\.id) == [template] && porto != template)
        #expect(try store.trips().rows.count == 4)
        try await store.expectInvariants()
    }
}
