import Foundation
import StoreSupport
import TestSupport
import Testing

/// The sample in `Tools/samples/ReadingList`: kinds of another domain than trips, on the library alone.
@Suite("The sample of another domain")
struct ReadingListTests {
    @Test("Kinds of another domain have live queries, undo, audit, searches and exchange, and no trip is written")
    func readingList() throws {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let list = try run("reading-list", [folder.url.path], folder)
        let lines = list.split(separator: "\n").map(String.init)
        try #require(lines.count == 12, "\(list)")
        #expect(lines[..<3] == ["unread: 0", "unread: Dune", "unread: 0"])
        #expect(lines[3..<5] == ["5 classic desert 13", "5 classic desert 13"])
        #expect(lines[5] == "hidden: true back: true")
        #expect(lines[6] == "ana created title author")
        // Both wrote at the same time.
        #expect(Set(lines[7..<9]) == ["ben edited rating labels", "ana edited labels"])
        #expect(lines[9..<11] == ["ana deleted ", "ana restored "])
        #expect(lines[11] == "found: Dune below: [true]")
        for store in ["laptop", "phone"] {
            let path = folder.path(store)
            _ = try run("tripstore", ["audit", "verify", "--store", path], folder)
            #expect(try run("tripstore", ["trips", "--store", path], folder).contains("No trips."))
            let log = try run("tripstore", ["audit", "log", "--all", "--store", path], folder)
            #expect(log.contains("Dune") && !log.contains("trip "), "\(log)")
        }
    }

    private func run(_ program: String, _ arguments: [String], _ folder: TemporaryFolder) throws -> String {
        let path = try KilledProcess.executable(program).path
        let output = try #require(
            try Program.run("env", ["XDG_STATE_HOME=\(folder.path("state"))", path] + arguments))
        #expect(output.code == 0, "\(arguments): \(output.complaint)")
        return output.text
    }
}
