import Foundation

/// Reads one transportation, lodging or activity.
struct ItemDecoder {
    private var faults = Faults()
    /// The id of the item, which is known even when the rest of it is bad.
    private(set) var id: UUID?
    private var name = ""
    private var mode: String?
    private var start: Date?
    private var end: Date?
    private var startMilliseconds: DecimalNumber?
    private var endMilliseconds: DecimalNumber?
    private var hasStart = true
    private var hasEnd = true
    private var startTimeZone: String?
    private var endTimeZone: String?
    private var cost: DecimalNumber?
    private var currency: String?
    private var paid: String?
    private var confirmation = ""
    private var reservation = ""
    private var notes = ""
    private var organizationID: UUID?
    private var customLocationName = ""
    private var hidesLocation = false

    /// Reads the object that has just been entered, up to its end.
    mutating func read(_ reader: inout JSONReader) throws(ExportError) {
        while let key = try reader.nextKey() { try read(key, &reader) }
    }

    private mutating func read(_ key: ExportKey, _ reader: inout JSONReader) throws(ExportError) {
        switch key {
        case .id: id = try reader.uuid(&faults)
        case .name: name = try reader.text(&faults)
        case .type: mode = try reader.optionalText(&faults)
        case .start: start = try reader.date(&faults)
        case .end: end = try reader.date(&faults)
        case .startMilliseconds: startMilliseconds = try reader.number(&faults)
        case .endMilliseconds: endMilliseconds = try reader.number(&faults)
        case .hasStart: hasStart = try reader.flag(&faults) ?? true
        case .hasEnd: hasEnd = try reader.flag(&faults) ?? true
        case .startTZId: startTimeZone = try reader.optionalText(&faults)
        case .endTZId: endTimeZone = try reader.optionalText(&faults)
        case .cost: cost = try reader.number(&faults)
        case .currency: currency = try reader.optionalText(&faults)
        case .paid: paid = try reader.optionalText(&faults)
        case .confirmation: confirmation = try reader.text(&faults)
        case .reservation: reservation = try reader.text(&faults)
        case .notes: notes = try reader.text(&faults)
        case .organizationId: organizationID = try reader.uuid(&faults)
        case .customLocationName: customLocationName = try reader.text(&faults)
        case .hideLocation: hidesLocation = try reader.flag(&faults) ?? false
        default: try reader.skipValue()
        }
    }

    /// The decoded record.
    mutating func finish(_ kind: ExportedItem.Kind, at place: Mark, path: @autoclosure () -> String)
        -> Decoded<ExportedItem>
    {
        // A date beside a false flag is a placeholder, and need not even be valid.
        if !hasStart { faults.forget(.start) }
        if !hasEnd { faults.forget(.end) }
        start = start ?? (hasStart ? nil : .distantPast)
        end = end ?? (hasEnd ? nil : .distantPast)
        if faults.isEmpty {
            if id == nil { faults.add(.id, "`id` is missing") }
            if start == nil { faults.add(.start, "`start` is missing") }
            if end == nil { faults.add(.end, "`end` is missing") }
        }
        guard let id, let start, let end, faults.isEmpty else {
            return .bad(
                faults.problem(
                    place.place(path()), "the \(kind.rawValue) is left out", leavingOut: [.item(kind): 1]))
        }
        let (first, second) = kind == .transportation ? (confirmation, reservation) : (reservation, confirmation)
        return .good(
            ExportedItem(
                kind: kind, id: id, name: name, mode: mode, start: start.adding(startMilliseconds),
                end: end.adding(endMilliseconds), hasStart: hasStart, hasEnd: hasEnd, startTimeZone: startTimeZone,
                endTimeZone: endTimeZone, cost: cost, currency: currency, paid: paid,
                reservation: first.isEmpty ? second : first,
                notes: notes, organizationID: organizationID, customLocationName: customLocationName,
                hidesLocation: hidesLocation, place: place.place(path())))
    }
}
