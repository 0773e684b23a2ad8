import Foundation
import TestSupport
import Testing

@testable import Trips

/// Compares agendas and totals of random itineraries with a model in Python, whose zones are those of its zoneinfo.
@Suite("Agendas and totals against Python's zoneinfo", .enabled(if: AgendaModel.isThere))
struct AgendaModelTests {
    @Test(
        "Days, roles, clock times, nights, findings, sums and shares are the model's, over zones with odd transitions",
        arguments: Seeds.some(40))
    func random(seed: UInt64) throws {
        var itinerary = RandomItinerary(seed: seed)
        let (plans, days) = itinerary.plans()
        let parts = plans.map { plan -> DetailedTotals.Part in
            let trip = plan.trip ?? Trip(name: "")
            return (trip, plan.items, itinerary.budgets(of: trip))
        }
        let agenda = try Agenda(days, of: plans)
        let model = try AgendaModel.run(plans, days, budgets: parts.map(\.budgets))
        #expect(agenda.modelEntries == model.entries, "seed \(seed)")
        #expect(agenda.modelFindings == model.findings, "seed \(seed)")
        let totals = DetailedTotals(of: parts)
        #expect(totals.modelSums == model.totals, "seed \(seed)")
        #expect(totals.modelMoney == model.money, "seed \(seed)")
    }

    @Test("Calendars have the days that Python's have, around every date that a zone skipped", arguments: Self.skipped)
    func days(zone: String, year: Int, month: Int, day: Int) throws {
        let skipped = Day(year, month, day)
        let zone = try #require(TimeZone(identifier: zone)).identifier
        let days = skipped.advanced(by: -2)...skipped.advanced(by: 2)
        let noon = { (day: Day) in Moment(milliseconds: day.milliseconds, zone: zone) }
        let stay = Lodging(
            name: "Inn", in: nil, from: noon(days.lowerBound.advanced(by: -1)),
            until: noon(days.upperBound.advanced(by: 2)))
        let plans: [Agenda.Plan] = [(nil, [.lodging(stay)])]
        let agenda = try Agenda(days, of: plans)
        #expect(agenda.modelEntries == (try AgendaModel.run(plans, days).entries))
        #expect(agenda.entries.count == 4 && !agenda.entries.contains { $0.day == skipped })
        // A whole day has no zone that could skip it.
        let whole = Activity(name: "Festival", in: nil, days: days)
        #expect(try Agenda(days, of: [(nil, [.activity(whole)])]).entries.count == 5)
    }

    private static let skipped = [
        ("Pacific/Apia", 2011, 12, 30), ("Pacific/Fakaofo", 2011, 12, 30), ("Pacific/Kwajalein", 1993, 8, 21),
    ]
}

/// What the model says.
struct AgendaModel {
    let entries: [[String]]
    let findings: [[String]]
    /// By dimension, key and currency.
    let totals: [String: [String: [String: [String]]]]
    let money: ModelMoney

    static let path = SourceFile.path("Tests/AgendaModel/agenda_model.py")
    static let isThere = Program.succeeds(
        "python3", "-c", "import zoneinfo; [zoneinfo.ZoneInfo(z) for z in ('Pacific/Apia', 'Europe/Lisbon')]")

    static func run(
        _ plans: [Agenda.Plan], _ days: ClosedRange<Day>, budgets: [[Budget]] = []
    ) throws -> AgendaModel {
        let request: [String: Any] = [
            "days": ["\(days.lowerBound)", "\(days.upperBound)"],
            "plans": plans.enumerated().map { index, plan in
                let trip = plan.trip.map { trip in
                    ["first": orNull(trip.startDay), "last": orNull(trip.endDay)] as Any
                }
                let budgets = index < budgets.count ? budgets[index] : []
                return [
                    "trip": trip ?? NSNull(), "items": plan.items.map(\.modelObject),
                    "travellers": plan.trip?.travellers.map { "\($0)" } ?? [],
                    "budgets": budgets.map { [$0.category, $0.amount?.modelObject ?? NSNull()] as [Any] },
                ] as [String: Any]
            },
        ]
        let input = [UInt8](try JSONSerialization.data(withJSONObject: request))
        let output = try #require(try Program.run("python3", [path], input: input))
        try #require(output.code == 0, "\(output.complaint)")
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(output.bytes)) as? [String: Any])
        return AgendaModel(
            entries: rows(object["entries"]), findings: rows(object["findings"]),
            totals: (object["totals"] as? [String: Any] ?? [:]).mapValues(sums),
            money: ModelMoney(object["money"] as? [String: Any] ?? [:]))
    }

    /// By key and currency.
    static func sums(_ value: Any) -> [String: [String: [String]]] {
        (value as? [String: [String: [Any]]] ?? [:]).mapValues { $0.mapValues { $0.map { "\($0)" } } }
    }

    static func rows(_ value: Any?) -> [[String]] {
        (value as? [[Any]] ?? []).map { row in
            row.map { value in (value as? [Any])?.map { "\($0)" }.joined(separator: " ") ?? "\(value)" }
        }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    static func orNull(_ value: (some CustomStringConvertible)?) -> Any { value.map { "\($0)" } ?? NSNull() }
}

