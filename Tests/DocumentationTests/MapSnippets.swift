import StoreSupport
import Testing
import TripFormats
import TripStore

@Suite("The page on maps")
struct MapSnippets {
    @Test("Places and routes as GeoJSON and GPX")
    func maps() async throws {
        let store = try await TripStore.temporary()
        let japan = try await store.create(Trip(name: "Japan"))
        var inn = Lodging(name: "Inn", in: japan)
        inn.address = Address(coordinates: Coordinates(latitude: 35.68, longitude: 139.77))
        try await store.create(inn)
        // begin Maps-trip
        if let document = try store.document(of: japan) {
            let geography = TripGeography(document.contents)
            var geoJSON = GeoJSON()
            print(geoJSON.text(of: [geography]))
            print(GPX.text(of: [geography]))
            print("not on the map: \(geography.withoutCoordinates.map(\.name))")
        }
        // end
        let document = try #require(try store.document(of: japan))
        #expect(GPX.text(of: [TripGeography(document.contents)]).contains("lat=\"35.68\""))
        try await store.expectInvariants()
    }
}
