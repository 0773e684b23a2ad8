import Events
import Testing

@testable import Trips

@Suite("Rules of items")
struct ItemRulesTests {
    private static let trip = Trip.ID(Samples.otherUUID)

    /// Expects that an item with one part changed is refused for that part, and only for it.
    private func expectRefusal(
        _ code: ValidationError.Code, _ property: PartialKeyPath<Lodging>, naming value: String = "",
        advising advice: String,
        sourceLocation: SourceLocation = #_sourceLocation, _ change: (inout Lodging) -> Void
    ) {
        var item = Samples.lodging
        change(&item)
        let field = Lodging.schema.number(of: property).flatMap(Lodging.fieldName)
        for properties in [Lodging.schema.properties, [property]] {
            let error = TripsTests.expectRefusal(
                code, naming: value, advising: advice, sourceLocation: sourceLocation
            ) { try item.validate(changing: properties) }
            #expect(error?.field == field, sourceLocation: sourceLocation)
            #expect(error?.entity == item.reference, sourceLocation: sourceLocation)
        }
        #expect(throws: Never.self, sourceLocation: sourceLocation) {
            try item.validate(changing: Lodging.schema.properties.filter { $0 != property })
        }
    }

    @Test("An item of which every part has a value meets all rules, and so does one with but a name and a trip")
    func good() throws {
        try Samples.activity.validate()
        try Samples.lodging.validate()
        try Samples.transportation.validate()
        try Activity(name: "x", in: Self.trip).validate()
    }

    @Test("An item names its trip")
    func trips() {
        expectRefusal(.missingParent, \.trip, advising: "Name one") { $0.trip = nil }
    }

    @Test("Its texts may have 1 MiB and not a byte more")
    func texts() throws {
        let longest = String(repeating: "x", count: 1 << 20)
        var item = Samples.lodging
        (item.name, item.reservation, item.notes, item.customLocationName) = (longest, longest, longest, longest)
        try item.validate()
        let long = longest + "x"
        expectRefusal(.tooLong, \.name, naming: "1048577", advising: "Shorten it") { $0.name = long }
        expectRefusal(.tooLong, \.reservation, naming: "1048577", advising: "Shorten it") { $0.reservation = long }
        expectRefusal(.tooLong, \.notes, naming: "1048577", advising: "Shorten it") { $0.notes = long }
        expectRefusal(.tooLong, \.customLocationName, naming: "1048577", advising: "Shorten it") {
            $0.customLocationName = long
        }
    }

    @Test("So may the parts of its address")
    func addresses() throws {
        let longest = String(repeating: "x", count: 1 << 20)
        for path in [\Address.street, \.city, \.state, \.country, \.postalCode, \.formatted] {
            var address = Address()
            address[keyPath: path] = longest
            try Lodging(name: "x", in: Self.trip, address: address).validate()
            address[keyPath: path] += "x"
            expectRefusal(.tooLong, \.address, naming: "1048577", advising: "Shorten it") { $0.address = address }
        }
    }

    @Test("Its ends are in the years 1 to 9999, in zones that are known")
    func ends() throws {
        let range = Moment.representable
        try Lodging(
            name: "x", in: Self.trip, from: Moment(milliseconds: range.lowerBound, zone: "UTC"),
            until: Moment(milliseconds: range.upperBound, zone: "UTC")
        ).validate()
        for (milliseconds, isStart) in [(range.lowerBound - 1, true), (.min, true), (range.upperBound + 1, false)] {
            let moment = Moment(milliseconds: milliseconds, zone: "UTC")
            expectRefusal(
                .dateOutOfRange, isStart ? \.start : \.end, naming: "\(milliseconds) ms", advising: "Check its unit"
            ) { if isStart { $0.start = moment } else { $0.end = moment } }
        }
        expectRefusal(.unknownTimeZone, \.start, naming: "Mars/Olympus", advising: "Use an IANA name") {
            $0.start?.zone = "Mars/Olympus"
        }
        expectRefusal(.unknownTimeZone, \.end, naming: "\"\"", advising: "Use an IANA name") { $0.end?.zone = "" }
    }

    @Test("It ends no earlier than it starts, in real time")
    func order() throws {
        var item = Samples.lodging
        item.end?.milliseconds = Samples.morning.milliseconds
        try item.validate()
        item.end?.milliseconds -= 1
        for (property, name) in [(\Lodging.start, "start"), (\Lodging.end, "end")] {
            let error = TripsTests.expectRefusal(
                .endBeforeStart, naming: "end 2027-05-01T10:29:59.999+02:00 Europe/Madrid",
                "start 2027-05-01T09:30:00+01:00 Europe/Lisbon", advising: "change both at once"
            ) { try item.validate(changing: [property]) }
            #expect(error?.field == name)
        }
        item.start = nil
        try item.validate()
    }

    @Test("Its cost is in a currency that is known, and may be nothing or a refund", arguments: [0, -310, Int64.min])
    func costs(minorUnits: Int64) throws {
        var item = Samples.lodging
        item.cost = Money(minorUnits: minorUnits, "JPY")
        try item.validate()
        expectRefusal(.unknownCurrency, \.cost, naming: "\"eur\"", advising: "Use a code of three letters") {
            $0.cost = Money(minorUnits: minorUnits, "eur")
        }
    }

    @Test(
        "Its place is on the globe",
        arguments: [(90.5, 0), (-90.5, 0), (0, 180.5), (0, -180.5), (.nan, 0), (0, .infinity)] as [(Double, Double)])
    func places(latitude: Double, longitude: Double) {
        expectRefusal(
            .invalidCoordinates, \.address, naming: "Latitude \(latitude) and longitude \(longitude)",
            advising: "leave the coordinates out"
        ) { $0.address?.coordinates = Coordinates(latitude: latitude, longitude: longitude) }
    }

    @Test("Choices of later versions are no error")
    func laterChoices() throws {
        var item = Samples.transportation
        item.paid = PaidStatus(rawValue: 77)
        item.mode = TransportationMode(rawValue: 78)
        try item.validate()
    }
}
