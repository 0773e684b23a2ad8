import Foundation
import StoreSupport
import TestSupport
import Testing

@testable import TripStoreCommands

@Suite("Command lines that need a network")
struct HandingOverTests {
    /// Runs a command line as `tripstore` does, which has neither a network nor a web server. Returns the code, and the program that it was
    /// handed over to.
    private func run(
        _ line: String, _ tool: Tool
    ) async -> (code: Int32, isHandedOver: Bool, program: OtherProgram?) {
        var program: OtherProgram?
        let console = Console(out: { _ in }, error: { _ in })
        let arguments = line.split(separator: " ").map(String.init) + ["--store", tool.path]
        let code = await TripStoreCommand.run(arguments, console: console, network: nil) {
            program = $0
            return CommandError("Handed over.")
        }
        return (code, program != nil, program)
    }

    @Test(
        "A command line that names a hub, or serves, is handed over before anything is opened",
        arguments: [
            "sync https://127.0.0.1:1", "sync https://127.0.0.1:1 --stay", "invite --hub https://127.0.0.1:1",
            "serve --listen 127.0.0.1:0 --self-signed",
        ])
    func handedOver(line: String) async throws {
        let outcome = await run(line, Tool())
        #expect(outcome.program == .network && outcome.code == 2)
    }

    @Test("A command line that serves pages or feeds is handed over to the program that has a web server")
    func web() async {
        let outcome = await run("feed serve", Tool())
        #expect(outcome.program == .web && outcome.code == 2)
        for line in ["feed list", "feed add Lisbon", "feed serve --listen nowhere"] {
            #expect(await !run(line, Tool()).isHandedOver, "\(line)")
        }
    }

    @Test(
        "A command line without a hub is not handed over, nor one that is wrong",
        arguments: [("status", Int32(0)), ("invite", 0), ("sync /none", 2), ("serve --listen nowhere", 64)])
    func kept(line: String, code: Int32) async throws {
        let tool = try await Tool.withStore()
        let outcome = await run(line, tool)
        #expect(!outcome.isHandedOver && outcome.code == code)
        await tool.expectInvariants()
    }

    @Test("Codes that name a hub are handed over, others are not")
    func codes() async throws {
        let tool = try await Tool.withStore()
        let named = try await tool.value("invite", "--hub", "https://127.0.0.1:1")
        #expect(await run("join \(named)", Tool()).isHandedOver)
        let code = try await tool.value("invite")
        let joined = await run("join \(code)", Tool())
        #expect(!joined.isHandedOver && joined.code == 0)
        await tool.expectInvariants()
    }

    /// A folder with the tool alone, or with a program beside it that prints its name and its arguments.
    private func place(beside script: String?, as other: OtherProgram = .network) throws -> Tool {
        let tool = Tool()
        let program = try KilledProcess.executable("tripstore").path
        let own = tool.folder.path("tripstore")
        try FileManager.default.createDirectory(at: tool.folder.url, withIntermediateDirectories: true)
        // A link of the file system's: through a symbolic one the real program's folder would be looked at.
        if link(program, own) != 0 { try FileManager.default.copyItem(atPath: program, toPath: own) }
        if let script {
            try tool.write(script, to: other.name)
            chmod(tool.folder.path(other.name), 0o755)
        }
        return tool
    }

    @Test("The program beside the tool takes the process over, with its arguments and standard streams")
    func program() throws {
        let tool = try place(beside: "#!/bin/sh\nread line\necho \"$(basename \"$0\"): $line: $*\"\nexit 7\n")
        let outcome = try tool.shell("echo typed | ./tripstore sync 'https://127.0.0.1:1' --json --store 'a b'")
        #expect(outcome.code == 7)
        #expect(outcome.text == "tripstore-hub: typed: sync https://127.0.0.1:1 --json --store a b\n")
    }

    @Test("The program for pages and feeds takes over what needs it; the error says which it is where there is none")
    func webProgram() throws {
        let tool = try place(beside: "#!/bin/sh\necho \"$(basename \"$0\"): $*\"\n", as: .web)
        let outcome = try tool.shell("./tripstore feed serve --store s")
        #expect(outcome.text == "tripstore-inspect: feed serve --store s\n", "\(outcome.complaint)")
        let missing = try place(beside: nil).shell("./tripstore feed serve --json --store s")
        #expect(missing.code == 2 && missing.text.isEmpty && missing.complaint.contains("\"code\":\"noWebServer\""))
        for words in ["tripstore-inspect", "Tools/install", "Tools/build --product tripstore-inspect"] {
            #expect(missing.complaint.contains(words), "\(missing.complaint)")
        }
    }

    @Test("Where there is no such program, or it cannot be run, the error says which and what to do")
    func missing() throws {
        let alone = try place(beside: nil)
        let outcome = try alone.shell("./tripstore sync https://127.0.0.1:1 --json --store s")
        #expect(outcome.code == 2 && outcome.text.isEmpty)
        #expect(outcome.complaint.contains("\"code\":\"noNetwork\""))
        #expect(outcome.complaint.contains("tripstore-hub") && outcome.complaint.contains("Tools/install"))
        let broken = try place(beside: "no program")
        chmod(broken.folder.path("tripstore-hub"), 0o644)
        let refused = try broken.shell("./tripstore sync https://127.0.0.1:1 --store s")
        #expect(refused.code == 2 && refused.complaint.contains("cannot be run"), "\(refused.complaint)")
    }
}
