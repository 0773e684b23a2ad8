import Foundation
import TripStore

/// A reservation of schema.org that an event carries: as JSON-LD in a property, in an attachment or in HTML, or by its type alone.
struct ReservationMarkup {
    private(set) var meaning: KindWords.Meaning
    private(set) var number = ""
    private(set) var carrier = ""
    private(set) var seat = ""
    private(set) var confirmation = ""
    private(set) var departure = TravelPlace()
    private(set) var arrival = TravelPlace()

    private static let longest = 1 << 18
    private static let types: [String: KindWords.Meaning] = [
        "FlightReservation": .travel(.plane), "Flight": .travel(.plane), "TrainReservation": .travel(.train),
        "TrainTrip": .travel(.train), "BusReservation": .travel(.other), "BusTrip": .travel(.other),
        "BoatReservation": .travel(.boat), "BoatTrip": .travel(.boat), "RentalCarReservation": .travel(.car),
        "TaxiReservation": .travel(.car), "LodgingReservation": .stay, "FoodEstablishmentReservation": .activity,
        "EventReservation": .activity, "TouristAttractionVisit": .activity,
    ]

    /// Nil if the event carries none.
    init?(_ event: CalendarComponent) {
        let texts = event.properties.filter(Self.mayHold).flatMap(Self.texts)
        if let found = texts.lazy.flatMap(Self.scripts).compactMap({ ReservationMarkup(json: $0) }).first {
            self = found
            return
        }
        // Microdata, or JSON-LD that does not read.
        let names = texts.lazy.flatMap {
            $0.components(separatedBy: "schema.org/").dropFirst().map { $0.prefix(while: \.isLetter) }
        }
        guard let meaning = names.compactMap({ Self.types[String($0)] }).first else { return nil }
        self.init(meaning)
    }

    private init(_ meaning: KindWords.Meaning) { self.meaning = meaning }

    private static func mayHold(_ property: CalendarProperty) -> Bool {
        guard property.value.utf8.count <= longest else { return false }
        if property.name == "ATTACH" || property.isInline {
            let type = property.parameter("FMTTYPE") ?? String(property.value.prefix(60))
            return ["json", "html"].contains { type.lowercased().contains($0) }
        }
        return (property.name == "DESCRIPTION" || property.name.contains("-")) && property.value.contains("schema.org")
    }

    /// The text of a property, or the bytes of an attachment.
    private static func texts(of property: CalendarProperty) -> [String] {
        guard property.name == "ATTACH" || property.isInline else { return [property.text] }
        let encoded = property.value.split(separator: ",").last.map(String.init) ?? ""
        return [
            Data(base64Encoded: encoded).map { String(decoding: $0, as: UTF8.self) }
                ?? encoded.removingPercentEncoding ?? ""
        ]
    }

    /// The JSON of a text: all of it, or the scripts in HTML.
    private static func scripts(in text: String) -> [String] {
        let trimmed = text.trimmed
        if trimmed.hasPrefix("{") || trimmed.hasPrefix("[") { return [trimmed] }
        return text.components(separatedBy: "application/ld+json").dropFirst().compactMap { part in
            guard let start = part.firstIndex(of: ">"), let end = part.range(of: "</script") else { return nil }
            return start < end.lowerBound ? String(part[part.index(after: start)..<end.lowerBound]) : nil
        }
    }

    private init?(json: String) {
        guard let document = try? PlacedJSON(parsing: Array(json.utf8)[...], code: .malformed) else { return nil }
        let values = document.list ?? document["@graph"]?.list ?? [document]
        for value in values {
            guard let type = value.type, let meaning = Self.types[type] else { continue }
            self.init(meaning)
            read(value)
            return
        }
        return nil
    }

    private mutating func read(_ value: PlacedJSON) {
        confirmation = (value["reservationNumber"] ?? value["reservationId"])?.words ?? ""
        let trip = value["reservationFor"] ?? value
        let provider = trip["airline"] ?? trip["provider"] ?? trip["rentalCompany"] ?? value["provider"]
        carrier = provider?["name"]?.words ?? ""
        let code = trip["airline"]?["iataCode"]?.words ?? ""
        let name = (trip["flightNumber"] ?? trip["trainNumber"] ?? trip["busNumber"])?.words ?? ""
        let prefix = code.isEmpty ? trip["trainName"]?.words ?? "" : code
        number = name.isEmpty || prefix.isEmpty || name.hasPrefix(prefix) ? name : "\(prefix) \(name)"
        seat = (value["reservedTicket"]?["ticketedSeat"]?["seatNumber"] ?? value["airplaneSeat"])?.words ?? ""
        departure = Self.place(
            trip["departureAirport"] ?? trip["departureStation"] ?? trip["departureBusStop"] ?? trip[
                "departureBoatTerminal"]
                ?? value["pickupLocation"])
        arrival = Self.place(
            trip["arrivalAirport"] ?? trip["arrivalStation"] ?? trip["arrivalBusStop"] ?? trip["arrivalBoatTerminal"]
                ?? value["dropoffLocation"])
    }

    private static func place(_ value: PlacedJSON?) -> TravelPlace {
        TravelPlace(name: value?["name"]?.words ?? "", code: value?["iataCode"]?.words ?? "")
    }
}

extension PlacedJSON {
    fileprivate subscript(name: String) -> PlacedJSON? {
        (object ?? list?.first?.object)?.first { $0.name == name }?.value
    }

    /// The last part of its type, as of "http://schema.org/FlightReservation".
    fileprivate var type: String? {
        (self["@type"]?.list?.first ?? self["@type"])?.text.map { String($0.split(separator: "/").last ?? "") }
    }

    /// A text or a number in one line.
    fileprivate var words: String? {
        if case .number(let digits) = value { return digits }
        return text.map { $0.prefix(200).trimmed }
    }
}
