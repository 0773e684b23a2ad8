/// A small export in which every kind of record occurs.
enum Sample {
    static let tripID = "7B3298AF-B482-5131-AE16-9EA38DFD2D6F"
    static let flightID = "7242EFBA-33B5-57F3-8F94-77BAC2D8E3F9"
    static let hotelID = "11111111-2222-3333-4444-555555555555"
    static let walkID = "AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEE"
    static let airlineID = "D6A0CF49-E21C-5FAA-87F3-AC26BB929490"

    static let flight = Tree.object([
        ("id", .text(flightID)), ("name", .text("UA1545 EWR to IAH")), ("type", .text("plane")),
        ("start", .text("2013-01-01T10:15:00Z")), ("end", .text("2013-01-01T14:19:00Z")),
        ("startTZId", .text("America/New_York")), ("endTZId", .text("America/Chicago")), ("cost", .raw("210.0")),
        ("paid", .text("infull")), ("confirmation", .text("UA1545")), ("notes", .text("1400 miles")),
        ("organizationId", .text(airlineID)),
    ])

    static let hotel = Tree.object([
        ("id", .text(hotelID)), ("name", .text("Hôtel 東京 😀")), ("start", .text("2013-01-01T20:00:00Z")),
        ("end", .text("2013-01-02T10:00:00Z")), ("cost", .raw("1.5e2")), ("reservation", .text("R-7")),
        ("organizationId", .text("")), ("customLocationName", .text("By the sea")), ("hideLocation", .raw("true")),
    ])

    static let walk = Tree.object([
        ("id", .text(walkID)), ("name", .text(#"A \"walk\" \u00e9\ud83d\ude00\n"#)),
        ("start", .text("2013-01-02T12:00:00.500+01:00")), ("end", .text("2013-01-02T13:00:00Z")),
        ("cost", .raw("null")),
    ])

    static let trip = Tree.object([
        ("id", .text(tripID)), ("name", .text("N14228 on 2013-01-01")), ("notes", .text("To IAH")),
        ("createdDate", .text("2012-12-01T12:00:00Z")), ("startDate", .text("2013-01-01T05:00:00Z")),
        ("endDate", .text("4001-01-01T00:00:00Z")), ("hasStartDate", .raw("true")), ("hasEndDate", .raw("false")),
        ("totalCost", .raw("360.0")), ("isProtected", .raw("true")), ("transportation", .list([.text(flightID)])),
        ("lodging", .list([.text(hotelID)])), ("activities", .list([.text(walkID)])),
        ("embeddedTransportation", .list([flight])), ("embeddedLodging", .list([hotel])),
        ("embeddedActivities", .list([walk])),
        ("somethingNew", .object([("deep", .list([.raw("1"), .raw("-0.5E+3"), .raw("false"), .object([])]))])),
    ])

    static let secondTrip = Tree.object([("id", .text("00000000-0000-0000-0000-000000000002"))])

    static let address = Tree.object([
        ("id", .text("00000000-0000-0000-0000-0000000000AD")), ("street", .text("1 Main St")),
        ("city", .text("Houston")),
        ("state", .text("TX")), ("country", .text("USA")), ("postalCode", .text("77001")), ("latitude", .raw("29.76")),
        ("longitude", .raw("-95.37")), ("formattedAddress", .text("1 Main St, Houston")),
    ])

    static let airline = Tree.object([
        ("id", .text(airlineID)), ("name", .text("United")), ("phone", .text("1")), ("email", .text("2")),
        ("website", .text("3")), ("logoURL", .text("4")), ("cachedLogoFilename", .text("5")), ("address", address),
    ])

    static let info = Tree.object([
        ("version", .text("1.0")), ("timestamp", .text("2013-12-31T00:00:00Z")), ("format", .text("json")),
        ("includesAttachments", .raw("true")),
    ])

    static let whole = Tree.object([
        ("exportInfo", info), ("trips", .list([trip, secondTrip])),
        ("organizations", .list([airline])),
        ("addresses", .list([address.with("latitude", .raw("0")).with("longitude", .raw("0.0"))])),
        ("attachments", .list([.object([("id", .text("x")), ("fileData", .text("aGVsbG8="))])])),
    ])

    /// The sample with other trips.
    static func with(trips: [Tree]) -> Tree { whole.with("trips", .list(trips)) }

    /// The sample with one trip that has one item.
    static func with(flight: Tree) -> Tree {
        with(trips: [trip.with("embeddedTransportation", .list([flight]))])
    }
}
