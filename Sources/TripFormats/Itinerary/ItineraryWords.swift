import Events
package import TripStore

extension Moment {
    /// What clocks show there, as in 09:30.
    package var clock: String { String(localISO8601.split(separator: "T").last?.prefix(5) ?? "") }
}

extension ItemCourse {
    /// From when to when, by the clocks of either place, and how many days later that is there.
    package var clockTimes: String {
        guard let begins else {
            // The end of an item that begins with a whole day may be on another.
            return first == nil || last == first ? ends.map { "until \($0.clock)" } ?? "" : ""
        }
        guard let ends else { return begins.clock }
        let later = daysLater == 0 ? "" : " \(daysLater > 0 ? "+" : "-")\(abs(daysLater).counted("day"))"
        return "\(begins.clock) – \(ends.clock)\(later)"
    }

    /// As in "3 nights", "2 days" or "1 h 20 min"; nil while it is open.
    package var lengthWords: String? {
        if let nightCount { return nightCount.counted("night") }
        if let wholeDays, wholeDays > 1 { return wholeDays.counted("day") }
        return duration.map { Words.duration(milliseconds: $0) }
    }

    /// From its beginning to its end, in milliseconds; nil if it has none of them, or takes no time, or more than a number can say.
    private var duration: Int64? {
        guard let begins, let ends else { return nil }
        let (duration, overflow) = ends.milliseconds.subtractingReportingOverflow(begins.milliseconds)
        return overflow || duration <= 0 ? nil : duration
    }

    /// As in "pick-up" and "return" of a car, "start" and "end" of what else one only has.
    package static func holdingWord(_ kind: EntityKind, atEnd: Bool) -> String {
        kind == .transportation ? (atEnd ? "return" : "pick-up") : atEnd ? "end" : "start"
    }

    /// Whose time a clock shows that is not that of where one is: of the place that the item names, as in " (09:00 Tokyo time)", or of none.
    package func elsewhere(atEnd: Bool = false) -> String {
        Self.elsewhere(item, atEnd ? ends : begins ?? ends, atEnd: atEnd)
    }

    /// - Parameter shown: what is shown of an item's beginning, or of its end.
    package static func elsewhere(_ item: TripItem, _ shown: Moment?, atEnd: Bool) -> String {
        guard let shown else { return "" }
        if !shown.isOfPlace { return " (UTC)" }
        let own = ItemEnds(item)
        guard let place = atEnd ? own.ends : own.begins ?? own.ends, place.isOfPlace, place.clock != shown.clock else {
            return ""
        }
        return " (\(place.clock) \(Itinerary.Place(city: "", zone: place.zone).words))"
    }
}

extension TravelPlace {
    /// As in "Lisbon (LIS), terminal 1, gate 12"; nil if there is nothing to say.
    package func oneLine(hidesAddress: Bool) -> String? {
        let named = name.isEmpty ? code : name + (code.isEmpty ? "" : " (\(code))")
        let parts = [
            named, terminal.isEmpty ? "" : "terminal \(terminal)", gate.isEmpty ? "" : "gate \(gate)",
            hidesAddress ? "" : address?.oneLine ?? "",
        ].filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

extension Moment {
    /// As in "Sat 1 May 2027 09:30".
    package var dayAndClock: String { "\(DayText.words(localDay)) \(clock)" }
}

extension Address {
    /// The address on one line; a link to a map if there is nothing else than its coordinates.
    package var oneLine: String { words.isEmpty ? mapLink ?? "" : words }

    /// The address in words, on one line; empty if it has none.
    var words: String {
        if !formatted.isEmpty { return formatted.textLines.joined(separator: ", ") }
        let town = [postalCode, city].filter { !$0.isEmpty }.joined(separator: " ")
        return [street, town, state, country].filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// Where a map shows it; nil without coordinates on the globe.
    var mapLink: String? {
        coordinates.flatMap { place in
            let (latitude, longitude) = (place.latitude, place.longitude)
            return place.isInRange
                ? "https://www.openstreetmap.org/?mlat=\(latitude)&mlon=\(longitude)#map=16/\(latitude)/\(longitude)"
                : nil
        }
    }
}

extension String {
    /// The lines of a text; none of an empty one. Tabs are four spaces.
    package var textLines: [String] {
        isEmpty
            ? []
            : replacing("\r\n", with: "\n").replacing("\t", with: "    ").split(
                separator: "\n", omittingEmptySubsequences: false
            ).map(String.init)
    }
}

extension CostSum {
    /// The amount and the currency, as in "12.34 EUR".
    package var words: String { "\(amount) \(currency.code)" }

    /// The amount in decimals, as in "12.34"; in minor units if the currency is not known.
    package var amount: String {
        let digits = currency.minorDigits ?? 0
        guard digits > 0 else { return "\(minorUnits)" }
        let text = String(minorUnits.magnitude)
        let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
        return "\(minorUnits < 0 ? "-" : "")\(padded.dropLast(digits)).\(padded.suffix(digits))"
    }
}
