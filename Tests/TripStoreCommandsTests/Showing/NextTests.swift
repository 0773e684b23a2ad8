import Foundation
import StoreSupport
import Testing
import TripStore
import TripStoreCommands

@Suite("The tool without a command")
struct NextTests {
    /// A tool whose clock shows 01:30 in UTC on 2 May 2027, or some days later.
    private static func next(_ tool: Tool?, zone: String = "Europe/Lisbon", day: Double = 0) async -> Tool.Outcome {
        await Tool.run([]) { console in
            console.environment = tool.map { ["TRIPSTORE": $0.path] } ?? [:]
            console.now = { Date(timeIntervalSince1970: 1_809_221_400 + day * 86_400) }
            console.timeZone = TimeZone(identifier: zone) ?? console.timeZone
        }
    }

    /// Whether each command that a line names is there to its end.
    private static func areWhole(_ lines: [String]) -> Bool {
        lines.allSatisfy { $0.ranges(of: "'tripstore").count == $0.matches(of: /'tripstore[^']*'/).count }
    }

    private static func addTrip(_ tool: Tool, _ name: String, _ first: String, _ last: String) async throws {
        _ = try await tool.value("add", "trip", "--name", name, "--start-date", first, "--end-date", last)
    }

    @Test("Without a store it says how to begin, in three commands, and makes nothing")
    func beginning() async throws {
        let outcome = await Self.next(nil)
        #expect(outcome.code == 0 && outcome.error.isEmpty)
        #expect(outcome.out.filter { $0.hasPrefix("  tripstore ") }.count == 3 && outcome.out.count == 5)
        let tool = Tool()
        let missing = await Self.next(tool)
        #expect(missing.code == 0 && missing.out.first == "There is no store at \(tool.path) yet. To begin:")
        #expect(missing.out.filter { $0.hasPrefix("  tripstore ") }.count == 3)
        #expect(!FileManager.default.fileExists(atPath: tool.path))
    }

    @Test("In a store it shows the trip under way, today's agenda and what is to come, by the device's clock and zone")
    func agenda() async throws {
        let tool = try await Tool.withStore()
        let empty = await Self.next(tool).out
        #expect(empty.first == "No trips yet: 'tripstore add trip --name Lisbon' makes one." && Self.areWhole(empty))
        try await Self.addTrip(tool, "Lisbon", "2027-05-01", "2027-05-08")
        try await Self.addTrip(tool, "Faro", "2027-05-12", "2027-05-13")
        _ = try await tool.value(
            "add", "activity", "--name", "Tram 28", "--trip", "Lisbon", "--start", "2027-05-02T09:00",
            "--start-time-zone", "Europe/Lisbon")
        let outcome = await Self.next(tool)
        #expect(outcome.code == 0 && outcome.error.isEmpty)
        #expect(outcome.out.first == "Lisbon, Sat 1 – Sat 8 May 2027, day 2 of 8", "\(outcome.out)")
        #expect(outcome.out.contains { $0.hasPrefix("  Sun 2 May 2027") })
        #expect(outcome.out.contains { $0.contains("09:00  Tram 28") })
        #expect(outcome.out.contains("Next: Faro, Wed 12 – Thu 13 May 2027, in 10 days"))
        #expect(outcome.out.last == "'tripstore help' lists the commands.")
        // Nobody travels yet.
        let before = await Self.next(tool, day: -2).out
        #expect(before.first == "Next: Lisbon, Sat 1 – Sat 8 May 2027, tomorrow", "\(before)")
        // It is still the day before in Honolulu.
        let yesterday = await Self.next(tool, zone: "Pacific/Honolulu").out
        #expect(yesterday.first == "Lisbon, Sat 1 – Sat 8 May 2027, day 1 of 8")
        #expect(yesterday.contains("Next: Faro, Wed 12 – Thu 13 May 2027, in 11 days"))
        await tool.expectInvariants()
    }

    @Test("After the last trip it names that one, and trips that are archived or cancelled are not to come")
    func nothing() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "Some day")
        #expect(await Self.next(tool).out.first == "No trip has days yet: 'tripstore trips' lists them.")
        try await Self.addTrip(tool, "Porto", "2026-04-01", "2026-04-03")
        try await Self.addTrip(tool, "Rome", "2027-06-01", "2027-06-03")
        #expect(await tool.run("edit", "Rome", "--stage", "cancelled").code == 0)
        let lines = await Self.next(tool).out
        #expect(
            lines == [
                "No trip is under way or to come.", "The last was Porto, Wed 1 – Fri 3 Apr 2026.", "",
                "'tripstore help' lists the commands.",
            ])
        await tool.expectInvariants()
    }

    @Test("However many trips that will not happen come before, the next one that will is named")
    func beyondCancelled() async throws {
        let tool = try await Tool.withStore()
        let store = try await TripStore.open(at: URL(fileURLWithPath: tool.path))
        let cancelled = (1...120).map { number in
            var trip = Trip(name: "Off \(number)", days: Day(2027, 5, 3)...Day(2027, 5, 4))
            trip.stage = .cancelled
            return trip
        }
        try await store.append(cancelled.map { .created($0) })
        await store.close()
        try await Self.addTrip(tool, "Faro", "2027-05-12", "2027-05-13")
        let lines = await Self.next(tool).out
        #expect(lines.contains("Next: Faro, Wed 12 – Thu 13 May 2027, in 10 days"), "\(lines)")
        #expect(!lines.contains { $0.contains("Off") }, "\(lines)")
        await tool.expectInvariants()
    }

    @Test("Conflicts, and what other replicas lack, are counted")
    func waiting() async throws {
        let replicas = try await Replicas()
        let trip = try await replicas.trip(named: "Lisbon")
        #expect(await replicas.ana.run("edit", trip, "--name", "Porto").code == 0)
        #expect(await replicas.ben.run("edit", trip, "--name", "Faro").code == 0)
        try await replicas.meet()
        #expect(await replicas.ana.run("edit", trip, "--notes", "n").code == 0)
        let lines = await Self.next(replicas.ana).out
        #expect(lines.contains("1 conflict: 'tripstore conflicts'"), "\(lines)")
        let toBen = lines.first { $0.hasPrefix("1 commit to send to ben's laptop, last met ") }
        #expect(toBen?.hasSuffix(": 'tripstore sync PEER'") == true, "\(lines)")
        let (ben, name) = (try await replicas.ben.replica(), "A laptop with a name as long as people give them")
        #expect(await replicas.ana.run("peers", "--rename", ben, "--as", name).code == 0)
        let long = await Self.next(replicas.ana).out
        #expect(long.contains { $0.contains(" to send to A laptop with a name") } && Self.areWhole(long), "\(long)")
        await replicas.ana.expectInvariants()
    }

    @Test("However much there is, it takes twenty lines of eighty columns at most")
    func bounded() async throws {
        let tool = try await Tool.withStore()
        let handle = try await TripStoreHandle.open(tool.path)
        let today = Day(2027, 5, 2)
        try await handle.store.commit { commit in
            for number in 0..<10 {
                let name = "A long journey with a long name, of which there are several, number \(number)"
                let trip = commit.create(Trip(name: name, days: today...today.advanced(by: 20)))
                commit.create(Trip(name: name, days: today.advanced(by: 30)...today.advanced(by: 31)))
                for place in 0..<9 { commit.create(Activity(name: "Walk \(place)", in: trip, days: today...today)) }
            }
        }
        await handle.store.close()
        let lines = await Self.next(tool).out
        #expect(lines.count == 20 && lines.allSatisfy { $0.count <= 80 } && Self.areWhole(lines), "\(lines)")
        #expect(lines.contains("  and more: 'tripstore agenda' shows all of today"))
        #expect(lines.filter { $0.hasPrefix("More trips are") }.count == 2)
        await tool.expectInvariants()
    }

    @Test("Views that are missing are not built by it, and it says so")
    func withoutViews() async throws {
        let tool = try await Tool.withStore()
        try await Self.addTrip(tool, "Lisbon", "2027-05-01", "2027-05-08")
        try FileManager.default.removeItem(atPath: tool.path + "/views")
        let outcome = await Self.next(tool)
        #expect(outcome.code == 0)
        #expect(
            outcome.out.first == "The views are not built, and show nothing: 'tripstore trips' builds them.",
            "\(outcome.out) \(outcome.error)")
        #expect(Self.areWhole(outcome.out))
        #expect(!FileManager.default.fileExists(atPath: tool.path + "/views"))
        #expect(await tool.run("trips").out.count == 1)
        await tool.expectInvariants()
    }
}
