import Events
import Foundation

/// The rules that values must meet before this replica writes them. They are never applied to what peers wrote.
enum Rules {
    /// 1 MiB of UTF-8.
    static let longestText = 1 << 20

    static func name(_ name: String) throws(ValidationError) {
        guard name.unicodeScalars.contains(where: \.isVisible) else {
            throw ValidationError(
                .emptyName, "The name \"\(name.prefix(100))\" is empty. Give it at least one visible character.")
        }
    }

    static func required(_ text: String?) throws(ValidationError) {
        guard let text, text.unicodeScalars.contains(where: \.isVisible) else {
            throw ValidationError(.missingValue, "The field must have a value, and has none. Give it one.")
        }
    }

    static func text(_ text: String) throws(ValidationError) {
        guard text.utf8.count <= longestText else {
            throw ValidationError(
                .tooLong, "The text has \(text.utf8.count) bytes and may have \(longestText). Shorten it.")
        }
    }

    static func date(_ date: Date) throws(ValidationError) {
        try milliseconds(date.milliseconds)
    }

    static func moment(_ moment: Moment) throws(ValidationError) {
        try milliseconds(moment.milliseconds)
        guard moment.timeZone != nil else { throw .unknownTimeZone(moment.zone) }
    }

    private static func milliseconds(_ milliseconds: Int64) throws(ValidationError) {
        guard Moment.representable ~= milliseconds else {
            throw ValidationError(
                .dateOutOfRange,
                "The instant \(milliseconds) ms since 1970 is not in the years 1 to 9999. Check its unit and its sign.")
        }
    }

    static func order<Value: SpanValue>(_ start: Value?, _ end: Value?) throws(ValidationError) {
        guard let start, let end, end.order < start.order else { return }
        throw endBeforeStart(start.text, end.text)
    }

    private static func endBeforeStart(_ start: String, _ end: String) -> ValidationError {
        ValidationError(
            .endBeforeStart, "The end \(end) is before the start \(start). Move one of them, or change both at once.")
    }

    /// Any amount is valid: a refund is a negative cost.
    static func money(_ money: Money) throws(ValidationError) {
        guard !money.currency.isKnown else { return }
        throw .unknownCurrency(money.currency)
    }

    static func address(_ address: Address) throws(ValidationError) {
        for part in [
            address.street, address.city, address.state, address.country, address.postalCode, address.formatted,
        ] {
            try text(part)
        }
        if let place = address.coordinates { try coordinates(place) }
    }

    static func coordinates(_ place: Coordinates) throws(ValidationError) {
        guard !place.isInRange else { return }
        throw ValidationError(
            .invalidCoordinates,
            "Latitude \(place.latitude) and longitude \(place.longitude) are no place. "
                + "Use -90 to 90 and -180 to 180 degrees, or leave the coordinates out.")
    }

    static func trip(isNamed: Bool) throws(ValidationError) {
        guard !isNamed else { return }
        throw ValidationError(.missingTrip, "An item belongs to a trip and this one names none. Name one.")
    }
}

extension Unicode.Scalar {
    /// Whether it is visible: no white space, no control character, nothing without width.
    fileprivate var isVisible: Bool {
        !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint && properties.generalCategory != .control
    }
}
