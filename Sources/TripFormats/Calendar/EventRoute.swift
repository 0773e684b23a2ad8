import Foundation

/// Two places in the text of an event, from one of which a journey leads to the other.
struct EventRoute {
    enum Form {
        /// An arrow between them.
        case arrow
        /// A code behind each, as in "Leeds (LDS) to York (YRK)".
        case codes
        /// Words, as in "from Vienna to Brno" or "von Wien nach Brünn", with which the text begins.
        case words
        /// Such words behind others.
        case laterWords
        /// A dash, which may stand for anything.
        case dash
        /// One word, as in "San Francisco to Tokyo".
        case to
    }

    let form: Form
    let from: String
    let to: String

    private static let arrows = ["-->", "->", "=>", "→", "⇒", "➔", "➜", "➝", "⟶", "▸", "►"]
    private static let longest = 100

    init?(_ text: String) {
        let text = String(text.prefix(300))
        guard let found = Self.arrow(text) ?? Self.words(text) ?? Self.dash(text) else { return nil }
        self = found
    }

    private init?(_ form: Form, _ from: some StringProtocol, _ to: some StringProtocol) {
        let (from, to) = (Self.place(from), Self.place(to))
        let places = [from, to]
        guard from != to, places.allSatisfy({ 1...Self.longest ~= $0.count && $0.first?.isLetter == true }) else {
            return nil
        }
        (self.form, self.from, self.to) = (form, from, to)
    }

    /// Without spaces and commas at its ends.
    private static func place(_ text: some StringProtocol) -> String {
        var place = text.trimmed[...]
        while place.last == "," || place.last == ";" || place.last == ":" { place.removeLast() }
        return place.trimmed
    }

    private static func arrow(_ text: String) -> EventRoute? {
        guard let arrow = arrows.first(where: { text.contains($0) }) else { return nil }
        let parts = text.components(separatedBy: arrow)
        guard let first = parts.first, let last = parts.last else { return nil }
        return EventRoute(.arrow, withoutMeans(withoutLabel(first)), withoutRest(last))
    }

    /// "Journey Details: Leeds" without what stands before the colon.
    private static func withoutLabel(_ text: String) -> Substring {
        text.lastIndex(of: ":").map { text[text.index(after: $0)...] } ?? text[...]
    }

    /// "Nachtzug Wien" or "LH 1710 München" without the means of transport, and its number, before the place.
    private static func withoutMeans(_ text: some StringProtocol) -> String {
        var words = text.split(separator: " ")[...]
        while let word = words.first {
            let isNumbered = words.dropFirst().first?.allSatisfy(\.isNumber) == true
            guard
                KindWords.isTravel(String(word)) || word.allSatisfy(\.isNumber)
                    || isNumbered && (KindWords.isTrain(String(word)) || word.isAirline)
                    || word.count > 2 && word.prefix(2).isAirline && word.dropFirst(2).allSatisfy(\.isNumber)
            else { break }
            words.removeFirst()
        }
        return words.joined(separator: " ")
    }

    /// "Brno, seat: 1/42" without what follows a comma and has a colon, and "Roma (IC 35)" without a number in brackets.
    private static func withoutRest(_ text: some StringProtocol) -> String {
        let parts = text.split(separator: ",")
        let rest = (parts.prefix(1) + parts.dropFirst().prefix { !$0.contains(":") }).joined(separator: ",").trimmed
        guard rest.last == ")", let bracket = rest.lastIndex(of: "("), !rest[bracket...].dropLast().contains(")"),
            rest[bracket...].contains(where: { $0.isASCII && $0.isNumber })
        else { return rest }
        return rest[..<bracket].trimmed
    }

    private static func words(_ text: String) -> EventRoute? {
        let text = String(withoutRest(text))
        let tokens = text.split(separator: " ").map { String($0) }
        let folded = tokens.map { KindWords.folded($0) }
        if let start = folded.firstIndex(where: { KindWords.from.contains($0) }),
            let end = folded[(start + 1)...].firstIndex(where: { KindWords.to.contains($0) }), end > start + 1
        {
            let (from, to) = (tokens[(start + 1)..<end], tokens[(end + 1)...])
            let isLater = folded[..<start].contains { $0.contains(where: \.isLetter) }
            return EventRoute(isLater ? .laterWords : .words, from.joined(separator: " "), to.joined(separator: " "))
        }
        guard let place = folded.firstIndex(where: { KindWords.towards.contains($0) }), place > 0 else { return nil }
        let (from, to) = (tokens[..<place], tokens[(place + 1)...])
        if from.last?.isCodeInBrackets == true, to.last?.isCodeInBrackets == true {
            return EventRoute(
                .codes, withoutLabel(from.joined(separator: " ")), to.joined(separator: " "))
        }
        // What stands after the last number: "United Airlines 837 San Francisco to Tokyo".
        let number = from.lastIndex { $0.last?.isNumber == true }
        guard let number, number + 1 < from.endIndex else { return nil }
        return EventRoute(.to, from[(number + 1)...].joined(separator: " "), to.joined(separator: " "))
    }

    private static func dash(_ text: String) -> EventRoute? {
        for dash in [" - ", " – ", " — "] {
            let parts = text.components(separatedBy: dash)
            guard parts.count == 2 else { continue }
            // "TGV 6607 - Paris / Lyon".
            let places = parts[1].components(separatedBy: " / ")
            if places.count == 2, parts[0].last?.isNumber == true {
                return EventRoute(.dash, places[0], withoutRest(places[1]))
            }
            let (from, to) = (withoutMeans(withoutLabel(parts[0])), withoutRest(parts[1]))
            let hasCodes = [from, to].allSatisfy { self.parts(of: $0).code != "" }
            return hasCodes ? EventRoute(.codes, from, withoutLabel(to)) : EventRoute(.dash, from, to)
        }
        return nil
    }

    /// The code in brackets at the end of a place, and the place without it.
    static func parts(of place: String) -> (name: String, code: String) {
        guard let last = place.split(separator: " ").last, String(last).isCodeInBrackets else { return (place, "") }
        return (place.dropLast(last.count).trimmed, String(last.dropFirst().dropLast()))
    }
}

extension StringProtocol {
    /// The code of an airline before the number of a flight, as "LH" or "U2".
    fileprivate var isAirline: Bool {
        utf8.count == 2 && utf8.allSatisfy { 0x41...0x5A ~= $0 || 0x30...0x39 ~= $0 }
            && utf8.contains { 0x41...0x5A ~= $0 }
    }
}

extension String {
    /// A code in parentheses, as "(LDS)".
    fileprivate var isCodeInBrackets: Bool {
        utf8.count == 5 && hasPrefix("(") && hasSuffix(")")
            && dropFirst().dropLast().utf8.allSatisfy { 0x41...0x5A ~= $0 }
    }
}
