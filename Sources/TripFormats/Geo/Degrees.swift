import TripStore

/// Degrees in decimals.
enum Degrees {
    /// Seven decimals are a centimetre at the equator.
    private static let scale: Double = 1e7

    /// Up to seven decimals, without an exponent, trailing zeros or a negative zero.
    static func text(_ degrees: Double) -> String {
        let scaled = Int64((degrees * scale).rounded())
        let digits = String(scaled.magnitude)
        let padded = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
        var decimals = padded.suffix(7)
        while decimals.last == "0" { decimals.removeLast() }
        return (scaled < 0 ? "-" : "") + padded.dropLast(7) + (decimals.isEmpty ? "" : ".\(decimals)")
    }

    /// Latitude and longitude for people, to about a metre, as in "38.71391, -9.13342".
    static func words(_ place: Coordinates) -> String {
        [place.latitude, place.longitude].map { text(($0 * 1e5).rounded() / 1e5) }.joined(separator: ", ")
    }
}

extension TripGeography.Route {
    /// The line from one end to the other, in one part, or in two that end at the antimeridian if the shorter way crosses it (RFC 7946, section
    /// 3.1.9). It is straight on a map with a grid of degrees.
    var parts: [[Coordinates]] {
        var (first, last) = (departure, arrival)
        // An end on the antimeridian is on the side of the other.
        if abs(first.longitude) == 180, last.longitude != 0 { first.longitude = last.longitude < 0 ? -180 : 180 }
        if abs(last.longitude) == 180, first.longitude != 0 { last.longitude = first.longitude < 0 ? -180 : 180 }
        guard abs(last.longitude - first.longitude) > 180 else { return [[first, last]] }
        let edge: Double = first.longitude > 0 ? 180 : -180
        let unwrapped = last.longitude + 2 * edge
        let share = (edge - first.longitude) / (unwrapped - first.longitude)
        let latitude = first.latitude + share * (last.latitude - first.latitude)
        return [
            [first, Coordinates(latitude: latitude, longitude: edge)],
            [Coordinates(latitude: latitude, longitude: -edge), last],
        ]
    }
}

extension Moment {
    /// UTC, as in 2027-05-01T08:30:00Z; nil outside of the years 1 to 9999, which dates of XML and others do not have.
    var utc: String? {
        guard (-62_135_596_800_000...253_402_300_799_999).contains(milliseconds) else { return nil }
        return Moment(milliseconds: milliseconds, zone: "UTC").localISO8601
    }
}
