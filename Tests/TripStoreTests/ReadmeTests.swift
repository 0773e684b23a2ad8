import Foundation
import Testing
import TripStore

@Suite("README")
struct ReadmeTests {
    /// The program of the README, word for word but for the indentation.
    private func program() async throws {
        // begin
        let store = try await TripStore.temporary()  // or .open(at: folder)
        let lisbon = try await store.create(
            Trip(name: "Lisbon", destination: "Lisboa", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
        let start = Moment(milliseconds: 1_809_259_200_000, zone: "Europe/Lisbon")
        try await store.create(Activity(name: "Tram 28", in: lisbon, from: start, cost: Money("3.10", "EUR")))
        try await store.edit(lisbon) { $0.name = "Lisbon and Porto" }

        for row in try store.trips(.starting(in: Day(2027, 5, 1)..<Day(2027, 6, 1))).rows {
            print(row.trip.name, row.itemCount, row.costs.map(\.minorUnits))
        }
        for entry in try store.history(of: lisbon) {
            print(entry.commit.timestamp.date, entry.event.verb.name, entry.event.changes.map(\.field))
        }
        // end
    }

    @Test("The program of the README is the one above, which compiles and runs")
    func programRuns() async throws {
        try await program()
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let begin = try #require(lines.firstIndex { $0.hasSuffix("// begin") })
        let end = try #require(lines.firstIndex { $0.hasSuffix("// end") })
        let program = lines[(begin + 1)..<end].map { String($0.dropFirst(8)) }.joined(separator: "\n")
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
        #expect(readme.contains("```swift\nimport TripStore\n\n\(program)\n```"))
    }
}
