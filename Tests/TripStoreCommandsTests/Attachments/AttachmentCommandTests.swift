import Foundation
import StoreSupport
import Testing
import TripStoreCommands

@Suite("attach, attachments, save, discard")
struct AttachmentCommandTests {
    private let place = TemporaryFolder()

    private func file(_ name: String, _ text: String) throws -> String {
        try FileManager.default.createDirectory(at: place.url, withIntermediateDirectories: true)
        try text.write(toFile: place.path(name), atomically: true, encoding: .utf8)
        return place.path(name)
    }

    @Test("A ticket is attached, listed, found on another device, and saved there")
    func ticket() async throws {
        let tool = try await Tool.withStore()
        let trip = try await tool.value("add", "trip", "--name", "Lisbon")
        #expect(!trip.isEmpty)
        let attached = await tool.run("attach", "Lisbon", try file("ticket.pdf", "a ticket"), "--caption", "Seat 4A")
        #expect(attached.code == 0 && attached.out.first?.hasPrefix("Attached ticket.pdf (8 B)") == true)
        let listed = await tool.run("attachments", "Lisbon")
        #expect(listed.out.count == 1 && listed.out[0].contains("here") && listed.out[0].contains("ticket.pdf"))
        #expect(await tool.run("list", "own", "attachment").out.first?.contains("attachment") == true)
        #expect(await tool.run("show", "Lisbon").out.contains { $0.contains("ticket.pdf, 8 B") })
        let other = Tool()
        #expect(await Tool.run(["clone", tool.path, other.path]).code == 0)
        #expect(await other.run("attachments").out.first?.contains("here") == true)
        #expect(await other.run("save", "ticket.pdf", place.path("saved.pdf")).code == 0)
        #expect(try String(contentsOfFile: place.path("saved.pdf"), encoding: .utf8) == "a ticket")
        let again = await other.run("save", "ticket.pdf", place.path("saved.pdf"))
        #expect(again.code == 2 && again.error.contains("is there already"))
        #expect(await other.run("save", "ticket.pdf", place.path("saved.pdf"), "--force").code == 0)
        try FileManager.default.createDirectory(atPath: place.path("in"), withIntermediateDirectories: true)
        #expect(await other.run("save", "ticket.pdf", place.path("in")).code == 0)
        #expect(FileManager.default.fileExists(atPath: place.path("in/ticket.pdf")))
        for tool in [tool, other] { await tool.expectInvariants() }
    }

    @Test("Attaching shows how much of the files is stored, and erasing its stages")
    func progress() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "Lisbon")
        let (storing, erasing) = (Shown(), Shown())
        let files = [try file("a.pdf", "a ticket"), try file("b.pdf", "another")]
        let attached = await Tool.run(["attach", "Lisbon"] + files + ["--store", tool.path]) { console in
            console.progress = { storing.add($0) }
        }
        #expect(attached.code == 0 && attached.out.count == 2, "\(attached.error)")
        #expect(storing.lines.contains("storing 0 %") && storing.lines.last == "", "\(storing.lines)")
        let erased = await tool.run("erase", "Lisbon", "--yes") { $0.progress = { erasing.add($0) } }
        #expect(erased.code == 0, "\(erased.error)")
        let stages = ["planning", "erasing", "removing what is erased"]
        #expect(erasing.lines.filter(stages.contains) == stages && erasing.lines.last == "", "\(erasing.lines)")
        await tool.expectInvariants()
    }

    @Test("Its name, type and caption are edited by options; attachments are added by attach alone")
    func edited() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "Lisbon")
        #expect(await tool.run("attach", "Lisbon", try file("ticket.pdf", "a ticket")).code == 0)
        let edited = await tool.run(
            "edit", "ticket.pdf", "--caption", "Seat 4A", "--media-type", "text/plain", "--name", "pass.txt")
        #expect(edited.code == 0, "\(edited)")
        let shown = await tool.run("show", "pass.txt").out
        for text in ["Seat 4A", "text/plain"] { #expect(shown.contains { $0.contains(text) }, "\(text): \(shown)") }
        #expect(await tool.run("add", "attachment", "--name", "a.txt").code == 64)
        #expect(await !tool.run("add", "--help").out.contains { $0.contains("attachment") })
        await tool.expectInvariants()
    }

    @Test("A name that leads elsewhere stays in the folder that was named")
    func names() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "Lisbon")
        for name in ["../../up.txt", "..", "/etc/passwd"] {
            #expect(await tool.run("attach", "Lisbon", try file("a.txt", name), "--name", name).code == 0)
            try FileManager.default.createDirectory(atPath: place.path("out"), withIntermediateDirectories: true)
            #expect(await tool.run("save", name, place.path("out")).code == 0)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path("out")).count == 3)
        #expect(!FileManager.default.fileExists(atPath: place.path("../up.txt")))
        await tool.expectInvariants()
    }

    @Test("Discarding asks for --yes, and the attachment then says that it was discarded")
    func discard() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "Lisbon")
        #expect(await tool.run("attach", "Lisbon", try file("a.txt", "a")).code == 0)
        #expect(await tool.run("discard", "a.txt").code == 2)
        #expect(await tool.run("attachments").out.first?.contains("here") == true)
        #expect(await tool.run("discard", "a.txt", "--yes").code == 0)
        #expect(await tool.run("attachments").out.first?.contains("discarded") == true)
        #expect(await tool.run("save", "a.txt", place.path("b.txt")).code == 2)
        await tool.expectInvariants()
    }

    @Test("What cannot be is refused in words, and nothing is written")
    func refused() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "Lisbon")
        let there = try file("a.txt", "a")
        for (arguments, code, words) in [
            (["attach", "Lisbon", place.path("none")], 2, "no regular file"), (["attach", "Porto", there], 2, "Porto"),
            (["attach", "Lisbon", there, there, "--name", "x"], 64, "--name"), (["attach", "Lisbon"], 64, "Missing"),
            (["save", "Lisbon", place.path("x")], 2, "Lisbon"), (["attachments", "Porto"], 2, "Porto"),
        ] {
            let outcome = await tool.run(arguments)
            #expect(outcome.code == code && outcome.error.contains(words), "\(arguments) \(outcome.error)")
        }
        #expect(await tool.run("attachments").out == ["No attachments."])
        await tool.expectInvariants()
    }
}
