import TripStore

/// What a calendar does not hold of trips and items, counted.
struct CalendarLosses {
    let hasCosts: Bool
    /// Trips and items without a day or a time.
    var undated = 0
    /// Items without a trip.
    var unfiled = 0
    var templates = 0
    private var costs = 0
    private var hidden = 0
    private var travellers = 0
    private var plans = 0
    private var files = 0
    private var zones: Set<String> = []

    init(hasCosts: Bool) { self.hasCosts = hasCosts }

    mutating func add(tripOf document: TripDocument) {
        let contents = document.contents
        plans += contents.budgets.count + contents.checklists.count
        travellers += contents.trip.travellers.isEmpty ? 0 : 1
        files += document.attachments[contents.trip.reference]?.count ?? 0
    }

    mutating func add(_ item: TripItem, _ times: ItemTimes, of document: TripDocument) {
        for moment in times.moments where moment.timeZone == nil { zones.insert(moment.zone) }
        if !hasCosts, item.cost != nil || item.paidAmount != nil { costs += 1 }
        if item.hidesLocation, item.hasPlace { hidden += 1 }
        if !item.participants.isEmpty || item.payer != nil { travellers += 1 }
        files += document.attachments[item.reference]?.count ?? 0
    }

    /// A sentence for each kind.
    var warnings: [String] {
        var warnings: [String] = []
        func warn(_ count: Int, _ text: String) { if count > 0 { warnings.append("\(text): \(count).") } }
        warn(undated, "Trips and items without a day or a time are left out")
        warn(unfiled, "Items without a trip are left out")
        warn(templates, "Templates are left out")
        warn(costs, "Items whose costs are left out, as nobody asked for costs")
        warn(hidden, "Items whose places are left out, as they hide them")
        warn(travellers, "Trips and items whose travellers and payers are left out")
        warn(plans, "Budgets and checklists that are left out")
        warn(files, "Attachments that are named without their bytes")
        for zone in zones.sorted() {
            warnings.append(
                "The zone \"\(zone.prefix(60))\" is not known here: calendars show its times in UTC.")
        }
        return warnings
    }
}

extension TripItem {
    fileprivate var hasPlace: Bool {
        if case .transportation(let journey) = self, !journey.departure.isEmpty || !journey.arrival.isEmpty {
            return true
        }
        return self.address != nil || !self.customLocationName.isEmpty
    }
}
