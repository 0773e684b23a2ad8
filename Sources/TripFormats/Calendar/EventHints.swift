import TripStore

/// Signs of a journey or a stay in the description of an event, and in the name of the program that wrote it.
struct EventHints {
    /// By what one travels; nil if nothing says it.
    private(set) var mode: TransportationMode?
    /// Whether something is of a journey alone, as a platform or a seat.
    private(set) var isJourney = false
    /// Whether the calendar is a feed of rooms.
    private(set) var isOfRooms = false
    private var hasTrainNumber = false

    private static let words: [(TransportationMode?, String)] = [
        (
            .train,
            """
            platform platf gleis quai voie binario carrozza anden via plataforma spoor perron spar peron kolej nastupiste wagen coach carriage \
            voiture vagn hbf bhf hauptbahnhof bahnhof gare centraal centralna nadrazi stazione railway ec ic ice rj rjx nj en tgv ter tlk eic
            """
        ),
        (
            .plane,
            "gate boarding airport flughafen aeroport aeropuerto aeroporto luchthaven flygplats lotnisko flight flug vol vuelo volo voo"
        ), (.boat, "pier hafen cabin kabine deck ferry fahre traghetto"),
        (nil, "seat seats sitz sitzplatz siege asiento assento stoel miejsce abfahrt"),
    ]
    private static let issuers: [(TransportationMode, String)] = [
        (
            .train,
            """
            hafas hacon bahn ojp nationalrail trainline sncf renfe trenitalia italotreno oebb sbb eurostar amtrak regiojet thalys viarail \
            railplanner
            """
        ), (.plane, "lufthansa swiss ryanair easyjet klm airfrance britishairways iberia vueling wizzair delta united"),
        (.boat, "directferries stenaline brittanyferries tallink"),
        (.other, "flixbus blablabus greyhound nationalexpress"),
    ]
    private static let rooms: Set<String> = [
        "airbnb", "vrbo", "homeaway", "booking", "hostelworld", "agoda", "smoobu", "lodgify",
    ]

    private static let modes: [String: TransportationMode?] = {
        var modes: [String: TransportationMode?] = [:]
        for (mode, texts) in words {
            for word in texts.split(separator: " ") { modes[String(word)] = .some(mode) }
        }
        return modes
    }()
    private static let issuing: [String: TransportationMode] = {
        var modes: [String: TransportationMode] = [:]
        for (mode, names) in issuers {
            for name in names.split(separator: " ") { modes[String(name)] = mode }
        }
        return modes
    }()

    private let issuer: TransportationMode?

    /// - Parameter source: the UID of the event and the PRODID of its calendar.
    init(source: String) {
        let names = Self.split(source)
        isOfRooms = names.contains { Self.rooms.contains($0) }
        issuer = names.lazy.compactMap { Self.issuing[$0] }.first
    }

    /// Reads the summary, the place and the description.
    mutating func read(_ texts: [String]) {
        for text in texts { read(text) }
        if let issuer { note(issuer) }
    }

    /// Whether a text names a train or a track by its number, as "EC 317" or "Gleis 9".
    static func nameTrain(in text: String) -> Bool {
        var hints = EventHints(source: "")
        hints.read(text)
        return hints.hasTrainNumber
    }

    private static func split(_ text: some StringProtocol) -> [String] {
        KindWords.folded(text).split { !($0.isLetter || $0.isNumber) }.map { String($0) }
    }

    private mutating func read(_ text: String) {
        for line in text.prefix(4_000).split(whereSeparator: \.isNewline) {
            // "Mode of Transport: Train", "Zug: EC 1197".
            let parts = line.split(separator: ":", maxSplits: 1).map { Self.split($0) }
            if parts.count == 2, parts[0].count <= 4 {
                for word in parts[1].prefix(1) + parts[0] {
                    if case .travel(let found)? = KindWords.meaning(of: word) { note(found) }
                }
            }
            let words = Self.split(line)
            for (index, word) in words.enumerated() {
                guard let found = Self.modes[word] else { continue }
                // "en" and "via" are words of some languages, "EN 421" is a train.
                let next = index + 1 < words.count ? words[index + 1] : ""
                let isNumbered = next.first?.isNumber == true
                // "Via 25 Aprile" is a street.
                if isNumbered, found == .train, word != "via" { hasTrainNumber = true }
                if word.utf8.count > 3 || isNumbered || ["hbf", "bhf"].contains(word) { note(found) }
            }
        }
    }

    private mutating func note(_ found: TransportationMode?) {
        isJourney = true
        mode = mode ?? found
    }
}
