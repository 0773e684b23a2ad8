import Foundation
import StoreSupport
import Testing
import TripStoreCommands

@Suite("What editing commands check and say")
struct EditingChecksTests {
    @Test("An entity that is named twice counts once")
    func namedTwice() async throws {
        let tool = try await Tool.withStore()
        let trip = try await tool.value("add", "trip", "--name", "Lisbon")
        let words = "trip \"Lisbon\" \(trip) (position "
        #expect(try await tool.value("delete", trip, trip).hasPrefix("Deleted \(words)"))
        #expect(try await tool.value("restore", trip, trip, trip.lowercased()).hasPrefix("Restored \(words)"))
        let tram = try await tool.value("add", "activity", "--name", "Tram", "--trip", trip)
        _ = try await tool.value("add", "trip", "--name", "Porto")
        #expect(try await tool.value("move", tram, "--to", "Porto").hasPrefix("Moved activity \"Tram\" \(tram) ("))
        // On a terminal the name is enough.
        let deleted = await tool.run("delete", trip) { $0.layout = TextLayout(columns: 80) }
        #expect(deleted.out.first?.hasPrefix("Deleted trip \"Lisbon\" (position ") == true, "\(deleted.out)")
        await tool.expectInvariants()
    }

    @Test("What cannot be added is refused with the reason alone: an id of it would lead nowhere")
    func refused() async throws {
        let tool = try await Tool.planning()
        let line = ["add", "activity", "--name", "x", "--trip", "Lisbon", "--start"]
        let reversed = await tool.plan(line + ["2027-05-05T10:00+01:00", "--end", "2027-05-05T09:00+01:00"])
        #expect(reversed.code == 2 && reversed.error.contains("Error: The end 2027-05-05T09:00"), "\(reversed.error)")
        let money = await tool.plan(line + ["5 may", "--cost", "€12.50"])
        #expect(money.code == 64 && money.error.contains("write '12.50 EUR', or add --currency"), "\(money.error)")
        await tool.expectInvariants()
    }

    @Test("An organization must be one that is there")
    func organizations() async throws {
        let tool = try await Tool.withStore()
        let trip = try await tool.value("add", "trip", "--name", "Lisbon")
        let airline = try await tool.value("add", "organization", "--name", "TAP")
        let gone = try await tool.value("add", "organization", "--name", "Gone")
        #expect(await tool.run("delete", gone).code == 0)
        let flight = try await tool.value(
            "add", "transportation", "--name", "TP1", "--trip", trip, "--organization", airline)
        let tram = try await tool.value("add", "activity", "--name", "Tram", "--trip", trip)
        let before = try await tool.position()
        for id in [trip, flight, gone, UUID().uuidString] {
            for line in [
                ["add", "activity", "--name", "x", "--trip", trip],
                ["add", "transportation", "--name", "x", "--trip", trip],
                ["edit", tram], ["edit", flight],
            ] {
                let refused = await tool.run(line + ["--organization", id])
                #expect(refused.code == 2 && refused.error.contains("no organization"), "\(refused.error)")
            }
        }
        #expect(try await tool.position() == before)
        #expect(await tool.run("edit", tram, "--organization", airline).code == 0)
        // An edit of another field keeps a reference to a deleted organization.
        #expect(await tool.run("delete", airline).code == 0)
        #expect(await tool.run("edit", tram, "--notes", "n").code == 0)
        await tool.expectInvariants()
    }

    @Test("Of an amount that is too large it is said that it is, and how large one may be")
    func largeAmounts() async throws {
        let tool = try await Tool.withStore()
        let trip = try await tool.value("add", "trip", "--name", "Lisbon")
        let line = ["add", "activity", "--name", "x", "--trip", trip, "--currency", "EUR", "--cost"]
        for amount in ["92233720368547758.08", "-92233720368547758.09", "100000000000000000000000"] {
            let refused = await tool.run(line + [amount])
            #expect(refused.code == 2 && refused.error.contains("92233720368547758.07 EUR"), "\(refused.error)")
        }
        let precise = await tool.run(line + ["1.005"])
        #expect(precise.code == 2 && precise.error.contains("at most 2 after a point"))
        for amount in ["92233720368547758.07", "-92233720368547758.07"] {
            #expect(await tool.run(line + [amount]).code == 0)
        }
        await tool.expectInvariants()
    }
}
