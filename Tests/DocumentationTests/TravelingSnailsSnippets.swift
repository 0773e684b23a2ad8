import Foundation
import StoreSupport
import Testing
import TripFormats
import TripStore

@Suite("The page on Traveling Snails")
struct TravelingSnailsSnippets {
    @Test("Writing an export")
    func export() async throws {
        let (place, files) = (Folder(), Folder())
        try FileManager.default.createDirectory(at: files.url, withIntermediateDirectories: true)
        let file = files.url.appendingPathComponent("trips.json").path
        #expect(FileManager.default.createFile(atPath: file, contents: nil))
        let store = try await TripStore.open(at: place.url)
        let trips = [try await store.create(Trip(name: "Lisbon", destination: "Lisboa"))]
        // begin TravelingSnails-export
        let output = FileHandle(forWritingAtPath: file)
        let losses = try await SnailsExport(of: store).write(trips) { try output?.write(contentsOf: $0) }
        for loss in losses { print(loss) }
        // end
        #expect(losses.map(\.what) == [.field("destination", of: .trip)])
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("Lisbon"))
        try await store.expectInvariants()
        await store.close()
    }
}
