import Testing

@testable import Trips

@Suite("Coordinates")
struct CoordinatesTests {
    @Test(
        "The poles, the date line and all between are places",
        arguments: [(0, 0), (90, 180), (-90, -180), (90, -180), (38.7, -9.1), (-0.0, 0)] as [(Double, Double)])
    func places(latitude: Double, longitude: Double) {
        #expect(Coordinates(latitude: latitude, longitude: longitude).isInRange)
    }

    @Test(
        "Beyond them there is no place, but the numbers are kept",
        arguments: [
            (90.0.nextUp, 0), ((-90.0).nextDown, 0), (0, 180.0.nextUp), (0, (-180.0).nextDown), (91, 181),
            (.nan, 0), (0, .nan), (.infinity, 0), (0, -.infinity),
        ] as [(Double, Double)])
    func nowhere(latitude: Double, longitude: Double) {
        let place = Coordinates(latitude: latitude, longitude: longitude)
        #expect(!place.isInRange)
        #expect(place.latitude.bitPattern == latitude.bitPattern)
        #expect(place.longitude.bitPattern == longitude.bitPattern)
    }

    @Test("They are equal if their bits are, so that what is no number equals itself and the two zeros differ")
    func equality() {
        let (zero, negativeZero) = (Coordinates(latitude: 0, longitude: 0), Coordinates(latitude: -0.0, longitude: 0))
        #expect(zero != negativeZero)
        #expect(zero != Coordinates(latitude: 0, longitude: -0.0))
        let (nan, other) = (Coordinates(latitude: .nan, longitude: 0), Coordinates(latitude: .nan, longitude: 0))
        #expect(nan == other)
        #expect(Set([nan, other, zero, negativeZero]).count == 3)
    }

    @Test("Parts unknown to this version distinguish two of them")
    func unknownParts() {
        var place = Coordinates(latitude: 1, longitude: 2)
        place.unknownFields = UnknownParts.bytes
        #expect(place != Coordinates(latitude: 1, longitude: 2))
    }
}
