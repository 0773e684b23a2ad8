import TripStore

/// Decides what an event of another program is: a journey, a stay, or something to do.
///
/// The first of these counts: a word of CATEGORIES; a tag as TripIt writes them in descriptions, as `[Flight]`; a flight number with two
/// airports in the summary; a word of the summary that names a means of transport, then one that names a place to stay. All else is an
/// activity.
struct EventClassifier {
    let kind: ForeignItem.Kind
    private(set) var mode: TransportationMode?
    /// The number of the flight, as "TP 551".
    private(set) var number: String?
    /// The codes of the airports.
    private(set) var from: String?
    private(set) var to: String?

    private enum Meaning {
        case travel(TransportationMode)
        case stay, activity
    }

    private static let modes: [(TransportationMode, String)] = [
        (.plane, "flight flights flug vol vuelo voo volo airline plane"),
        (.train, "train trains rail zug bahn tren trem treno eurostar amtrak tgv"),
        (.boat, "ferry cruise boat fähre"), (.car, "rental mietwagen carrental rentalcar"),
        (.other, "bus coach shuttle transfer taxi transportation transport tram metro"),
    ]
    private static let stays =
        "hotel hostel motel lodging accommodation airbnb apartment apartments resort guesthouse guest-house pousada ryokan inn stay "
        + "checkin checkout check-in check-out pension bed-and-breakfast unterkunft alojamiento hébergement"
    private static let activities =
        "activity activities restaurant meeting tour concert theater theatre directions note"

    private static let meanings: [String: Meaning] = {
        var meanings: [String: Meaning] = [:]
        for (mode, words) in modes {
            for word in words.split(separator: " ") { meanings[String(word)] = .travel(mode) }
        }
        for word in stays.split(separator: " ") { meanings[String(word)] = .stay }
        for word in activities.split(separator: " ") { meanings[String(word)] = .activity }
        return meanings
    }()

    /// Of the summary and the description just the beginnings are looked at.
    init(summary: String, description: String, categories: [String]) {
        let words = Self.words(summary.prefix(300))
        let (from, to) = Self.airports(words) ?? (nil, nil)
        let number = Self.flightNumber(words)
        let isFlight = number != nil && from != nil
        let listed = categories.prefix(20).flatMap { Self.words($0.prefix(60)) }.map { $0.lowercased() }
        let tags = Self.tags(in: description.prefix(4_000))
        let named = words.map { $0.lowercased() }
        let meaning =
            listed.lazy.compactMap { Self.meanings[$0] }.first ?? tags.lazy.compactMap { Self.meanings[$0] }.first
            ?? (isFlight ? .travel(.plane) : Self.meaning(of: named)) ?? .activity
        switch meaning {
        case .travel(let mode):
            kind = .transportation
            self.mode = mode
            if mode == .plane { (self.number, self.from, self.to) = (number, from, to) }
        case .stay: kind = .lodging
        case .activity: kind = .activity
        }
    }

    /// Journeys before stays: "Transfer to the hotel".
    private static func meaning(of words: [String]) -> Meaning? {
        let found = words.compactMap { meanings[$0] }
        return found.first { if case .travel = $0 { true } else { false } }
            ?? found.first { if case .stay = $0 { true } else { false } }
    }

    /// Letters, digits and hyphens; of other signs none.
    private static func words(_ text: some StringProtocol) -> [String] {
        text.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "-") }).flatMap { word -> [String] in
            // A route as "LIS-FRA" is two words, "check-in" is one.
            let parts = word.split(whereSeparator: { $0 == "-" }).map { String($0) }
            return parts.count == 2 && parts.allSatisfy(\.isAirportCode) ? parts : [String(word)]
        }
    }

    /// The words between brackets, in lower case.
    private static func tags(in text: Substring) -> [String] {
        let parts: [Substring] = text.split(omittingEmptySubsequences: false) { $0 == "[" }
        return parts.dropFirst().compactMap { part in part.firstIndex(of: "]").map { part[..<$0].lowercased() } }
    }

    private static func airports(_ words: [String]) -> (String?, String?)? {
        for (index, word) in words.enumerated() where word.isAirportCode {
            let next = words.dropFirst(index + 1)
            guard let second = next.first else { return nil }
            if second.isAirportCode { return (word, second) }
            if ["to", "nach", "a", "à", "para"].contains(second.lowercased()), let third = next.dropFirst().first,
                third.isAirportCode
            {
                return (word, third)
            }
        }
        return nil
    }

    private static func flightNumber(_ words: [String]) -> String? {
        for (index, word) in words.enumerated() {
            let (airline, digits) = (word.prefix(2), word.dropFirst(2))
            guard airline.count == 2, airline.allSatisfy({ $0.isASCII && ($0.isUppercase || $0.isNumber) }),
                airline.contains(where: \.isUppercase)
            else { continue }
            let rest = digits.isEmpty ? words.dropFirst(index + 1).first ?? "" : String(digits)
            if 1...4 ~= rest.count, rest.allSatisfy({ $0.isASCII && $0.isNumber }) { return "\(airline) \(rest)" }
        }
        return nil
    }
}

extension StringProtocol {
    fileprivate var isAirportCode: Bool {
        utf8.count == 3 && utf8.allSatisfy { 0x41...0x5A ~= $0 }
    }
}

/// Finds the number of a booking in a description.
enum ConfirmationNumber {
    private static let keys = [
        "confirmation", "booking", "reservation", "record locator", "pnr", "buchung", "reservierung", "reserva",
        "localizador", "réservation",
    ]
    private static let longestLine = 500
    private static let mostLines = 200

    /// What follows a colon or a number sign on a line that begins with a word for a booking; nil if there is none.
    static func find(in description: String) -> String? {
        for line in description.split(whereSeparator: \.isNewline).prefix(mostLines) {
            let text = line.prefix(longestLine)
            guard let end = text.firstIndex(where: { $0 == ":" || $0 == "#" }) else { continue }
            let key = text[..<end].lowercased().trimmed
            guard key.count <= 40, key == "conf" || keys.contains(where: { key.hasPrefix($0) }) else { continue }
            let value = text[end...].drop { !($0.isLetter || $0.isNumber) }.prefix {
                $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-")
            }
            let isCode = value.contains(where: \.isNumber) || value.allSatisfy(\.isUppercase)
            if 3...24 ~= value.count, isCode { return String(value) }
        }
        return nil
    }
}
