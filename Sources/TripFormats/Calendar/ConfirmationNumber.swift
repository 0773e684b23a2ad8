/// Finds the number of a booking in a description.
enum ConfirmationNumber {
    private static let keys = [
        "confirmation", "booking", "reservation", "record locator", "pnr", "buchung", "reservierung", "reserva",
        "localizador", "réservation", "auftragsnummer", "dossier", "prenotazione", "codice prenotazione", "boeking",
        "bokning",
    ]
    private static let longestLine = 500
    private static let mostLines = 200

    /// The text behind a colon or a number sign, in a line or behind a semicolon, that follows a word for a booking; nil if
    /// there is none.
    static func find(in description: String) -> String? {
        for line in description.split(whereSeparator: { $0.isNewline || $0 == ";" }).prefix(mostLines) {
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
