import TripStore

/// Words of other programs for stages, payments and means of transport, each with the name that the store has.
private let synonyms = [
    "confirmed": "booked", "ok": "booked", "hk": "booked", "reserved": "booked", "ticketed": "booked",
    "canceled": "cancelled", "tentative": "idea", "pending": "planned", "completed": "done",
    "yes": "inFull", "true": "inFull", "paid": "inFull", "full": "inFull", "no": "none", "false": "none",
    "unpaid": "none",
    "bestatigt": "booked", "gebucht": "booked", "confirme": "booked", "confirmado": "booked", "confermato": "booked",
    "bevestigd": "booked", "storniert": "cancelled", "annule": "cancelled", "cancelado": "cancelled",
    "annullato": "cancelled", "geannuleerd": "cancelled",
    "ja": "inFull", "oui": "inFull", "si": "inFull", "sim": "inFull", "bezahlt": "inFull", "paye": "inFull",
    "pagado": "inFull", "pago": "inFull", "pagato": "inFull", "betaald": "inFull", "nein": "none", "non": "none",
    "nee": "none", "offen": "none",
    "flight": "plane", "air": "plane", "rail": "train", "ferry": "boat", "ship": "boat", "bike": "bicycle",
    "walk": "walking",
]

extension OpenEnumeration {
    /// The value of a name, in capitals or not and with any signs between its words, or of a word that other programs have for it.
    init?(named text: String) {
        let word = KindWords.folded(text.folded).filter { $0.isLetter || $0.isNumber }
        guard let name = Self.name(word) ?? synonyms[word].flatMap(Self.name) else { return nil }
        self = name
    }

    private static func name(_ word: String) -> Self? {
        let word = word.lowercased()
        return known.first { $0.name.lowercased() == word }?.value
    }

    /// The names of all values.
    static var names: String { known.map(\.name).joined(separator: ", ") }
}
