import Foundation
import TravelingSnails
import TripStore

/// A trip as Traveling Snails has it, and what it lost on the way.
struct SnailsTrip {
    private let document: TripDocument
    private var losses: SnailsLosses
    private var items: [ExportedItem] = []
    private var total = CostTotal()

    /// Maps a trip, and notes what is lost. O(its items).
    static func map(_ document: TripDocument, _ losses: inout SnailsLosses) -> ExportedTrip {
        var trip = SnailsTrip(document: document, losses: losses)
        // The other copy goes first, so that none is made.
        losses = SnailsLosses()
        let exported = trip.map()
        losses = trip.losses
        return exported
    }

    private init(document: TripDocument, losses: SnailsLosses) {
        self.document = document
        self.losses = losses
    }

    private mutating func map() -> ExportedTrip {
        let trip = document.contents.trip
        items.reserveCapacity(document.contents.items.count)
        for item in document.contents.items { map(item) }
        noteTrip()
        let zone = SnailsDays(of: items, from: trip.startDay, to: trip.endDay)
        return ExportedTrip(
            id: trip.id.uuid, name: trip.name, notes: trip.notes, createdDate: trip.originalCreation,
            startDate: trip.startDay.map(zone.date), endDate: trip.endDay.map(zone.date),
            isProtected: trip.isProtected, timeZone: trip.startDay == nil && trip.endDay == nil ? nil : zone.name,
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
        let start = item.start.flatMap { $0.isRepresentable ? $0 : nil }
        let end = item.end.flatMap { $0.isRepresentable ? $0 : nil }
        let placeholder = start ?? end
        let date = placeholder?.date ?? self.placeholder(item)
        if let cost = item.cost { total.add(cost) }
        items.append(
            ExportedItem(
                kind: kind, id: item.id.uuid, name: item.name, mode: mode.map(Self.name), start: start?.date ?? date,
                end: end?.date ?? date, hasStart: start != nil, hasEnd: end != nil,
                startTimeZone: Self.zone(start, placeholder), endTimeZone: Self.zone(end, placeholder),
                cost: item.cost.map {
                    DecimalNumber(minorUnits: $0.minorUnits, digits: $0.currency.minorDigits ?? 0)
                }, currency: item.cost?.currency.code, paid: Self.paid(item.paid), reservation: item.reservation,
                notes: item.notes, organizationID: item.organization?.uuid,
                customLocationName: item.customLocationName, hidesLocation: item.hidesLocation))
        note(item, mode, isOpen: start == nil || end == nil)
    }

    private mutating func note<Kind>(_ item: Item<Kind>, _ mode: TransportationMode?, isOpen: Bool) {
        var example: String { "'\(item.name)' (\(item.id))" }
        if isOpen { losses.note(.openTimes, example) }
        if item.start?.hasFraction == true || item.end?.hasFraction == true { losses.note(.fractions, example) }
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

    private static func zone(_ moment: Moment?, _ placeholder: Moment?) -> String? {
        let name = (moment ?? placeholder)?.zone
        return name?.isEmpty == true ? nil : name
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

    /// Whether it lies in the years 1 to 9999: peers may send others.
    fileprivate var isRepresentable: Bool { -62_135_596_800_000...253_402_300_799_999 ~= milliseconds }
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
