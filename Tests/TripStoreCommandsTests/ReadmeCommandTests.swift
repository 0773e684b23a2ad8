import Foundation
import StoreSupport
import TestSupport
import Testing

@Suite("The commands in README")
struct ReadmeCommandTests {
    @Test("The ten commands of README and those for two devices run in their order, in an empty home")
    func commands() throws {
        let readme = try String(contentsOfFile: SourceFile.path("README.md"), encoding: .utf8)
        let blocks = readme.components(separatedBy: "```sh\n").dropFirst()
            .map { $0.components(separatedBy: "\n```")[0] }.filter { !$0.hasPrefix("Tools/") }
        try #require(blocks.count == 2)
        #expect(blocks[0].split(separator: "\n").filter { $0.hasPrefix("tripstore ") }.count == 10)

        let tool = Tool()
        try FileManager.default.createDirectory(at: tool.folder.url, withIntermediateDirectories: true)
        let home = "export HOME=\"$PWD\" PATH=\"$(dirname \"$T\"):$PATH\"; set -e\n"
        let outcome = try tool.shell(home + blocks.joined(separator: "\n"))
        #expect(outcome.code == 0, "\(outcome.complaint)")
        #expect(outcome.text.contains("Intact up to position"))
        #expect(outcome.text.contains("[JL] 74 to [Honolulu]"))
        #expect(try tool.text(of: "japan.html").contains("JL 74 to Honolulu"))
        #expect(try tool.names().isSuperset(of: ["trips", "second", "guest"]))
        let members = try tool.shell("\"$T\" members --store trips")
        #expect(members.text.split(separator: "\n").filter { $0.hasPrefix("write ") }.count == 2, "\(members.text)")
    }
}
