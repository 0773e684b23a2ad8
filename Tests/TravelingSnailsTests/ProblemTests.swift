import Testing

@testable import TravelingSnails

@Suite struct ProblemTests {
    @Test(arguments: [
        ("id", Tree?.none, "`id` is missing"), ("id", .raw("null"), "`id` is missing"),
        ("id", .text(""), "`id` is missing"),
        ("id", .text("7242EFBA-33B5-57F3-8F94"), "`id` is no UUID"),
        ("id", .raw("7"), "`id` must be a text, not a number"),
        ("name", .raw("[]"), "`name` must be a text, not a list"), ("start", nil, "`start` is missing"),
        ("end", nil, "`end` is missing"), ("start", .text("2013-02-30T00:00:00Z"), "`start` is no date"),
        ("end", .text("tomorrow"), "`end` is no date"), ("cost", .text("12"), "`cost` must be a number, not a text"),
        ("organizationId", .text("x"), "is no UUID"),
        ("hideLocation", .raw("1"), "`hideLocation` must be true or false, not a number"),
    ])
    func aBadItemIsLeftOutAndItsNeighboursAreKept(key: String, value: Tree?, reason: String) throws {
        let bad = Sample.flight.with(key, value)
        let good = Sample.flight.with("name", .text("good"))
        let trip = Sample.trip.with("embeddedTransportation", .list([good, bad, good]))
        let reading = try Reading(Sample.with(trips: [trip]))
        let read = try #require(reading.trips.first)
        #expect(read.items.map(\.kind) == [.transportation, .transportation, .lodging, .activity])
        #expect(reading.summary.itemCount == 4 && reading.summary.problems.isEmpty)
        try #require(read.problems.count == 1)
        #expect(read.problems[0].reason.contains(reason), "\(read.problems[0])")
        let isMissing = reason.hasSuffix("missing")
        #expect(read.problems[0].place.path == "trips[0].embeddedTransportation[1]" + (isMissing ? "" : ".\(key)"))
    }

    @Test func aProblemNamesTheLineAndTheValue() throws {
        let flight = Sample.flight.with("end", .text("2013-02-30T00:00:00Z"))
        let problem = try #require(try Reading(Sample.with(flight: flight)).trips.first?.problems.first)
        #expect(problem.place.line == 35)
        #expect(problem.reason.contains("\"2013-02-30T00:00:00Z\"; the transportation is left out."))
        #expect("\(problem)".hasPrefix("trips[0].embeddedTransportation[0].end (line 35): "))
    }

    @Test func severalFaultsOfARecordAreOneProblemOfTheRecord() throws {
        let flight = Sample.flight.with("end", .raw("1")).with("name", .raw("2"))
        let problems = try #require(try Reading(Sample.with(flight: flight)).trips.first?.problems)
        try #require(problems.count == 1)
        #expect(problems[0].place.path == "trips[0].embeddedTransportation[0]")
        #expect(problems[0].reason.contains("`end` must") && problems[0].reason.contains("`name` must"))
    }

    @Test(arguments: ["5", "null", "[]", "\"x\""]) func anItemThatIsNoObjectIsLeftOut(item: String) throws {
        let trip = try #require(try Reading(Sample.with(flight: .raw(item))).trips.first)
        #expect(trip.items.count == 2)
        #expect(trip.problems.first?.place.path == "trips[0].embeddedTransportation[0]")
    }

    @Test(arguments: [
        ("id", Tree?.none), ("id", .text("x")), ("name", .raw("{}")), ("startDate", .text("no")),
        ("hasEndDate", .text("no")),
        ("totalCost", .text("1")), ("embeddedLodging", .raw("{}")),
    ])
    func aBadTripIsLeftOutWithItsItemsAndItsNeighboursAreKept(key: String, value: Tree?) throws {
        let reading = try Reading(Sample.with(trips: [.raw("3"), Sample.trip.with(key, value), Sample.secondTrip]))
        #expect(reading.trips.map(\.place.path) == ["trips[2]"])
        #expect(reading.summary.tripCount == 1 && reading.summary.itemCount == 0)
        #expect(reading.summary.problems.count == 2)
        #expect(reading.summary.problems.last?.place.path.hasPrefix("trips[1]") == true)
        #expect(reading.summary.problems.last?.reason.hasSuffix("the trip is left out with its items.") == true)
    }

    @Test(arguments: ["\"not a date\"", "12", "\"0001-01-01T00:00:00Z\"", "null"])
    func theDateBesideAFalseFlagIsIgnoredWhereverTheFlagStands(date: String) throws {
        for order in [["hasStartDate", "startDate"], ["startDate", "hasStartDate"]] {
            let members = order.map { ($0, Tree.raw($0 == "startDate" ? date : "false")) }
            let trip = Tree.object([("id", .text(Sample.tripID))] + members)
            let reading = try Reading(Sample.with(trips: [trip]))
            #expect(reading.trips.count == 1 && reading.trips.first?.startDate == nil)
        }
    }

    @Test func aListedIDWithoutAnObjectIsNamed() throws {
        let other = "99999999-2222-3333-4444-555555555555"
        let listed = Tree.list([.text(Sample.flightID), .text(other), .raw("8"), .text("short")])
        let trip = try #require(
            try Reading(Sample.with(trips: [Sample.trip.with("transportation", listed)])).trips.first)
        #expect(trip.items.count == 3 && trip.problems.count == 3)
        let missing = try #require(trip.problems.first { $0.reason.contains(other) })
        #expect(missing.place.path == "trips[0].transportation[1]" && missing.place.line == 22)
        #expect(trip.problems.contains { $0.place.path == "trips[0].transportation[2]" })
        #expect(trip.problems.contains { $0.reason.contains("\"short\"") })
    }

    @Test func aListedIDWhoseObjectIsBadIsNotReportedTwice() throws {
        let trip = try #require(try Reading(Sample.with(flight: Sample.flight.with("end", nil))).trips.first)
        #expect(trip.problems.count == 1)
    }

    @Test func badOrganizationsAndAddressesAreLeftOut() throws {
        let addresses: [Tree] = [
            Sample.address.with("latitude", .raw("91")), Sample.address.with("longitude", nil), Sample.address,
            .raw("1"),
            Sample.address.with("id", .text("?")), Sample.address.with("longitude", .raw("1e999")),
        ]
        let organizations: [Tree] = [
            Sample.airline.with("id", nil), Sample.airline.with("address", addresses[0]), Sample.airline,
            Sample.airline.with("address", .raw("null")), Sample.airline.with("address", .raw("7")),
        ]
        let tree = Sample.whole.with("addresses", .list(addresses)).with("organizations", .list(organizations))
        let summary = try Reading(tree).summary
        #expect(summary.addresses.map(\.place.path) == ["addresses[2]"])
        #expect(summary.organizations.map { $0.address != nil } == [false, true, false, false])
        let paths = summary.problems.map(\.place.path)
        #expect(
            paths == [
                "organizations[0]", "organizations[1].address.latitude", "organizations[4].address",
                "addresses[0].latitude", "addresses[1]", "addresses[3]", "addresses[4].id", "addresses[5].longitude",
            ])
    }

    @Test(arguments: ["organizations", "addresses", "attachments"]) func aListThatIsNoneIsAProblem(key: String) throws {
        let reading = try Reading(Sample.whole.with(key, .raw("\"x\"")))
        #expect(reading.trips.count == 2)
        #expect(reading.summary.problems.map(\.place.path) == [key])
        #expect(try Reading(Sample.whole.with(key, nil)).summary.problems.isEmpty)
    }
}
