import Foundation

/// Reads one address: an element of `addresses`, or the `address` of an organization.
struct AddressDecoder {
    private var faults = Faults()
    private var id: UUID?
    private var street = ""
    private var city = ""
    private var state = ""
    private var country = ""
    private var postalCode = ""
    private var latitude: Double?
    private var longitude: Double?
    private var hasCoordinates = false
    private var formatted = ""

    /// Reads the object whose brace is the next byte.
    static func decode(_ reader: inout JSONReader) throws(ExportError) -> Decoded<ExportedAddress> {
        let place = reader.place
        try reader.beginObject()
        var decoder = AddressDecoder()
        while let key = try reader.nextKey() { try decoder.read(key, &reader) }
        return decoder.finish(place)
    }

    private mutating func read(_ key: ExportKey, _ reader: inout JSONReader) throws(ExportError) {
        switch key {
        case .id: id = try reader.uuid(&faults)
        case .street: street = try reader.text(&faults)
        case .city: city = try reader.text(&faults)
        case .state: state = try reader.text(&faults)
        case .country: country = try reader.text(&faults)
        case .postalCode: postalCode = try reader.text(&faults)
        case .latitude: latitude = try degrees(&reader, within: 90)
        case .longitude: longitude = try degrees(&reader, within: 180)
        case .hasCoordinates: hasCoordinates = try reader.flag(&faults) ?? false
        case .formattedAddress: formatted = try reader.text(&faults)
        default: try reader.skipValue()
        }
    }

    private mutating func degrees(_ reader: inout JSONReader, within limit: Double) throws(ExportError) -> Double? {
        _ = try reader.peek()
        let mark = reader.mark
        guard let number = try reader.number(&faults) else { return nil }
        if let degrees = Double(number.text), abs(degrees) <= limit { return degrees }
        let key = reader.top.key
        faults.add(
            key, at: mark.place(reader.path),
            "`\(key.rawValue)` must lie between -\(Int(limit)) and \(Int(limit)): \(number.text.excerpt())")
        return nil
    }

    private mutating func finish(_ place: Place) -> Decoded<ExportedAddress> {
        if faults.isEmpty, (latitude == nil) != (longitude == nil) {
            faults.add(.latitude, "`latitude` and `longitude` must be given together")
        }
        guard faults.isEmpty else { return .bad(faults.problem(place, "the address is left out")) }
        // The app writes 0, 0 for unknown coordinates; nobody lives there.
        let isKnown = hasCoordinates || latitude != 0 || longitude != 0
        return .good(
            ExportedAddress(
                id: id, street: street, city: city, state: state, country: country, postalCode: postalCode,
                latitude: isKnown ? latitude : nil, longitude: isKnown ? longitude : nil, formatted: formatted,
                place: place))
    }
}
