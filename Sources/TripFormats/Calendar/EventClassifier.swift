import TripStore

/// Decides what an event of another program is: a journey, a stay, or something to do.
///
/// The first of these counts:
/// - a reservation of schema.org that it carries,
/// - a word of CATEGORIES, or a tag as TripIt writes them in descriptions, as `[Flight]`,
/// - a flight number with two airports in the summary,
/// - the nights of a feed of rooms,
/// - two places with an arrow, codes or words between them,
/// - a word of the summary that leaves no doubt.
///
/// All else is an activity, and `doubt` says what it may be.
struct EventClassifier {
    let kind: ForeignItem.Kind
    private(set) var mode: TransportationMode?
    /// The number of the flight, as "TP 551".
    private(set) var number: String?
    private(set) var departure = TravelPlace()
    private(set) var arrival = TravelPlace()
    // Only a reservation of schema.org says these.
    private(set) var carrier = ""
    private(set) var seat = ""
    private(set) var confirmation = ""
    /// Why it may be of another kind, for people; nil if nothing says so.
    private(set) var doubt: String?

    /// The facts of an event beside its summary.
    struct Context {
        var description = ""
        var location = ""
        var categories: [String] = []
        /// Its UID and the PRODID of its calendar.
        var source = ""
        /// Whether it has a time at which it begins and one at which it ends.
        var isTimed = false
        /// Whether these are in two zones.
        var hasTwoZones = false
        /// The number of whole days that it takes; 0 for times.
        var days = 0
    }

    init(
        _ event: CalendarComponent, _ span: EventSpan, summary: String, description: String, source: String
    ) {
        let ends = [span.start, span.end].compactMap { $0 }
        let context = Context(
            description: description,
            location: event.property("LOCATION")?.text.trimmed ?? "",
            categories: event.properties("CATEGORIES").flatMap(\.texts),
            source: "\(event.property("UID")?.text ?? "") \(source)", isTimed: ends.count == 2,
            hasTwoZones: ends.count == 2 && ends[0].zone != ends[1].zone,
            days: span.days.map { $0.lowerBound.distance(to: $0.upperBound) + 1 } ?? 0)
        self.init(summary: summary, context, markup: ReservationMarkup(event))
    }

    /// Looks at the beginnings of the summary and the description alone.
    init(summary: String, _ event: Context, markup: ReservationMarkup? = nil) {
        let words = Self.words(summary.prefix(300))
        let airports = Self.airports(words)
        let flight = Self.flightNumber(words)
        let reading = KindWords.reading(String(summary.prefix(300)), words.map { KindWords.folded($0) })
        let hints = EventHints(source: event.source)
        let route = EventRoute(summary) ?? EventRoute(event.location).flatMap { $0.form == .arrow ? $0 : nil }
        let said =
            markup?.meaning ?? Self.meaning(ofCategories: event.categories)
            ?? Self.meaning(ofTags: event.description.prefix(4_000))
        var decision: (meaning: KindWords.Meaning, doubt: KindWords.Meaning?)
        if let said {
            decision = (said, nil)
        } else if flight != nil, airports != nil || route?.form == .codes && reading.meaning == nil {
            decision = (.travel(.plane), nil)
        } else if hints.isOfRooms, event.days > 0, (reading.meaning ?? reading.doubtful ?? .stay) == .stay {
            decision = (.stay, nil)
        } else {
            decision = Self.decide(summary, reading, route, hints, event)
        }
        if case .travel(let mode) = decision.meaning {
            kind = .transportation
            self.mode = mode
            if mode == .plane { number = flight ?? Self.number(before: route, words) }
            if mode == .train { number = Self.trainNumber(words) }
            if mode == .plane, let airports {
                (departure.code, arrival.code) = airports
            } else if said == nil, let route {
                (departure, arrival) = (Self.place(route.from), Self.place(route.to))
            }
        } else {
            kind = decision.meaning == .stay ? .lodging : .activity
        }
        if let markup { take(markup) }
        switch decision.doubt {
        case .travel?: doubt = Self.doubt("a journey", "transportation")
        case .stay?: doubt = Self.doubt("a stay", "lodging")
        case .activity?, nil: break
        }
    }

    /// Takes what a reservation says of a journey and its booking.
    private mutating func take(_ markup: ReservationMarkup) {
        (carrier, seat, confirmation) = (markup.carrier, markup.seat, markup.confirmation)
        if !markup.number.isEmpty { number = markup.number }
        if !markup.departure.isEmpty { departure = markup.departure }
        if !markup.arrival.isEmpty { arrival = markup.arrival }
    }

    private static func doubt(_ words: String, _ kind: String) -> String {
        "an event may be \(words), and is taken for an activity: change its kind to \(kind) if it is"
    }

