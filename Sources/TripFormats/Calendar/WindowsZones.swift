/// The names that Windows gives to zones, as calendars of Outlook and Exchange use them, and what the database of zones calls them: of each
/// the zone of its main territory.
enum WindowsZones {
    private struct Entry {
        let name: String
        let zone: String
        /// The places, as in "Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna"; empty for names that Windows no longer has.
        let places: String
    }

    private static let entries: [Entry] = table.split(separator: "\n").compactMap { line in
        let parts = line.split(separator: "=").map(String.init)
        return parts.count >= 2 ? Entry(name: parts[0], zone: parts[1], places: parts.dropFirst(2).first ?? "") : nil
    }

    /// By the name in lower case.
    static let names = Dictionary(entries.map { ($0.name.lowercased(), $0.zone) }) { first, _ in first }

    /// Each once, in the order in which they are preferred: what the offsets of an unknown zone are compared with.
    static let zones: [String] = {
        var seen: Set<String> = []
        return entries.map(\.zone).filter { seen.insert($0).inserted }
    }()

    /// By the places of an entry, and by each of them, in lower case.
    static let places: [String: String] = {
        let whole = entries.map { ($0.places.lowercased(), $0.zone) }
        let single = entries.flatMap { entry in
            entry.places.split(separator: ",").map { ($0.trimmed.lowercased(), entry.zone) }
        }
        return Dictionary((whole + single).filter { !$0.0.isEmpty }) { first, _ in first }
    }()
}
