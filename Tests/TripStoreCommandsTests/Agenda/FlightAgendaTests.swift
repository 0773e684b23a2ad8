import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStore

/// Compares agendas and totals of imported flights with what a model in Python makes of the export itself.
@Suite("The agenda and the totals of a day of flights", .enabled(if: Python.hasZones))
struct FlightAgendaTests {
    @Test("They are the model's", arguments: ["planned", "actual"])
    func flights(name: String) async throws {
        let path = SourceFile.path("Tools/samples/flights-day-\(name).json")
        let tool = try await Tool.withStore()
        #expect(await tool.run("import", path).code == 0)
        let store = try await TripStore.open(at: URL(fileURLWithPath: tool.path))
        let days = Day(2012, 12, 31)...Day(2013, 1, 3)
        let request: [String: Any] = [
            "export": path, "days": ["\(days.lowerBound)", "\(days.upperBound)"],
        ]
        let output = try #require(
            try Program.run(
                "python3", [SourceFile.path("Tests/AgendaModel/agenda_model.py")],
                input: Array(try JSONSerialization.data(withJSONObject: request))))
        try #require(output.code == 0, "\(output.complaint)")
        let model = try #require(
            try JSONSerialization.jsonObject(with: Data(output.bytes)) as? [String: Any])
        let agenda = try store.agenda(days)
        let entries = agenda.entries.map { entry in
            [
                "\(entry.day)", "\(entry.item.id)", "\(entry.role)",
                entry.begins.map { String($0.localISO8601.prefix(19)) } ?? "",
                entry.ends.map { String($0.localISO8601.prefix(19)) } ?? "", entry.zone ?? "",
            ]
        }
        let expected = (model["entries"] as? [[Any]] ?? []).map { $0.prefix(6).map { "\($0)" } }
        #expect(entries.count > 800 && Set(entries) == Set(expected) && entries.count == expected.count)
        let findings = agenda.findings.map {
            "\($0.problem) \($0.items.map { "\($0.id)" }) \($0.days.lowerBound)"
        }
        let found = (model["findings"] as? [[Any]] ?? []).map { "\($0[0]) \($0[1] as? [String] ?? []) \($0[2])" }
        #expect(Set(findings) == Set(found))
        try expectTotals(store.detailedTotals(), model)
        try await store.expectInvariants()
        await store.close()
    }

    private func expectTotals(_ totals: DetailedTotals, _ model: [String: Any]) throws {
        let sums = try #require(model["totals"] as? [String: [String: [String: [Int]]]])
        func expect<Key>(_ name: String, _ groups: [CostGroup<Key>], _ key: (Key) -> String) {
            let found = groups.map { group in
                (key(group.key), group.totals.map { ["\($0.itemCount)", "\($0.cost)", "\($0.paid)"] })
            }
            let expected = (sums[name] ?? [:]).mapValues { $0.values.map { $0.map { "\($0)" } } }
            #expect(Dictionary(uniqueKeysWithValues: found) == expected, "\(name)")
        }
        expect("kind", totals.byKind) { $0.name ?? "" }
        expect("day", totals.byDay) { $0.map { "\($0)" } ?? "" }
        expect("paid", totals.byPaidStatus) { "\($0)" }
        #expect(sums["all"]?[""]?["USD"].map { Int128($0[1]) } == totals.totals.first?.cost)
        // Two aircraft did not fly: what is not there costs nothing.
        #expect(Set([647, 649]).contains(totals.byTrip.count))
    }
}

private enum Python {
    static let hasZones = Program.succeeds(
        "python3", "-c", "import zoneinfo; zoneinfo.ZoneInfo('America/New_York')")
}
