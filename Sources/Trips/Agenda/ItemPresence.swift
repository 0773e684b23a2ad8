extension TripItem {
    /// Whether it is something that one has while it lasts, and is not in: a rental car, parking, a pass, luggage that is kept.
    ///
    /// It overlaps nothing, leads nowhere and is no bed. A stay is never one. Of others it is told by their length or by words of the name and
    /// the category: a car for over a day is had, and so is what words name that mean nothing else; words with further meanings tell it of what
    /// takes over half a day.
    package var isHad: Bool {
        if kind == .lodging { return false }
        let hours = hours
        if mode == .car, hours >= 24 { return true }
        let (named, counted) = (Self.words(of: self.name), Self.words(of: self.category))
        // Also of words that are written apart, as "car park".
        let words = named + counted + zip(named, named.dropFirst()).map { $0 + $1 }
        return counted.contains("rental") || words.contains { Self.possessions.contains($0) }
            || hours >= 12 && words.contains { Self.longPossessions.contains($0) }
    }

    private static func words(of text: String) -> [String] {
        // The beginning of a name tells enough: a peer may make it enormous.
        text.prefix(200).lowercased().split { !$0.isLetter }.map(String.init)
    }

    /// How long it takes; of whole days, from the beginning of the first to that of the last. 0 while that is open.
    private var hours: Int64 {
        let ends = ItemEnds(self)
        if let begins = ends.begins, let end = ends.ends {
            let (length, overflow) = end.milliseconds.subtractingReportingOverflow(begins.milliseconds)
            return overflow ? .max : length / 3_600_000
        }
        guard let first = ends.begins?.localDay ?? ends.startDay, let last = ends.ends?.localDay ?? ends.endDay else {
            return 0
        }
        return Int64(first.distance(to: last)) * 24
    }

    private static let possessions: Set<String> = [
        "rentalcar", "carrental", "carhire", "hirecar", "mietwagen", "mietauto", "leihwagen", "autovermietung",
        "autonoleggio", "huurauto", "autohuur", "parking", "carpark", "parken", "parkplatz", "parkhaus", "parcheggio",
        "parkeren", "stationnement", "estacionamento", "aparcamiento", "estacionamiento", "luggage", "baggage",
        "gepäck", "gepäckaufbewahrung", "locker", "lockers", "schließfach", "consigna", "consigne",
    ]
    private static let longPossessions: Set<String> = [
        "pass", "railpass", "interrail", "eurail", "card", "hire", "rent", "rental", "noleggio", "car", "bike", "bikes",
        "bicycle", "scooter", "skis", "campervan", "motorhome", "insurance", "versicherung", "seguro", "assurance",
        "visa", "vignette", "sim", "esim", "wifi", "alquiler", "aluguer", "aluguel",
    ]
}
