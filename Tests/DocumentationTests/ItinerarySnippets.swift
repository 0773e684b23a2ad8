import Foundation
import StoreSupport
import Testing
import TripFormats
import TripStore

@Suite("The pages on itineraries and diagnoses")
struct ItinerarySnippets {
    @Test("A page of a trip")
    func page() async throws {
        let store = try await TripStore.temporary()
        let lisbon = try await store.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
        // begin Itineraries-page
        guard let document = try store.document(of: lisbon) else { return }
        let options = ItineraryPage.Options(showsCosts: true, embedding: .init(from: store))
        let (html, leftOut) = try await ItineraryPage.html(document, options)
        for attachment in leftOut { print(attachment) }  // too large, or not here
        // end
        #expect(html.contains("<bdi>Lisbon</bdi></h1>") && leftOut.isEmpty)
        try await store.expectInvariants()
    }

    @Test("A diagnosis, and a repair that is put back")
    func diagnosis() async throws {
        let place = Folder()
        let folder = place.url
        let store = try await TripStore.open(at: folder)
        for _ in 0..<2 { try await store.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 8))) }
        // begin Diagnosing-diagnose
        let diagnosis = try await TripStore.diagnose(at: folder)
        for finding in diagnosis.findings {
            print(finding.severity, finding.code.rawValue, finding.message, finding.remedy)
        }
        // end
        #expect(diagnosis.findings.contains { $0.code == .duplicateTrip })
        // begin Diagnosing-repair
        let repair = try await store.repair(diagnosis, by: "ana")
        try await store.undo(.correlation(repair.correlation))  // takes it back
        // end
        #expect(repair.repaired.count == 1)
        #expect(try store.status().trips == 2)
        try await store.expectInvariants()
        await store.close()
    }
}
