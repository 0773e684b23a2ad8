import Foundation
import TravelingSnails
import TripStore

/// A trip as Traveling Snails has it, and what it lost on the way.
struct SnailsTrip {
    private let document: TripDocument
    private var losses: SnailsLosses
    private var zones: KnownZones
    private var items: [ExportedItem] = []
    private var total = CostTotal()

    /// Maps a trip, and notes what is lost. O(its items).
    static func map(
        _ document: TripDocument, _ losses: inout SnailsLosses, _ zones: inout KnownZones
    ) -> ExportedTrip {
        var trip = SnailsTrip(document: document, losses: losses, zones: zones)
        // The other copies go first, so that none is made.
        (losses, zones) = (SnailsLosses(known: nil), KnownZones())
        let exported = trip.map()
        (losses, zones) = (trip.losses, trip.zones)
        return exported
    }

    private init(document: TripDocument, losses: SnailsLosses, zones: KnownZones) {
        self.document = document
        self.losses = losses
        self.zones = zones
    }

    private mutating func map() -> ExportedTrip {
        let trip = document.contents.trip
        items.reserveCapacity(document.contents.items.count)
        for item in document.contents.items { map(item) }
        noteTrip()
        let startDay = trip.startDay.flatMap { $0.isRepresentable ? $0 : nil }
        let endDay = trip.effectiveEndDay.flatMap { $0.isRepresentable ? $0 : nil }
        let creation = trip.originalCreation.flatMap { ExportedInstant.isRepresentable($0) ? $0 : nil }
        if startDay != trip.startDay || endDay != trip.effectiveEndDay || creation != trip.originalCreation {
            losses.note(.distantTimes, "'\(trip.name)' (\(trip.id))")
        }
        if trip.endDay != trip.effectiveEndDay { losses.note(.reversedTimes, "'\(trip.name)' (\(trip.id))") }
        let zone = SnailsDays(of: items, from: startDay, to: endDay)
        return ExportedTrip(
            id: trip.id.uuid, name: trip.name, notes: trip.notes, createdDate: creation,
            startDate: startDay.map(zone.date), endDate: endDay.map(zone.date),
            isProtected: trip.isProtected, timeZone: startDay == nil && endDay == nil ? nil : zone.name,
            totalCost: total.number, items: items)
    }

    private mutating func noteTrip() {
        let contents = document.contents
        let trip = contents.trip
        var held = Trip(
            id: trip.id, name: trip.name, startDay: trip.startDay, endDay: trip.endDay, notes: trip.notes,
            isProtected: trip.isProtected, originalCreation: trip.originalCreation)
        held.setTimes(created: trip.createdAt, updated: trip.updatedAt)
        losses.noteFields(of: trip, beyond: held, .trip, named: trip.name)
        let name = "'\(trip.name)' (\(trip.id))"
        losses.note(.entities("budget"), count: contents.budgets.count, name)
        losses.note(.entities("checklist"), count: contents.checklists.count, name)
        losses.note(.entities("checklist entry"), count: contents.entries.count, name)
        losses.note(.attachments(of: .trip), count: document.attachments[trip.reference]?.count ?? 0, name)
        if trip.originalCreation.map(Self.hasFraction) == true { losses.note(.fractions, name) }
    }

    // MARK: Items

    private mutating func map(_ item: TripItem) {
        switch item {
        case .activity(let item):
            map(item, .activity)
            losses.noteFields(of: item, beyond: Self.held(of: item), .activity, named: item.name)
        case .lodging(let item):
            map(item, .lodging)
            losses.noteFields(of: item, beyond: Self.held(of: item), .lodging, named: item.name)
        case .transportation(let item):
            map(item, .transportation, mode: item.mode)
            var held = Self.held(of: item)
            held.mode = item.mode
            losses.noteFields(of: item, beyond: held, .transportation, named: item.name)
        }
    }

    private mutating func map<Kind>(_ item: Item<Kind>, _ kind: ExportedItem.Kind, mode: TransportationMode? = nil) {
        let start = item.start.flatMap { ExportedInstant.isRepresentable($0.date) ? $0 : nil }
        let end = item.effectiveEnd.flatMap { ExportedInstant.isRepresentable($0.date) ? $0 : nil }
        let placeholder = start ?? end
        let date = placeholder?.date ?? self.placeholder(item)
        if let cost = item.cost { total.add(cost) }
        items.append(
            ExportedItem(
                kind: kind, id: item.id.uuid, name: item.name, mode: mode.map(Self.name), start: start?.date ?? date,
                end: end?.date ?? date, hasStart: start != nil, hasEnd: end != nil,
                startTimeZone: zone(start, placeholder), endTimeZone: zone(end, placeholder),
                cost: item.cost.map {
                    DecimalNumber(minorUnits: $0.minorUnits, digits: $0.currency.minorDigits ?? 0)
                }, currency: item.cost?.currency.code, paid: Self.paid(item.paid), reservation: item.reservation,
                notes: item.notes, organizationID: item.organization?.uuid,
                customLocationName: item.customLocationName, hidesLocation: item.hidesLocation))
        note(item, mode, isOpen: start == nil || end == nil)
    }