extension TripItem {
    fileprivate var modelObject: [String: Any] {
        func moment(_ moment: Moment?) -> Any { moment.map { [$0.milliseconds, $0.zone] as [Any] } ?? NSNull() }
        func money(_ money: Money?) -> Any { money?.modelObject ?? NSNull() }
        var stay: Lodging?
        if case .lodging(let lodging) = self { stay = lodging }
        let (split, shares): (String, [Traveller.ID: Any]) =
            switch self.split {
            case .equally: ("equally", [:])
            case .byParts(let parts): ("parts", parts)
            case .byAmounts(let amounts): ("amounts", amounts.mapValues(\.modelObject))
            }
        return [
            "id": "\(id)", "name": self.name, "mode": mode.map { "\($0)" } ?? "", "kind": kind.name ?? "",
            "stage": "\(self.stage)", "start": moment(self.start), "end": moment(self.end),
            "startDay": AgendaModel.orNull(self.startDay), "endDay": AgendaModel.orNull(self.endDay),
            "cost": money(self.cost),
            "paid": "\(self.paid)", "paidAmount": money(self.paidAmount), "category": self.category,
            "checkIn": moment(stay?.checkIn), "checkOut": moment(stay?.checkOut),
            "participants": self.participants.map { "\($0)" }, "payer": AgendaModel.orNull(self.payer), "split": split,
            "shares": Dictionary(uniqueKeysWithValues: shares.map { ("\($0)", $1) }),
        ]
    }
}

extension Money {
    fileprivate var modelObject: [Any] { [minorUnits, currency.code] }
}

/// What travellers have paid and owe, and what budgets allow.
struct ModelMoney: Equatable {
    /// By traveller and currency.
    let travellers: [String: [String: [String]]]
    let balances: [[String]]
    let payments: [[String]]
    let budgets: [[String]]
}

extension ModelMoney {
    init(_ object: [String: Any]) {
        travellers = AgendaModel.sums(object["travellers"] ?? [:])
        balances = AgendaModel.rows(object["balances"])
        payments = AgendaModel.rows(object["payments"])
        budgets = AgendaModel.rows(object["budgets"])
    }
}

extension Agenda {
    var modelEntries: [[String]] {
        entries.map { entry in
            [
                "\(entry.day)", "\(entry.item.id)", "\(entry.role)", entry.begins?.modelClock ?? "",
                entry.ends?.modelClock ?? "", entry.zone ?? "", "\(entry.night ?? 0)", "\(entry.nightCount ?? 0)",
            ]
        }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    var modelFindings: [[String]] {
        findings.map { finding in
            [
                "\(finding.problem)", finding.items.map { "\($0.id)" }.joined(separator: " "),
                "\(finding.days.lowerBound)", "\(finding.days.upperBound)",
            ]
        }.sorted { $0.lexicographicallyPrecedes($1) }
    }
}

extension Moment {
    fileprivate var modelClock: String { String(localISO8601.prefix(19)) }
}

extension DetailedTotals {
    var modelSums: [String: [String: [String: [String]]]] {
        [
            "all": totals.isEmpty ? [:] : ["": Self.sums(totals)],
            "day": Self.groups(byDay) { $0.map { "\($0)" } ?? "" },
            "kind": Self.groups(byKind) { $0.name ?? "" }, "category": Self.groups(byCategory) { $0.lowercased() },
            "paid": Self.groups(byPaidStatus) { "\($0)" },
        ]
    }

    var modelMoney: ModelMoney {
        func sorted(_ rows: [[String]]) -> [[String]] { rows.sorted { $0.lexicographicallyPrecedes($1) } }
        return ModelMoney(
            travellers: Self.groups(byTraveller) { $0.map { "\($0)" } ?? "" },
            balances: sorted(
                balances.map { ["\($0.currency)", "\($0.traveller)", "\($0.paid)", "\($0.share)"] }),
            payments: sorted(
                payments.map {
                    ["\($0.amount.currency)", "\($0.from)", "\($0.to)", "\($0.amount.minorUnits)"]
                }),
            budgets: sorted(
                budgets.map {
                    [$0.category.lowercased(), "\($0.currency)", "\($0.budgeted)", "\($0.planned)", "\($0.paid)"]
                }))
    }

    private static func sums(_ totals: [CostTotal]) -> [String: [String]] {
        let rows = totals.map { ($0.currency.code, ["\($0.itemCount)", "\($0.cost)", "\($0.paid)"]) }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    private static func groups<Key>(
        _ groups: [CostGroup<Key>], _ name: (Key) -> String
    ) -> [String: [String: [String]]] {
        Dictionary(uniqueKeysWithValues: groups.map { (name($0.key), sums($0.totals)) })
    }
}
