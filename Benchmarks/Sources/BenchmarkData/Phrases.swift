import TripStore

/// The words that trips are made of, of the length that people write.
struct Phrases: Sendable {
    static let airlines = [
        "TAP Air Portugal", "Iberia", "Air France", "British Airways", "Aer Lingus", "KLM", "Lufthansa", "SWISS",
        "Austrian", "LOT Polish Airlines", "ITA Airways", "Aegean", "Turkish Airlines", "SAS", "Norwegian",
        "Icelandair", "Delta", "United", "Air Canada", "LATAM", "Emirates", "Singapore Airlines", "ANA", "Qantas",
        "Air New Zealand",
    ]
    static let carrierCodes = [
        "TP", "IB", "AF", "BA", "EI", "KL", "LH", "LX", "OS", "LO", "AZ", "A3", "TK", "SK", "DY", "FI", "DL", "UA",
        "AC",
        "LA", "EK", "SQ", "NH", "QF", "NZ",
    ]
    static let hotels = [
        "Hotel Central", "Grand Hotel", "The Courtyard", "Harbour House", "Residência do Parque", "Pension Edelweiss",
        "Casa Amarela", "Old Mill Inn", "City Lodge", "Station Hotel", "Park Apartments", "Riverside Guesthouse",
    ]
    static let activities = [
        "Museum of modern art", "Walk through the old town", "Harbour cruise", "Dinner at the market hall",
        "Botanical garden", "Castle and gardens", "Cooking class", "Concert", "Day trip to the coast", "Bicycle tour",
        "Opera", "Food market", "Cathedral tower", "Contemporary gallery", "Football match",
    ]
    static let streets = [
        "Main Street", "Rua Augusta", "Calle Mayor", "Rue de Rivoli", "High Street", "Hauptstraße", "Via Garibaldi",
        "Storgatan", "Market Square", "Station Road", "Avenida da Liberdade", "King Street", "Harbour Lane",
    ]
    private static let sentences = [
        "Booked through the travel desk; the confirmation came by mail.", "Ask for a room to the courtyard.",
        "Check in online the day before.", "Breakfast is included from 7 to 10.", "Bring the voucher and a passport.",
        "Free cancellation until two days before.", "Ana has the tickets on her phone.", "Window seat, no luggage.",
        "Meet the others at the main entrance at a quarter to.", "The key is in the box by the door, code in the mail.",
        "Late arrival was announced.", "Pay on the spot, cards are fine.", "Take the express train into the city.",
        "Closed on Mondays!", "Table for four under Ben's name.", "Luggage can stay there until the evening.",
        "Seats 14 A and B.", "There is a discount with the city card.", "Do not forget the adapter.",
    ]

    /// Notes of none to four sentences.
    let notes: [String]

    init(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        notes = (0..<4096).map { _ in
            (0..<numbers.below(5)).map { _ in numbers.pick(Self.sentences) }.joined(separator: " ")
        }
    }

    /// Six letters and digits, as of airlines and hotels.
    static func code(_ numbers: inout SeededNumbers) -> String {
        let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789".utf8)
        var bits = numbers.next()
        return String(unsafeUninitializedCapacity: 6) { bytes in
            for index in 0..<6 {
                bytes[index] = alphabet[Int(bits & 31)]
                bits >>= 5
            }
            return 6
        }
    }
}
