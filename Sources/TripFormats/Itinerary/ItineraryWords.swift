package import TripStore

extension Moment {
    /// What clocks show there, as in 09:30.
    package var clock: String { String(localISO8601.split(separator: "T").last?.prefix(5) ?? "") }
}

extension TripItem {
    /// From when to when, by the clocks of either place, and how many days later that is there.
    package var clockTimes: String {
        guard let start else {
            // The end of an item that begins with a whole day may be on another.
            let isOnFirstDay = startDay == nil || effectiveEnd?.localDay == startDay
            return isOnFirstDay ? effectiveEnd.map { "until \($0.clock)" } ?? "" : ""
        }
        guard let end = effectiveEnd else { return start.clock }
        let days = start.localDay.distance(to: end.localDay)
        let later = days == 0 ? "" : " \(days > 0 ? "+" : "-")\(Words.count(abs(days), "day"))"
        return "\(start.clock) – \(end.clock)\(later)"
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
    /// The address on one line; the coordinates if there is nothing else.
    package var oneLine: String {
        if !formatted.isEmpty { return formatted.textLines.joined(separator: ", ") }
        let town = [postalCode, city].filter { !$0.isEmpty }.joined(separator: " ")
        let parts = [street, town, state, country].filter { !$0.isEmpty }
        if parts.isEmpty, let coordinates { return "\(coordinates.latitude), \(coordinates.longitude)" }
        return parts.joined(separator: ", ")
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

extension TripItem {
    /// From its start to its end, in milliseconds; nil if it has none of them, or takes no time. A peer may have written times that lie
    /// further apart than a number can say: nil as well.
    package var duration: Int64? {
        guard let start, let end = effectiveEnd else { return nil }
        let (duration, overflow) = end.milliseconds.subtractingReportingOverflow(start.milliseconds)
        return overflow || duration <= 0 ? nil : duration
    }
}
