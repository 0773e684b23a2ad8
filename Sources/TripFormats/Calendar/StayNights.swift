import TripStore

/// How the stays of a calendar say when one leaves.
///
/// DTEND of whole days is the day after the last (RFC 5545, section 3.6.1), and the last day of a stay is the last night: so DTEND is the day
/// of leaving. Some feeds count that day as one of the stay, and their DTEND is a day later; others end with the last night, and their DTEND
/// is a day earlier. An event that says how many nights it has, or on which day one leaves, shows which; the others of its calendar are read
/// in the same way if all that say it agree.
struct StayNights {
    private struct Stay {
        /// The index of the entry.
        let entry: Int
        let first: Day
        /// DTEND; nil if it says none.
        let end: Day?
        let nights: Int?
        /// How many days DTEND is later than the day of leaving; nil if its text does not say it.
        let surplus: Int?
        let line: Int
    }

    private var stays: [Stay] = []

    /// Adds an event that is a stay, as one of its times has it.
    mutating func add(_ event: CalendarEvent, _ item: inout ForeignItem, _ span: EventSpan, entry: Int) {
        guard item.kind == .lodging else { return }
        if let days = Self.days(of: event, span) {
            (item.start, item.end) = (.some(nil), .some(nil))
            (item.startDay, item.endDay) = (.some(days.lowerBound), .some(days.upperBound))
        }
        guard let first = item.startDay ?? nil else { return }
        let text = StayText(event.component)
        let end = event.end == nil ? nil : item.endDay ?? nil
        stays.append(
            Stay(
                entry: entry, first: first, end: end, nights: text.nights,
                surplus: end.flatMap { text.surplus(from: first, to: $0) }, line: event.line))
    }

    /// From midnight to midnight in UTC: whole days, as programs write them that have no others.
    private static func days(of event: CalendarEvent, _ span: EventSpan) -> ClosedRange<Day>? {
        guard case .utc(_, 0) = event.start, case .time(.utc(_, 0))? = event.end, let start = span.start,
            let end = span.end,
            let first = Day(daysSince1970: start.wholeSeconds.euclideanFloor(86_400)),
            let last = Day(daysSince1970: end.wholeSeconds.euclideanFloor(86_400)), first < last
        else { return nil }
        return first...last
    }

    /// How many days DTEND is later than the day of leaving, as some stays say it.
    var surpluses: Set<Int> { Set(stays.compactMap(\.surplus)) }

    /// The day of leaving of each stay whose DTEND is another day, by its entry.
    /// - Parameter known: what the stays of the calendar say.
    func leavings(_ known: Set<Int>, _ warnings: inout CountedWarnings) -> [(entry: Int, day: Day)] {
        let common = known.count == 1 ? known.first : nil
        return stays.compactMap { stay in
            guard let end = stay.end else { return stay.nights.map { (stay.entry, stay.first.advanced(by: $0)) } }
            guard let surplus = stay.surplus ?? common, surplus != 0 else { return nil }
            let day = end.advanced(by: -surplus)
            guard day > stay.first else { return nil }
            warnings.add(
                "the DTEND of a stay is taken for the day \(surplus > 0 ? "after" : "before") that of leaving, as its calendar says",
                at: stay.line)
            return (stay.entry, day)
        }
    }
}

/// Reads the nights that the text of a stay says. O(its first characters).
private struct StayText {
    /// Nil if it says none, or several numbers.
    let nights: Int?
    /// The words that follow one for the day of leaving.
    private let leavings: [ArraySlice<Substring>]

    init(_ event: CalendarComponent) {
        var nights: Set<Int> = []
        var leavings: [ArraySlice<Substring>] = []
        for name in ["SUMMARY", "DESCRIPTION"] {
            let text = event.property(name)?.text.prefix(Self.longest).lowercased() ?? ""
            let words = text.split { !($0.isLetter || $0.isNumber) }
            for (index, word) in words.enumerated() {
                if Self.nightWords.contains(word) {
                    nights.formUnion(Self.nights(at: index, words, in: text, isTitle: name == "SUMMARY"))
                } else if Self.leavingWords.contains(word) || word == "out" && index > 0 && words[index - 1] == "check"
                {
                    leavings.append(words[index...].dropFirst().prefix(Self.mostWords))
                }
            }
        }
        self.nights = nights.count == 1 ? nights.first : nil
        self.leavings = leavings
    }

    /// How many days an end is later than the day of leaving that the text says: -1, 0 or 1; nil if it says none, or another.
    func surplus(from first: Day, to end: Day) -> Int? {
        if let nights {
            let surplus = first.distance(to: end) - nights
            return abs(surplus) <= 1 ? surplus : nil
        }
        let found = [-1, 0, 1].filter { surplus in
            let day = end.advanced(by: -surplus)
            return leavings.contains { words in words.indices.contains { Self.says(day, words[$0...]) } }
        }
        return found.count == 1 ? found.first : nil
    }

    // MARK: Words

    private static let nightWords: Set<Substring> = [
        "night", "nights", "nacht", "nächte", "nächten", "noche", "noches", "nuit", "nuits", "notte", "notti", "noite",
        "noites", "nachten", "natt", "nätter", "netter", "nat", "nætter", "noc", "noce", "nocy",
    ]
    private static let leavingWords: Set<Substring> = [
        "checkout", "departure", "abreise", "salida", "départ", "partenza", "saída", "vertrek",
    ]
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    /// Characters that are looked at.
    private static let longest = 4_000
    /// Words behind one for the day of leaving that may say it.
    private static let mostWords = 8

    /// A number, as in "4 nights", "4-night stay" or "Nights: 4". In a description the number begins a line or follows a sign: what is said in
    /// sentences, as of a fee, may be another number.
    private static func nights(at index: Int, _ words: [Substring], in text: String, isTitle: Bool) -> [Int] {
        var number: Int?
        if index > 0, let before = Int(words[index - 1]),
            text[words[index - 1].endIndex..<words[index].startIndex].allSatisfy({ " \u{A0}-".contains($0) })
        {
            let sign = text[..<words[index - 1].startIndex].last { $0 != " " }
            if isTitle || sign.map({ !($0.isLetter || $0.isNumber) }) ?? true { number = before }
        } else if index + 1 < words.count, let after = Int(words[index + 1]),
            text[words[index].endIndex..<words[index + 1].startIndex].contains(":")
        {
            number = after
        }
        return number.map { 1...400 ~= $0 ? [$0] : [] } ?? []
    }

    /// Whether words begin with a day, in any order of its numbers, with the month as a word, or without signs.
    private static func says(_ day: Day, _ words: ArraySlice<Substring>) -> Bool {
        let (year, month, number) = day.components
        let numbers = words.prefix(3).map { Int($0) }
        if words.first.map({ $0.utf8.count == 8 }) ?? false, numbers.first == year * 10_000 + month * 100 + number {
            return true
        }
        if [[year, month, number], [number, month, year], [month, number, year]].contains(numbers) { return true }
        let parts = words.prefix(2).map { $0.hasPrefix(months[month - 1]) ? -1 : Int($0) }
        return parts == [number, -1] || parts == [-1, number]
    }
}
