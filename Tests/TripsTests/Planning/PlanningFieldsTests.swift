import Events
import Foundation
import TestSupport
import Testing

@testable import Trips

@Suite("Kinds and fields of the store's own namespace")
struct PlanningFieldsTests {
    private let ana = Traveller.ID.new()
    private let ben = Traveller.ID.new()

    @Test("The constant of the namespace is the hash of its name")
    func namespace() {
        #expect(Namespace.store.number(0) == StoreNamespace.hash << 16)
        #expect(Namespace.store.name == "tripstore")
        #expect(
            StoreKinds.all.map { $0.kindName } == ["traveller", "budget", "rate", "checklist", "entry", "attachment"])
        #expect(StoreKinds.schemas.count == StoreKinds.all.count, "each has a number of its own")
        #expect(StoreKinds.kind(named: "budget") == Budget.schema.ownKind)
        #expect(Budget.schema.ownKind?.isOfStore == true && OwnKind("org.example.things", 2).isOfStore == false)
    }

    @Test("Each kind and each field is described for versions without it")
    func descriptions() {
        let words = StoreKinds.descriptions.map {
            "\($0.kind.name ?? "") \($0.ownKind?.name ?? "") \($0.isOfKind ? "itself" : $0.name)"
        }
        #expect(Set(words).count == words.count)
        for field in ["travellers", "isTemplate"] { #expect(words.contains("trip  \(field)")) }
        for kind in ["activity", "lodging", "transportation"] {
            for field in ["participants", "payer", "split", "parts", "amounts", "supersedes"] {
                #expect(words.contains("\(kind)  \(field)"))
            }
        }
        #expect(words.contains("own entry dueDay"))
        #expect(StoreKinds.descriptions.allSatisfy { $0.namespace == "tripstore" })
    }

    @Test("What a trip and an item have of travellers is read back from their events")
    func roundTrip() throws {
        var trip = Trip(name: "Lisbon")
        (trip.travellers, trip.isTemplate) = ([ana, ben], true)
        var read = Trip(id: trip.id)
        read.apply(.created(trip))
        #expect(read == trip && read.travellers == [ana, ben] && read.isTemplate)
        var item = Lodging(name: "Inn", in: trip.id, cost: Money("80", "EUR"))
        (item.participants, item.payer, item.split) = ([ben], ana, .byParts([ben: 2]))
        let event = TripEvent.created(item)
        try event.validate(on: nil)
        var found = Lodging(id: item.id)
        found.apply(event)
        #expect(found == item && found.participants == [ben] && found.payer == ana && found.split == .byParts([ben: 2]))
        found.split = .byAmounts([ana: Money(minorUnits: 3000, "EUR")])
        #expect(found.split == .byAmounts([ana: Money(minorUnits: 3000, "EUR")]))
        found.split = .equally
        found.participants = []
        found.payer = nil
        #expect(found.own.isEmpty && found.split == .equally)
    }

    @Test("An item without any of it says so, and so does its JSON")
    func cleared() {
        let item = Activity(name: "Tram", in: .new())
        #expect(item.participants.isEmpty && item.payer == nil && item.split == .equally)
        #expect(item.storeValues.map(\.name) == ["participants", "payer", "split", "parts", "amounts", "supersedes"])
        #expect(
            item.storeValues.map(\.value) == [
                .array([]), .null, .string("equally"), .object([:]), .object([:]), .null,
            ])
        guard case .object(let members) = item.json else { return #expect(Bool(false)) }
        #expect(members["participants"] == nil && members["payer"] == nil && members["own"] == .object([:]))
    }

    @Test("JSON has the fields beside the store's first ones, and not among those of apps")
    func json() {
        var trip = Trip(name: "Lisbon")
        trip.travellers = [ana]
        guard case .object(let members) = trip.json else { return #expect(Bool(false)) }
        #expect(members["travellers"] == .array([.string("\(ana)")]) && members["isTemplate"] == nil)
        #expect(members["own"] == .object([:]) && trip.ownRenderings(in: nil).isEmpty)
    }

    @Test("While a traveller is deleted, references read as nil and elements as missing, and nothing is drafted")
    func nullified() {
        var item = Activity(name: "Dinner", in: .new(), cost: Money("40", "EUR"))
        (item.participants, item.payer, item.split) = ([ana, ben], ana, .byParts([ana: 2, ben: 3]))
        let original = item
        item.nullify { $0 == ana.reference }
        #expect(item.participants == [ben] && item.payer == nil && item.split == .byParts([ben: 3]))
        var edited = item
        edited.name = "Supper"
        #expect(Activity.changes(from: item, to: edited).count == 1)
        item = original
        item.nullify { _ in false }
        #expect(item == original)
        var wrapped = TripItem.activity(original)
        wrapped.nullify { $0 == ben.reference }
        #expect(wrapped.participants == [ana] && wrapped.payer == ana)
    }

    @Test("While all who take part are deleted, nobody shares the cost, rather than all who travel")
    func deletedParticipants() throws {
        var item = Activity(name: "Dinner", in: .new(), cost: Money("40", "EUR"))
        item.participants = [ana]
        #expect(item.shares(among: [ana, ben])?.minorUnits == [ana: 4000])
        item.nullify { $0 == ana.reference }
        #expect(item.participants.isEmpty && !item.isForAllTravellers)
        let shares = try #require(TripItem.activity(item).shares(among: [ben]))
        #expect(shares.minorUnits.isEmpty && shares.rest == 4000)
        item.payer = ben
        #expect(TravellerBalance.all(of: [.activity(item)], among: [ben]).isEmpty)
        // Of an item that names others, or none, nothing changes.
        var others = Activity(name: "Supper", in: .new(), cost: Money("40", "EUR"))
        others.payer = ana
        others.nullify { $0 == ana.reference }
        #expect(others.payer == nil && others.shares(among: [ben])?.minorUnits == [ben: 4000])
    }

    @Test("A traveller, a list and an entry need names, a budget an amount, and parts are not negative")
    func rules() {
        #expect(throws: ValidationError.self) { try TripEvent.created(Traveller(name: " ")).validate(on: nil) }
        #expect(throws: ValidationError.self) {
            try TripEvent.created(Checklist(name: "", in: .new())).validate(on: nil)
        }
        #expect(throws: ValidationError.self) { try TripEvent.created(Budget(id: .new())).validate(on: nil) }
        var item = Activity(name: "Dinner", in: .new())
        item.split = .byParts([ana: -1])
        #expect(throws: ValidationError.self) { try TripEvent.created(item).validate(on: nil) }
    }

    @Test("Links and contacts have numbers of their own in the namespace, and name no travellers")
    func lists() {
        let fields: [EntitySchema.Field] = [
            .travellers, .isTemplate, .participants, .payer, .split, .parts, .amounts, .supersedes, .links, .contacts,
        ]
        let numbers = fields.map(\.number)
        #expect(numbers.allSatisfy { StoreNamespace.contains(field: $0) })
        #expect(numbers.map { $0 & 0xFFFF } == [1, 2, 11, 12, 13, 14, 15, 16, 21, 22])
        #expect(Set(EntitySchema.all.flatMap(\.added).map(\.number)) == Set(numbers))
        #expect(numbers.filter { !StoreNamespace.describes(field: $0) }.map { $0 & 0xFFFF } == [21, 22])
        #expect(!StoreNamespace.contains(field: 21) && !StoreNamespace.describes(field: 21))
        var item = Activity(name: "Dinner", in: .new())
        item.links = [Link("https://example.org")]
        item.payer = ana
        #expect(Activity.fieldNumber(named: "links") == EntitySchema.Field.links.number)
        item.nullify { _ in true }
        #expect(item.payer == nil && item.links.count == 1)
        guard case .object(let members) = item.json else { return #expect(Bool(false)) }
        #expect(members["links"] == .array(item.links.map(\.json)) && members["own"] == .object([:]))
        #expect(item.ownRenderings(in: nil).map(\.name) == ["links"])
    }

    @Test("A budget counts items of its category by their own words too, and of cancelled ones what is paid")
    func categories() {
        let trip = Trip.ID.new()
        var dinner = Activity(name: "Dinner", in: trip, cost: Money("30", "EUR"))
        dinner.category = "Food"
        var tour = Activity(name: "Tour", in: trip, cost: Money("80", "EUR"), paid: .deposit)
        (tour.category, tour.stage, tour.paidAmount) = ("food", .cancelled, Money("20", "EUR"))
        tour.payer = ana
        let items: [TripItem] = [.activity(dinner), .activity(tour)]
        let status = BudgetStatus.all(
            ["food", "activity"].map { Budget(Money(minorUnits: 10_000, "EUR"), for: $0, in: trip) }, for: items)
        #expect(status.map(\.planned) == [5000, 5000] && status.map(\.paid) == [2000, 2000])
        #expect(tour.shares(among: [ana, ben])?.minorUnits == [ana: 1000, ben: 1000])
        #expect(TravellerBalance.all(of: items, among: [ana, ben]).map(\.balance).max() == 1000)
        tour.paidAmount = nil
        #expect(tour.shares(among: [ana]) == nil)
    }

    @Test("Of an item that is not paid in full a budget counts what is paid, and no more than the cost")
    func deposits() {
        let trip = Trip.ID.new()
        let deposit = { (cost: Int64, paid: Money?) in
            var item = Lodging(name: "Inn", in: trip, cost: Money(minorUnits: cost, "EUR"), paid: .deposit)
            item.paidAmount = paid
            return TripItem.lodging(item)
        }
        let paid = { (items: [TripItem]) in
            BudgetStatus.all([Budget(Money(minorUnits: 10_000, "EUR"), in: trip)], for: items).map(\.paid)
        }
        #expect(paid([deposit(8000, Money(minorUnits: 3000, "EUR"))]) == [3000])
        #expect(paid([deposit(8000, Money(minorUnits: 9000, "EUR"))]) == [8000])
        #expect(paid([deposit(8000, Money(minorUnits: 3000, "USD"))]) == [0])
        #expect(paid([deposit(8000, nil), deposit(-500, Money(minorUnits: -200, "EUR"))]) == [-200])
        // An item whose own category is the name of its kind counts once.
        var walk = Activity(name: "Walk", in: trip, cost: Money(minorUnits: 700, "EUR"), paid: .inFull)
        walk.category = "Activity"
        let status = BudgetStatus.all(
            [Budget(Money(minorUnits: 1000, "EUR"), for: "ACTIVITY", in: trip)], for: [.activity(walk)])
        #expect(status.map(\.planned) == [700] && status.map(\.paid) == [700])
    }

    @Test("Budgets of one category and currency add up, and count the items of the category in that currency")
    func budgets() {
        let trip = Trip.ID.new()
        let items: [TripItem] = [
            .lodging(Lodging(name: "Inn", in: trip, cost: Money("80", "EUR"), paid: .inFull)),
            .lodging(Lodging(name: "Tent", in: trip, cost: Money("20", "USD"))),
            .activity(Activity(name: "Tram", in: trip, cost: Money("3.10", "EUR"))),
            .activity(Activity(name: "Walk", in: trip)),
        ]
        let euros = { (amount: String, category: String) in
            Budget(Money(amount, "EUR") ?? Money(minorUnits: 0, "EUR"), for: category, in: trip)
        }
        let status = BudgetStatus.all(
            [
                euros("50", "Lodging"), euros("25.50", "lodging"), euros("100", ""), euros("10", "food"),
                Budget(id: .new()),
            ],
            for: items)
        #expect(
            status.map { "\($0.category.lowercased()): \($0.budgeted) \($0.planned) \($0.paid) \($0.left)" } == [
                ": 10000 8310 8000 1690", "food: 1000 0 0 1000", "lodging: 7550 8000 8000 -450",
            ])
    }
}
