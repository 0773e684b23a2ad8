import Foundation

/// Reads one trip with its items.
struct TripDecoder {
    private var faults = Faults()
    private var id: UUID?
    private var name = ""
    private var notes = ""
    private var createdDate: Date?
    private var createdMilliseconds: DecimalNumber?
    private var timeZone: String?
    private var startDate: Date?
    private var endDate: Date?
    private var hasStartDate = true
    private var hasEndDate = true
    private var isProtected = false
    private var totalCost: DecimalNumber?
    private var transportation = ItemList(.transportation)
    private var lodging = ItemList(.lodging)
    private var activities = ItemList(.activity)

    /// Reads the object whose brace is the next byte.
    static func decode(_ reader: inout JSONReader) throws(ExportError) -> Decoded<ExportedTrip> {
        let mark = reader.mark
        try reader.beginObject()
        var decoder = TripDecoder()
        while let key = try reader.nextKey() { try decoder.read(key, &reader) }
        return try decoder.finish(mark.place(reader.path), &reader)
    }

    private mutating func read(_ key: ExportKey, _ reader: inout JSONReader) throws(ExportError) {
        switch key {
        case .id: id = try reader.uuid(&faults)
        case .name: name = try reader.text(&faults)
        case .notes: notes = try reader.text(&faults)
        case .createdDate: createdDate = try reader.date(&faults)
        case .createdDateMilliseconds: createdMilliseconds = try reader.number(&faults)
        case .timeZone: timeZone = try reader.optionalText(&faults)
        case .startDate: startDate = try reader.date(&faults)
        case .endDate: endDate = try reader.date(&faults)
        case .hasStartDate: hasStartDate = try reader.flag(&faults) ?? true
        case .hasEndDate: hasEndDate = try reader.flag(&faults) ?? true
        case .isProtected: isProtected = try reader.flag(&faults) ?? false
        case .totalCost: totalCost = try reader.number(&faults)
        case .transportation: try transportation.readIDs(&reader, &faults)
        case .lodging: try lodging.readIDs(&reader, &faults)
        case .activities: try activities.readIDs(&reader, &faults)
        case .embeddedTransportation: try transportation.readItems(&reader, &faults)
        case .embeddedLodging: try lodging.readItems(&reader, &faults)
        case .embeddedActivities: try activities.readItems(&reader, &faults)
        default: try reader.skipValue()
        }
    }

    private mutating func finish(
        _ place: Place, _ reader: inout JSONReader
    ) throws(ExportError) -> Decoded<ExportedTrip> {
        // A date beside a false flag is a placeholder, and need not even be valid.
        if !hasStartDate { faults.forget(.startDate) }
        if !hasEndDate { faults.forget(.endDate) }
        if id == nil, faults.isEmpty { faults.add(.id, "`id` is missing") }
        guard let id, faults.isEmpty else {
            return .bad(faults.problem(place, "the trip is left out with its items", leavingOut: records))
        }
        // Almost always only one of the three has items and none has problems: an empty list is not worth a copy of the
        // others.
        var items: [ExportedItem] = []
        var problems: [ExportProblem] = []
        transportation.move(to: &items, &problems)
        lodging.move(to: &items, &problems)
        activities.move(to: &items, &problems)
        try addUnembedded(place, to: &problems, &reader)
        return .good(
            ExportedTrip(
                id: id, name: name, notes: notes, createdDate: createdDate?.adding(createdMilliseconds),
                startDate: hasStartDate ? startDate : nil,
                endDate: hasEndDate ? endDate : nil, isProtected: isProtected, timeZone: timeZone, totalCost: totalCost,
                items: items, problems: problems, place: place))
    }

    /// The records that are left out with the trip.
    private var records: [RecordKind: Int] {
        var counts: [RecordKind: Int] = [.trip: 1]
        for list in [transportation, lodging, activities] where list.recordCount > 0 {
            counts[.item(list.kind)] = list.recordCount
        }
        return counts
    }

    /// Adds a problem for every id that is listed without an embedded object in any of the three lists.
    private func addUnembedded(
        _ trip: Place, to problems: inout [ExportProblem], _ reader: inout JSONReader
    ) throws(ExportError) {
        if transportation.isInOrder && lodging.isInOrder && activities.isInOrder { return }
        let embedded = Set(transportation.embedded + lodging.embedded + activities.embedded)
        for (list, key) in [(transportation, "transportation"), (lodging, "lodging"), (activities, "activities")] {
            for listed in list.listed where !embedded.contains(listed.id) {
                let place = listed.mark.place("\(trip.path).\(key)[\(listed.index)]")
                try reader.noteProblem(at: place)
                problems.append(
                    ExportProblem(
                        place: place,
                        reason: "the trip lists the \(list.kind.rawValue) \(listed.id) and does not hold it."))
            }
        }
    }
}

extension JSONReader {
    /// The next element of the list of trips, which has been entered; nil at the end of the list, which it leaves.
    mutating func nextTrip() throws(ExportError) -> Decoded<ExportedTrip>? {
        guard try nextElement() else { return nil }
        if let problem = try problemOfElement("A trip", .trip) { return .bad(problem) }
        let trip = try TripDecoder.decode(&self)
        if case .bad(let problem) = trip { try noteProblem(at: problem.place) }
        return trip
    }

    /// Makes a reader that was opened at the bracket of a list of the root one that came there from the root.
    mutating func enterFromRoot(_ key: ExportKey) throws(ExportError) {
        outer.append(top)
        top = Frame(kind: .object, isFresh: false, key: key)
        try beginList()
    }
}
