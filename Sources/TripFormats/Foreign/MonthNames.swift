import Foundation

/// The months that names in many languages mean.
enum MonthNames {
    /// No name of a month in one of them is that of another month in another: Croatian would be the first.
    private static let languages = [
        "en", "de", "fr", "es", "it", "pt", "nl", "sv", "nb", "da", "fi", "pl", "cs", "sk", "hu", "ro", "tr", "el",
        "ru",
        "uk", "ca", "bg", "sl", "et", "lv", "lt", "is",
    ]

    /// Each month by its names and their abbreviations, without accents and points.
    private static let months: [String: Int] = {
        var months: [String: Int] = [:]
        for language in languages {
            var calendar = Calendar(identifier: .gregorian)
            calendar.locale = Locale(identifier: language)
            for names in [
                calendar.monthSymbols, calendar.shortMonthSymbols, calendar.standaloneMonthSymbols,
                calendar.shortStandaloneMonthSymbols,
            ] {
                for (index, name) in names.enumerated() { months[folded(name)] = index + 1 }
            }
        }
        return months
    }()

    /// The month of a name, of an abbreviation, or of three letters or more with which names of one month alone begin; nil for others.
    static func month(named name: some StringProtocol) -> Int? {
        let name = folded(name)
        if let month = months[name] { return month }
        guard name.count >= 3 else { return nil }
        let found = Set(months.filter { $0.key.hasPrefix(name) }.values)
        return found.count == 1 ? found.first : nil
    }

    private static func folded(_ name: some StringProtocol) -> String {
        String(name).folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil).filter(\.isLetter)
    }
}
