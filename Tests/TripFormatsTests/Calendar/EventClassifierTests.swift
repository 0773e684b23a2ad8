import Foundation
import Testing
import TripStore

@testable import TripFormats

@Suite("Kinds of events")
struct EventClassifierTests {
    private static func classify(
        _ summary: String, _ description: String = "", timed: Bool = true, zones: Bool = false, days: Int = 0,
        source: String = ""
    ) -> EventClassifier {
        EventClassifier(
            summary: summary,
            EventClassifier.Context(
                description: description, source: source, isTimed: timed && days == 0, hasTwoZones: zones, days: days))
    }

    @Test(
        "Something to do stays an activity, whatever means of transport or place to stay its name has",
        arguments: [
            "Dinner at Hotel Sacher", "Train museum", "Stay hydrated walk", "Tour the Holiday Inn museum",
            "Vol de nuit (opera)", "Bus tour of Rome", "Meeting about the train", "Museum", "Innsbruck tour",
            "B2 204 budget", "Hotel bar drinks", "Hotel Sacher breakfast", "Walk from the hotel to the beach",
            "Hike: Portree → Sligachan", "Tag der offenen Tür", "Parking lot", "Open from Monday to Friday", "夕食", "",
        ])
    func activities(summary: String) {
        let found = Self.classify(summary)
        #expect(found.kind == .activity && found.doubt == nil, "\(found)")
    }

    @Test(
        "Words for a means of transport make a journey where they leave no doubt, in several languages",
        arguments: [
            ("Flight to the conference", TransportationMode.plane), ("Transfer to the hotel", .other),
            ("Airport transfer", .other), ("Night train", .train), ("ICE 577", .train), ("Zug nach Essen", .train),
            ("Tåg till Malmö", .train), ("Pociąg do Krakowa", .train), ("Trem para São Paulo", .train),
            ("Trein naar Utrecht", .train), ("Treno per Roma", .train), ("Tren a Sevilla", .train),
            ("Train à Paris", .train), ("Fähre nach Bornholm", .boat), ("Overnight bus to Hanoi", .other),
            ("Mietwagen Abholung", .car), ("Alquiler de coche", .car), ("Location de voiture", .car),
            ("Car hire Faro", .car), ("Mietwagen Sixt Abholung", .car), ("Noleggio auto Avis", .car),
            ("Eurostar 9014", .train), ("✈️ LIS → OPO", .plane), ("🚌 Porto", .other), ("新幹線", .train),
            ("Tram 28", .other),
        ])
    func journeys(summary: String, mode: TransportationMode) {
        let found = Self.classify(summary)
        #expect(found.kind == .transportation && found.mode == mode && found.doubt == nil, "\(found)")
    }

    @Test(
        "Words for a place to stay make a stay where they are what it is about, in several languages",
        arguments: [
            "Hôtel du Nord", "Booking.com: Casa Maria", "Camping Les Pins", "Check-in: Casa do Bairro", "Hotel Mundial",
            "Stay at Hotel am Hof", "Check in at the inn", "B&B Aurora", "Bed and Breakfast Aurora",
            "Ferienwohnung Müller", "Novotel Wien Hauptbahnhof", "🏨 Sol", "Gîte rural", "Albergo Roma", "Nocleg Gdańsk",
            "Vacation rental Miami", "ホテル京都",
        ])
    func stays(summary: String) {
        let found = Self.classify(summary)
        #expect(found.kind == .lodging && found.doubt == nil, "\(found)")
    }

    @Test(
        "What may be a journey or a stay, and does not say so for sure, is an activity that says so",
        arguments: [
            ("Reserved", true, "a stay"), ("Réservé", false, "a stay"), ("Pool at the hotel", true, "a stay"),
            ("Taxi Driver", true, "a journey"), ("Plane spotting", true, "a journey"),
            ("Sitges → Barcelona", false, "a journey"), ("From Vienna to Brno", true, "a journey"),
        ])
    func doubts(summary: String, isTimed: Bool, what: String) {
        let found = Self.classify(summary, timed: isTimed)
        #expect(found.kind == .activity && found.doubt?.contains("may be \(what)") == true, "\(found)")
    }

    @Test(
        "Two places make a journey from one to the other",
        arguments: [
            ("Warszawa Centralna -> Luxembourg", "platform 5 (EC 1197)", "Warszawa Centralna", "Luxembourg"),
            ("Lisboa → Porto", "Gleis 7", "Lisboa", "Porto"),
            ("Journey Details: Leeds (LDS) to York (YRK)", "Mode of Transport: Train", "Leeds", "York"),
            ("#55: From Vienna, Hbf, to Brno, seat: 1/42", "", "Vienna, Hbf", "Brno"),
            ("Nachtzug Wien - Rom", "", "Wien", "Rom"),
            ("Train 5186 from Nîmes Gare to Lyon Part-Dieu", "", "Nîmes Gare", "Lyon Part-Dieu"),
            ("Von Berlin nach Wien", "Wagen 7, Sitz 32", "Berlin", "Wien"),
            ("De Lyon à Paris", "Voiture 7", "Lyon", "Paris"), ("Da Milano a Roma", "Carrozza 4", "Milano", "Roma"),
            ("新幹線 東京 → 大阪", "", "東京", "大阪"),
        ])
    func trains(summary: String, description: String, from: String, to: String) {
        let found = Self.classify(summary, description)
        #expect(found.kind == .transportation && found.mode == .train, "\(found)")
        #expect(found.departure.name == from && found.arrival.name == to)
    }

