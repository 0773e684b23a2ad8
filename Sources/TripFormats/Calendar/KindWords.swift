import Foundation
package import TripStore

/// Words that say what an event is, in ten languages: lower case, without accents.
package enum KindWords {
    package enum Meaning: Hashable {
        case travel(TransportationMode)
        case stay, activity
    }

    private static let journeys: [(TransportationMode, String)] = [
        (
            .plane,
            """
            flight flights flug fluge vol vols vuelo vuelos voo voos volo voli vlucht vluchten flyg flygning flygresa samolot airline plane \
            airlines airways ryanair easyjet lufthansa wizzair
            """
        ),
        (
            .train,
            """
            train trains rail railway zug zuge bahn bahnfahrt zugfahrt nachtzug nightjet railjet eurocity intercity tren trenes trem comboio \
            treno treni trein nachttrein nattag tagresa pociag pociagiem eurostar amtrak tgv ouigo thalys renfe trenitalia italo flixtrain \
            shinkansen frecciarossa frecciargento frecciabianca
            """
        ),
        (
            .boat,
            """
            ferry ferries ferryboat cruise fahre kreuzfahrt traversee croisiere traghetto crociera transbordador crucero balsa \
            veerboot veerpont cruzeiro farja farjan kryssning rejs
            """
        ),
        (
            .car,
            """
            rental mietwagen mietauto leihwagen carrental rentalcar autonoleggio noleggio alquiler rentacar huurauto autoverhuur hyrbil \
            biluthyrning wypozyczalnia aluguer
            """
        ),
        (
            .other,
            """
            bus buses coach shuttle transfer taxi uber transportation transport tram metro underground subway autobus autocar autocares onibus \
            autocarro pullman corriera buss flixbus fernbus reisebus traslado trasferimento transfert navette
            """
        ),
    ]
    private static let stays = """
        hotel hotels hotell hostel hostal motel lodging accommodation airbnb apartment apartments apartamento apartamentos appartement \
        appartamento aparthotel resort guesthouse guest-house pousada ryokan inn checkin checkout check-in check-out pension pensione \
        bed-and-breakfast b&b bnb unterkunft ferienwohnung ferienhaus jugendherberge herberge gasthof ubernachtung alojamiento alojamento \
        hebergement chambre gite auberge albergo alloggio ostello agriturismo albergue posada parador campsite campground camping \
        campingplatz zeltplatz campeggio accommodatie verblijf vakantiehuis logi boende vandrarhem stuga nocleg noclegi zakwaterowanie \
        pensjonat schronisko novotel ibis mercure marriott hilton hyatt sheraton radisson westin scandic booking.com vrbo hostelworld agoda
        """
    private static let activities = """
        activity activities restaurant meeting meet meetup tour tours concert theater theatre directions note dinner lunch breakfast brunch \
        supper drinks cocktails bar museum walk walking hike hiking run yoga gym course lesson workshop conference talk lecture show \
        party wedding birthday visit opera ballet cinema movie film exhibition gallery festival match game call sync standup review \
        interview appointment dentist doctor deadline reminder spa massage tasting safari \
        abendessen mittagessen fruhstuck stadtfuhrung fuhrung rundgang spaziergang wanderung konzert oper theaterbesuch besuch \
        besprechung treffen ausstellung vortrag kurs feier hochzeit geburtstag termin \
        diner dejeuner musee visite promenade balade randonnee spectacle reunion exposition cours fete anniversaire mariage \
        cena almuerzo comida desayuno museo visita paseo excursion concierto teatro reunion fiesta boda cumpleanos clase \
        pranzo colazione passeggiata gita concerto mostra riunione festa matrimonio lezione \
        jantar almoco passeio caminhada reuniao casamento aula \
        eten diner ontbijt wandeling rondleiding bezoek vergadering feest bruiloft \
        middag frukost promenad vandring mote besok fest utstallning \
        obiad kolacja sniadanie muzeum zwiedzanie spacer koncert spotkanie wystawa wesele urodziny
        """

    private static let meanings: [String: Meaning] = {
        var meanings: [String: Meaning] = [:]
        for (mode, words) in journeys {
            for word in words.split(separator: " ") { meanings[String(word)] = .travel(mode) }
        }
        for word in stays.split(separator: " ") { meanings[String(word)] = .stay }
        for word in activities.split(separator: " ") { meanings[String(word)] = .activity }
        return meanings
    }()

    /// Beginnings and parts of texts without spaces between words.
    private static let parts: [(String, Meaning)] = [
        // Without its accent it is a German day.
        ("Tåg", .travel(.train)), ("tåg", .travel(.train)),
        ("✈", .travel(.plane)), ("✈️", .travel(.plane)), ("🛫", .travel(.plane)), ("🚆", .travel(.train)),
        ("🚄", .travel(.train)),
        ("🚂", .travel(.train)), ("⛴", .travel(.boat)), ("⛴️", .travel(.boat)), ("🚌", .travel(.other)),
        ("🚕", .travel(.other)),
        ("🚗", .travel(.car)), ("🏨", .stay), ("🛏", .stay), ("🛏️", .stay),
        ("新幹線", .travel(.train)), ("電車", .travel(.train)), ("列車", .travel(.train)), ("特急", .travel(.train)),
        ("フライト", .travel(.plane)), ("飛行機", .travel(.plane)), ("航空", .travel(.plane)),
        ("フェリー", .travel(.boat)), ("レンタカー", .travel(.car)), ("バス", .travel(.other)),
        ("ホテル", .stay), ("旅館", .stay), ("民宿", .stay), ("宿泊", .stay), ("チェックイン", .stay),
        ("夕食", .activity), ("昼食", .activity), ("朝食", .activity), ("美術館", .activity), ("博物館", .activity),
    ]

    /// Words that may stand beside a word for a journey without saying that it is something else.
    private static let neutral = Set(
        """
        ticket tickets reservation reservations booking confirmed confirmation your my our the a an journey ride trip travel airport station \
        night day morning evening pick up pickup pick-up drop off dropoff drop-off return outbound inbound way car carriage class economy \
        business first second number no nr economy company boat hertz avis sixt europcar enterprise alamo \
        reservierung buchung fahrkarte fahrt reise ihre ihr mein meine flughafen bahnhof abholung ruckgabe hinfahrt ruckfahrt hinflug ruckflug nach nacht \
        billet votre mon ma gare aeroport voyage aller retour de nuit location voiture \
        billete reserva viaje ida vuelta aeropuerto estacion noche coche recogida devolucion \
        biglietto prenotazione viaggio andata ritorno aeroporto stazione notte auto \
        bilhete viagem volta estacao noite carro kaartje reis terug vliegveld luchthaven nacht \
        biljett resa natt flygplats bilet podroz lotnisko dworzec nocny
        """.split(whereSeparator: \.isWhitespace).map { String($0) })

    /// Words after which the place comes to which one travels, or at which one stays.
    static let towards: Set<String> = [
        "to", "nach", "zum", "zur", "vers", "para", "hacia", "verso", "per", "naar", "till", "do",
    ]
    static let from: Set<String> = ["from", "von", "ab", "de", "depuis", "desde", "da", "van", "fran", "z", "ze"]
    static let to: Set<String> = towards.union(["a", "bis"])
    private static let phrases: [(String, Meaning)] = [
        ("check in", .stay), ("check out", .stay), ("stay at", .stay), ("stay in", .stay), ("stay with", .stay),
        ("booking com", .stay), ("b b", .stay), ("guest house", .stay),
        ("vacation rental", .stay), ("holiday rental", .stay), ("rent a car", .travel(.car)),
        ("car hire", .travel(.car)),
        ("location de voiture", .travel(.car)),
    ]
    /// Whether a word stands before the number of a train, as ICE does.
    static func isTrain(_ word: String) -> Bool { trains.contains(folded(word)) }

    /// The words before the number of a train.
    private static let trains: Set<String> = ["ice", "ic", "ec", "rj", "rjx", "nj", "tgv", "eic", "tlk", "ave"]
    private static let articles: Set<String> = [
        "the", "a", "an", "der", "die", "das", "dem", "den", "le", "la", "les", "l", "el", "il", "lo", "o", "het",
        "our", "my", "your",
    ]
    /// The names that feeds of rooms give to nights of which they say no more.
    private static let taken: Set<String> = [
        "reserved", "booked", "blocked", "unavailable", "not available", "closed", "belegt", "gebucht", "reserviert",
        "reserve", "indisponible",
        "reservado", "ocupado", "riservato", "prenotato", "occupato", "gereserveerd", "bezet", "bokad", "upptagen",
        "zarezerwowane", "予約済み",
    ]
    private static let at: Set<String> = [
        "at", "in", "im", "am", "beim", "bei", "au", "aux", "en", "del", "dal", "nel", "al", "no", "na", "w", "pa",
        "near", "to", "from", "of",
        "for", "by",
    ]

    package static func folded(_ text: some StringProtocol) -> String {
        // Fast path.
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        return text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }

    /// Whether a word as it is written is one for a means of transport.
    static func isTravel(_ word: String) -> Bool {
        isTravel(meanings[folded(word)] ?? parts.first { word == $0.0 }?.1)
    }

    /// The meaning of a folded word; nil if it is none of them.
    package static func meaning(of word: String) -> Meaning? { meanings[word] }

    /// The meaning of words for one thing alone; `folded` are those of a summary.
    struct Reading {
        /// The meaning, if the words leave no doubt.
        var meaning: Meaning?
        /// The meaning that the words may have.
        var doubtful: Meaning?
    }

    static func reading(_ summary: String, _ words: [String]) -> Reading {
        let found = words.map { meanings[$0] }
        let pairs = zip(zip(found, words), words.dropFirst()).map { (meaning: $0.0, word: $0.1, next: $1) }
        if let towards = pairs.first(where: { isTravel($0.meaning) && towards.contains($0.next) }) {
            return Reading(meaning: towards.meaning)
        }
        let text = words.joined(separator: " ")
        if text.contains("bed and breakfast") { return Reading(meaning: .stay) }
        if found.contains(.activity) { return Reading(meaning: .activity) }
        let told = parts.filter { summary.contains($0.0) }.map(\.1)
        if let meaning = told.first(where: { $0 == .activity }) ?? told.first { return Reading(meaning: meaning) }
        if let phrase = phrases.first(where: { " \(text) ".contains(" \($0.0) ") }) {
            return Reading(meaning: phrase.1)
        }
        if isStay(words, found) { return Reading(meaning: .stay) }
        if pairs.contains(where: { trains.contains($0.word) && $0.next.first?.isNumber == true }) {
            return Reading(meaning: .travel(.train))
        }
        guard let travel = found.firstIndex(where: isTravel), let meaning = found[travel] else {
            let isDoubtful = found.contains(.stay) || taken.contains(folded(summary.trimmed))
            return Reading(doubtful: isDoubtful ? .stay : nil)
        }
        if travel + 1 < words.count, to.contains(words[travel + 1]) { return Reading(meaning: meaning) }
        let others = words.enumerated().filter { index, word in
            !isTravel(found[index]) && !neutral.contains(word) && !word.contains(where: \.isNumber)
        }
        return others.isEmpty ? Reading(meaning: meaning) : Reading(doubtful: meaning)
    }

    private static func isTravel(_ meaning: Meaning?) -> Bool { if case .travel? = meaning { true } else { false } }

    /// Whether words for a place to stay are what it is about, and not just where it takes place.
    private static func isStay(_ words: [String], _ found: [Meaning?]) -> Bool {
        guard let place = found.firstIndex(of: .stay) else { return words == ["stay"] }
        let before = words[..<place].last { !articles.contains($0) }
        // A train to an inn is no stay.
        return !found[..<place].contains(where: isTravel) && before.map { !at.contains($0) } ?? true
    }
}