    private static func decide(
        _ summary: String, _ reading: KindWords.Reading, _ route: EventRoute?, _ hints: EventHints,
        _ event: Context
    ) -> (KindWords.Meaning, KindWords.Meaning?) {
        let saysNothing = route == nil && reading.meaning == nil && reading.doubtful == nil
        if saysNothing || reading.meaning == .activity { return (.activity, nil) }
        var hints = hints
        hints.read([summary, event.location, event.description])
        var mode: TransportationMode?
        if case .travel(let said)? = reading.meaning ?? reading.doubtful { mode = said }
        let journey = KindWords.Meaning.travel(mode ?? hints.mode ?? .other)
        let namesJourney = mode != nil || hints.isJourney
        switch route?.form {
        case .codes?: return (journey, nil)
        case .arrow?:
            if namesJourney || event.isTimed { return (journey, nil) }
            return (.activity, journey)
        case .words?:
            if namesJourney || event.hasTwoZones { return (journey, nil) }
            if reading.meaning == nil { return (.activity, event.isTimed ? journey : nil) }
        case .dash?:
            let isStay = reading.meaning == .stay || reading.doubtful == .stay
            if mode != nil { return (journey, nil) }
            if !isStay, event.isTimed, EventHints.nameTrain(in: event.description) { return (.travel(.train), nil) }
        case .laterWords?, .to?:
            if mode != nil { return (journey, nil) }
        case nil: break
        }
        if let meaning = reading.meaning { return (meaning, nil) }
        switch reading.doubtful {
        case .travel?: return hints.isJourney && event.hasTwoZones ? (journey, nil) : (.activity, journey)
        case .stay?:
            // A room that is only called reserved may be anything.
            return (.activity, .stay)
        case .activity?, nil: return (.activity, nil)
        }
    }

    // MARK: What is said

    private static func meaning(ofCategories categories: [String]) -> KindWords.Meaning? {
        categories.prefix(20).lazy.flatMap { words($0.prefix(60)) }
            .compactMap { KindWords.meaning(of: KindWords.folded($0)) }.first
    }

    /// The words between brackets at the beginnings of lines; a link of Markdown, as `[Hotel](https://…)`, is no tag.
    private static func meaning(ofTags text: Substring) -> KindWords.Meaning? {
        text.split(whereSeparator: \.isNewline).lazy.compactMap { line -> KindWords.Meaning? in
            let line = line.drop(while: \.isWhitespace)
            guard line.first == "[", let end = line.firstIndex(of: "]"), line[end...].dropFirst().first != "(" else {
                return nil
            }
            return KindWords.meaning(of: KindWords.folded(line[..<end].dropFirst()))
        }.first
    }

    /// Letters, digits and hyphens; of other signs none.
    private static func words(_ text: some StringProtocol) -> [String] {
        text.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "-") }).flatMap { word -> [String] in
            // A route as "LIS-FRA" is two words, "check-in" is one.
            let parts = word.split(whereSeparator: { $0 == "-" }).map { String($0) }
            return parts.count == 2 && parts.allSatisfy(\.isAirportCode) ? parts : [String(word)]
        }
    }

    // MARK: Places and numbers

    /// A place of a route: its name, or its code alone.
    private static func place(_ text: String) -> TravelPlace {
        if text.isAirportCode { return TravelPlace(code: text) }
        let parts = EventRoute.parts(of: text)
        return TravelPlace(name: parts.name, code: parts.code)
    }

    private static func airports(_ words: [String]) -> (String, String)? {
        for (index, word) in words.enumerated() where word.isAirportCode {
            let next = words.dropFirst(index + 1)
            guard let second = next.first else { return nil }
            if second.isAirportCode { return (word, second) }
            if KindWords.to.contains(KindWords.folded(second)), let third = next.dropFirst().first, third.isAirportCode
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

    /// The number of a train behind its kind, as "ICE 577".
    private static func trainNumber(_ words: [String]) -> String? {
        zip(words, words.dropFirst()).first { word, next in
            KindWords.isTrain(word) && 1...5 ~= next.utf8.count && next.utf8.allSatisfy { 0x30...0x39 ~= $0 }
        }.map { "\($0) \($1)" }
    }

    /// The number before a route, as in "United Airlines 837 San Francisco to Tokyo".
    private static func number(before route: EventRoute?, _ words: [String]) -> String? {
        guard route?.form == .to else { return nil }
        return words.first { 1...4 ~= $0.utf8.count && $0.allSatisfy { $0.isASCII && $0.isNumber } }
    }
}

extension StringProtocol {
    fileprivate var isAirportCode: Bool {
        utf8.count == 3 && utf8.allSatisfy { 0x41...0x5A ~= $0 }
    }
}