    @Test(
        "The name of a place has neither the number of a flight or a train nor what stands before it",
        arguments: [
            ("LH 1710 München - Lissabon, Flug", "München", "LH 1710"), ("AF1234 Paris → Nice", "Paris", nil),
            ("Flug U2 4567 Wien -> Rom", "Wien", "U2 4567"), ("ICE 577 Köln Hbf -> Berlin Hbf", "Köln Hbf", "ICE 577"),
            ("TGV 6789 Paris Gare de Lyon - Marseille", "Paris Gare de Lyon", "TGV 6789"),
            ("Shinkansen Nozomi 15 Tokyo to Kyoto", "Tokyo", nil), ("Zug 5 Türme -> Ulm", "Türme", nil),
            ("KL 0641 Amsterdam (AMS) - New York (JFK)", "Amsterdam", "KL 0641"),
            ("Depart: Lisbon (LIS) - Arrive: Porto (OPO)", "Lisbon", nil),
            ("Ryanair flight FR 1234: Dublin - Lisbon", "Dublin", "FR 1234"),
            ("FlixBus N45: Berlin ZOB - Praha Florenc", "Berlin ZOB", nil),
            ("easyJet EZY8001 London Gatwick to Lisbon", "London Gatwick", nil),
            ("Train TGV INOUI 6607 - PARIS GARE DE LYON / LYON PART DIEU", "PARIS GARE DE LYON", nil),
        ])
    func numbered(summary: String, from: String, number: String?) {
        let found = Self.classify(summary)
        #expect(found.kind == .transportation && found.departure.name == from, "\(found)")
        if let number { #expect(found.number == number, "\(found)") }
    }

    @Test(
        "Two places with a dash are a journey where the description names a train, and a number in brackets is no place"
    )
    func dashes() {
        let train = Self.classify("Zürich HB - Milano Centrale", "EC 317 Gleis 9")
        #expect(train.mode == .train && train.arrival.name == "Milano Centrale", "\(train)")
        let fast = Self.classify("Milano Centrale - Roma Termini (Frecciarossa 9515)")
        #expect(fast.mode == .train && fast.arrival.name == "Roma Termini", "\(fast)")
        let flight = Self.classify("KL 0641 Amsterdam (AMS) - New York (JFK)")
        #expect(flight.mode == .plane && flight.arrival.code == "JFK" && flight.arrival.name == "New York")
        for (summary, description) in [
            ("Anna - Bob", "at the office"), ("Anna - Bob", "Caffè, Via 25 Aprile 3"), ("Anna - Bob", "at the airport"),
            ("Planning - Roadmap", "Discuss the new platform"), ("Benfica - Porto", "Gate 12"),
            ("Swimming - Level B", "Coach: Carla"),
        ] {
            #expect(Self.classify(summary, description).kind == .activity, "\(summary)")
        }
        #expect(Self.classify("Hotel am Hof - Wien", "near the Hauptbahnhof").kind == .lodging)
    }

    @Test("Codes of places are codes, and a flight has its number")
    func codes() {
        let leeds = Self.classify("Journey Details: Leeds (LDS) to York (YRK)")
        #expect(leeds.departure.code == "LDS" && leeds.arrival.code == "YRK")
        let train = Self.classify("Your train from ZMB to FRA")
        #expect(train.mode == .train && train.departure == TravelPlace(code: "ZMB"))
        let flight = Self.classify("UA123 SFO to LAX")
        #expect(flight.mode == .plane && flight.number == "UA 123" && flight.arrival.code == "LAX")
        let united = Self.classify("United Airlines 837 San Francisco to Tokyo")
        #expect(united.mode == .plane && united.number == "837" && united.arrival.name == "Tokyo")
    }

    @Test("The program that wrote a calendar tells journeys and rooms by its PRODID and its UIDs")
    func issuers() {
        #expect(Self.classify("Rovereto -> Randa", source: "2022@hafas http://www.hacon.de").mode == .train)
        let night = Self.classify("Reserved", days: 3, source: "1418fb94e984@airbnb.com -//Airbnb Inc//EN")
        #expect(night.kind == .lodging && night.doubt == nil)
        #expect(Self.classify("Cleaning party", days: 1, source: "1@airbnb.com").kind == .activity)
        // A feed of bookings has journeys too.
        let train = Self.classify("Train to Porto", days: 1, source: "1@booking.example")
        #expect(train.kind == .transportation && train.mode == .train)
        #expect(Self.classify("Casa Maria", days: 2, source: "1@booking.example").kind == .lodging)
    }

    @Test(
        "A tag at the beginning of a line says the kind, and brackets elsewhere and links do not",
        arguments: [
            ("[Flight] TP 555", ForeignItem.Kind.transportation), ("Notes\n  [Hotel] Casa", .lodging),
            ("see [Hotel](https://h.example)", .activity), ("[Hotel](https://h.example)", .activity),
            ("by the [Train] or on foot", .activity),
        ])
    func tags(description: String, kind: ForeignItem.Kind) {
        #expect(Self.classify("Picnic", description).kind == kind)
    }

    private static func item(_ lines: String) throws -> ForeignItem {
        let bytes = CalendarSample.calendar(
            "BEGIN:VEVENT\nUID:1@test\nDTSTART:20270501T090000Z\nDTEND:20270501T120000Z\n\(lines)\nEND:VEVENT")
        return try #require(try CalendarItems(reading: bytes, zone: "UTC").entries.first?.item)
    }

    private static let train = """
        {"@context":"http://schema.org","@type":"TrainReservation","reservationNumber":"XXX007","reservationFor":\
        {"@type":"TrainTrip","trainName":"TGV","trainNumber":"5186","provider":{"name":"SNCF"},"departureStation":\
        {"name":"Nîmes Gare"},"arrivalStation":{"name":"Lyon Part-Dieu"}},"reservedTicket":{"ticketedSeat":\
        {"seatNumber":"62"}}}
        """

    @Test(
        "A reservation of schema.org says what an event is, in whatever property it is",
        arguments: [
            "X-KDE-KITINERARY-RESERVATION:[\(escaped(train))]",
            "STRUCTURED-DATA;FMTTYPE=application/ld+json:\(escaped(train))",
            "DESCRIPTION:\(escaped(train))",
            "X-ALT-DESC;FMTTYPE=text/html:<p>Hi</p><script type=\"application/ld+json\">\(escaped(train))</script>",
            "ATTACH;FMTTYPE=application/ld+json;ENCODING=BASE64;VALUE=BINARY:\(Array(train.utf8).base64)",
        ])
    func markup(line: String) throws {
        let item = try Self.item("SUMMARY:Dinner\n\(line)")
        #expect(item.kind == .transportation && item.mode == .train && item.number == "TGV 5186")
        #expect(item.carrier == "SNCF" && item.seat == "62" && item.reservation == "XXX007")
        #expect(item.departure?.name == "Nîmes Gare" && item.arrival?.name == "Lyon Part-Dieu")
    }

    @Test(
        "Each kind of reservation has its kind of item",
        arguments: [
            ("FlightReservation", ForeignItem.Kind.transportation, TransportationMode.plane as TransportationMode?),
            ("BusReservation", .transportation, .other), ("BoatReservation", .transportation, .boat),
            ("RentalCarReservation", .transportation, .car), ("LodgingReservation", .lodging, nil),
            ("FoodEstablishmentReservation", .activity, nil), ("EventReservation", .activity, nil),
        ])
    func reservations(type: String, kind: ForeignItem.Kind, mode: TransportationMode?) throws {
        let json = "{\"@context\":\"http://schema.org\"\\,\"@type\":\"\(type)\"}"
        #expect(try Self.item("SUMMARY:Hotel flight\nX-DATA:\(json)").kind == kind)
        let microdata = "<div itemscope itemtype=\"http://schema.org/\(type)\"></div>"
        let item = try Self.item("SUMMARY:x\nX-ALT-DESC;FMTTYPE=text/html:\(microdata)")
        #expect(item.kind == kind && item.mode == mode)
    }

    @Test(
        "Markup that cannot be read is no reservation", arguments: ["{", "[1", "{\"@type\":5}", "[]", "{\"@type\":[]}"])
    func badMarkup(json: String) throws {
        #expect(try Self.item("SUMMARY:Museum\nDESCRIPTION:\(json)").kind == .activity)
    }

    @Test("What is unsure is warned of with its line, once for all of a kind")
    func warnings() throws {
        let events = (1...3).map {
            "BEGIN:VEVENT\nUID:\($0)@test\nSUMMARY:Reserved\nDTSTART;VALUE=DATE:2027050\($0)\nEND:VEVENT"
        }
        let calendar = try CalendarItems(
            reading: CalendarSample.calendar(events.joined(separator: "\n")), zone: "UTC")
        #expect(
            calendar.warnings.texts == [
                "line 3: an event may be a stay, and is taken for an activity: change its kind to lodging if it is (3 times)"
            ])
    }

    private static func escaped(_ text: String) -> String { text.replacing(",", with: "\\,") }
}

extension [UInt8] {
    fileprivate var base64: String { Data(self).base64EncodedString() }
}
