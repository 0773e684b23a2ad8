import Foundation
import StoreSupport
import TestSupport
import Testing

@Suite("Files that commands write")
struct OutputFileTests {
    /// Those that replace files of their own kind.
    static let replacers = [["audit", "report"], ["bundle", "write"]]
    static let commands = replacers + [["export", "--format", "json"]]

    @Test("A pipe, a stream of the process and a folder are refused, also by force", arguments: commands)
    func noRegularFiles(command: [String]) async throws {
        let tool = try await Tool.withStore()
        let line = "\"$T\" " + command.joined(separator: " ")
        let made = try tool.shell("mkfifo pipe && ln -s pipe link && ln -s /proc/self/fd/1 stream && mkdir folder")
        #expect(made.code == 0, "\(made.complaint)")
        for name in ["pipe", "link", "stream", "folder"] {
            for force in ["", " --force"] where !force.isEmpty || name != "folder" {
                let outcome = try tool.shell("\(line) \(name)\(force)")
                #expect(outcome.code == 2 && outcome.bytes.isEmpty, "\(name)\(force): \(outcome.complaint)")
            }
        }
        let kept = try tool.shell("test -p pipe && test -p link && test -h link && test -h stream && test -d folder")
        #expect(kept.code == 0)
        #expect(try tool.names() == ["store", "pipe", "link", "stream", "folder"])
        await tool.expectInvariants()
    }

    @Test("No file comes into a store, or in the place of one of its files, also by force", arguments: commands)
    func insideStores(command: [String]) async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "Lisbon")
        try FileManager.default.createSymbolicLink(
            atPath: tool.folder.path("link"), withDestinationPath: "store/log/data.mdb")
        let before = try tool.names(in: "store/log")
        for place in ["store/log/data.mdb", "store/log/new", "store/new", "link"] {
            let refused = await tool.run(command + [tool.folder.path(place), "--force"])
            #expect(refused.code == 2 && refused.error.contains("store"), "\(place): \(refused.error)")
        }
        #expect(try tool.names(in: "store/log") == before)
        await tool.expectInvariants()
    }

    @Test(
        "A symbolic link stays, and the file that it leads to is replaced; where it leads to nothing, nothing is made",
        arguments: replacers)
    func links(command: [String]) async throws {
        let tool = try await Tool.withStore()
        try FileManager.default.createDirectory(atPath: tool.folder.path("there"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: tool.folder.path("link"), withDestinationPath: "there/second")
        try FileManager.default.createSymbolicLink(
            atPath: tool.folder.path("there/second"), withDestinationPath: "file")
        #expect(await tool.run(command + [tool.folder.path("link")]).code == 2)
        #expect(try tool.names(in: "there") == ["second"])
        #expect(await tool.run(command + [tool.folder.path("there/file")]).code == 0)
        for _ in 0..<2 {
            let outcome = await tool.run(command + [tool.folder.path("link")])
            #expect(outcome.code == 0, "\(outcome.error)")
            #expect(
                try FileManager.default.destinationOfSymbolicLink(atPath: tool.folder.path("link")) == "there/second")
            #expect(
                try FileManager.default.destinationOfSymbolicLink(atPath: tool.folder.path("there/second")) == "file")
            #expect(try tool.names(in: "there") == ["second", "file"])
        }
        let circle = tool.folder.path("circle")
        try FileManager.default.createSymbolicLink(atPath: circle, withDestinationPath: "circle")
        #expect(await tool.run(command + [circle, "--force"]).code == 2)
        await tool.expectInvariants()
    }

    @Test("Another file is replaced only by force, one of the same kind always", arguments: replacers)
    func replacing(command: [String]) async throws {
        let tool = try await Tool.withStore()
        let file = tool.folder.path("file")
        try tool.write("Dear Ana,", to: "file")
        let refused = await tool.run(command + [file])
        #expect(refused.code == 2 && refused.error.contains("--force"))
        #expect(try tool.text(of: "file") == "Dear Ana,")
        #expect(await tool.run(command + [file, "--force"]).code == 0)
        let written = try #require(FileManager.default.contents(atPath: file))
        _ = try await tool.value("add", "trip", "--name", "Lisbon")
        #expect(await tool.run(command + [file]).code == 0)
        #expect(FileManager.default.contents(atPath: file) != written)
        #expect(try tool.names() == ["store", "file"])
        await tool.expectInvariants()
    }

    @Test("A bundle goes through a pipe, from standard output to standard input")
    func pipedBundle() async throws {
        let replicas = try await Replicas()
        _ = try await replicas.ana.value("add", "trip", "--name", "Lisbon")
        let outcome = try replicas.ana.shell(
            "\"$T\" bundle write - | \"$T\" bundle read - --json --store '\(replicas.ben.path)'")
        #expect(outcome.code == 0, "\(outcome.complaint)")
        #expect(try Tool.Outcome.object(outcome.text).commits("received") == 1)
        #expect(outcome.complaint.contains("Wrote a bundle"))
        try await replicas.expectEqual()
        let cut = try replicas.ana.shell(
            "\"$T\" bundle write - | head -c 300 | \"$T\" bundle read - --store '\(replicas.ben.path)'")
        #expect(cut.code == 2 && cut.complaint.contains("The bundle on standard input ends at byte 300"))
        #expect(await replicas.ana.run("bundle", "write", "-", "--json").code == 64)
        // This console accepts text only.
        #expect(await replicas.ana.run("bundle", "write", "-").code == 2)
    }

    @Test("A report goes to standard output")
    func pipedReport() async throws {
        let tool = try await Tool.withStore()
        let outcome = try tool.shell("\"$T\" audit report - > piped && \"$T\" audit report file")
        #expect(outcome.code == 0 && !outcome.text.contains("html"), "\(outcome.complaint)")
        let (piped, written) = (try tool.text(of: "piped"), try tool.text(of: "file"))
        #expect(
            piped.hasPrefix("<!doctype html>") && piped.hasSuffix("</html>\n") && piped.utf8.count == written.utf8.count
        )
        #expect(await tool.run("audit", "report", "-", "--json").code == 64)
    }
}