    private mutating func note<Kind>(_ item: Item<Kind>, _ mode: TransportationMode?, isOpen: Bool) {
        var example: String { "'\(item.name)' (\(item.id))" }
        if item.start == nil || item.end == nil { losses.note(.openTimes, example) }
        if isOpen,
            [item.start, item.effectiveEnd].contains(where: {
                $0.map { !ExportedInstant.isRepresentable($0.date) } ?? false
            })
        {
            losses.note(.distantTimes, example)
        }
        if item.end != item.effectiveEnd { losses.note(.reversedTimes, example) }
        if ![item.start, item.effectiveEnd].allSatisfy({ $0.map { zones.has($0.zone) } ?? true }) {
            losses.note(.unknownZones, example)
        }
        if !PaidStatus.known.contains(where: { $0.value == item.paid }) {
            losses.note(.paidStatus(item.paid.description), example)
        }
        if item.start?.hasFraction == true || item.effectiveEnd?.hasFraction == true {
            losses.note(.fractions, example)
        }
        if let currency = item.cost?.currency, currency != "USD" { losses.note(.currency(currency.code), example) }
        if let mode {
            if !Self.appModes.contains(mode) { losses.note(.mode(Self.name(mode)), example) }
            if !item.customLocationName.isEmpty || item.hidesLocation { losses.note(.transportationPlaces, example) }
        }
        if let organization = item.organization, document.organizations[organization] == nil {
            losses.note(.missingOrganizations, example)
        }
    }

    /// With only what the format has, and the mode.
    private static func held<Kind>(of item: Item<Kind>) -> Item<Kind> {
        var held = Item<Kind>(
            id: item.id, name: item.name, in: item.trip, from: item.start, until: item.end, cost: item.cost,
            paid: item.paid, reservation: item.reservation, notes: item.notes,
            customLocationName: item.customLocationName, hidesLocation: item.hidesLocation,
            organization: item.organization)
        held.setTimes(created: item.createdAt, updated: item.updatedAt)
        return held
    }

    /// Where the app shows an item that has no time: on its day, or on the trip's first.
    private func placeholder<Kind>(_ item: Item<Kind>) -> Date {
        guard let day = item.startDay ?? item.endDay ?? document.contents.trip.startDay else { return .distantPast }
        return SnailsDays.utc.date(day)
    }

    /// The zone of a time, if a reader knows it: one that checks zones leaves an item with another one out.
    private mutating func zone(_ moment: Moment?, _ placeholder: Moment?) -> String? {
        (moment ?? placeholder).flatMap { zones.has($0.zone) ? $0.zone : nil }
    }

    // MARK: Words

    private static let appModes: Set<TransportationMode> = [.train, .plane, .boat, .car, .bicycle, .walking]

    private static func name(_ mode: TransportationMode) -> String { mode.description }

    private static func paid(_ status: PaidStatus) -> String {
        switch status {
        case .inFull: "infull"
        case .deposit: "deposit"
        default: "none"
        }
    }

    private static func hasFraction(_ date: Date) -> Bool {
        Moment(date, "UTC").hasFraction
    }
}

extension Moment {
    fileprivate var hasFraction: Bool { milliseconds % 1_000 != 0 }
}

extension Day {
    /// Whether it lies in the years 1 to 9999: peers may send others.
    fileprivate var isRepresentable: Bool { -719_162...2_932_896 ~= daysSince1970 }
}

/// Which zones the platform knows, by their names: most items of an export name the same few.
struct KnownZones {
    private static let mostNames = 1_000

    private var known: [String: Bool] = [:]

    mutating func has(_ name: String) -> Bool {
        if let isKnown = known[name] { return isKnown }
        if known.count >= Self.mostNames { known = [:] }
        let isKnown = Moment(milliseconds: 0, zone: name).timeZone != nil
        known[name] = isKnown
        return isKnown
    }
}

/// The sum of a trip's costs, which the app shows: nothing if they are of several currencies.
private struct CostTotal {
    private var sum: Int64 = 0
    private var currency: Currency?
    private var isKnown = true

    mutating func add(_ cost: Money) {
        guard isKnown else { return }
        let (next, overflow) = sum.addingReportingOverflow(cost.minorUnits)
        isKnown = !overflow && (currency ?? cost.currency) == cost.currency
        currency = cost.currency
        sum = next
    }

    var number: DecimalNumber? {
        isKnown ? DecimalNumber(minorUnits: sum, digits: currency?.minorDigits ?? 0) : nil
    }
}
