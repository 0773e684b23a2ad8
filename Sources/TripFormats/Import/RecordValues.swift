import Foundation
import TravelingSnails
import TripStore

/// The values of an export's trip, in the store's types.
struct TripValues: Sendable {
    let exported: ExportedTrip
    /// The zone in which days are counted.
    let zone: TimeZone
    /// Its name, as in the file or the option: the platform renames some zones, such as UTC to GMT.
    let zoneName: String

    init(_ exported: ExportedTrip, otherwise zone: TimeZone?) {
        self.exported = exported
        if let name = exported.timeZone, let zone = Moment(milliseconds: 0, zone: name).timeZone {
            (zoneName, self.zone) = (name, zone)
        } else if let first = Self.firstZone(of: exported.items) {
            (zoneName, self.zone) = first
        } else {
            let zone = zone ?? .gmt
            self.zone = zone
            zoneName = zone.identifier == TimeZone.gmt.identifier ? "UTC" : zone.identifier
        }
    }

    /// The start zone of the first item by start that has a known zone.
    private static func firstZone(of items: [ExportedItem]) -> (name: String, zone: TimeZone)? {
        var first: (start: Date, name: String, zone: TimeZone)?
        for item in items where item.hasStart && first.map({ item.start < $0.start }) ?? true {
            guard let name = item.startTimeZone, let zone = Moment(milliseconds: 0, zone: name).timeZone else {
                continue
            }
            first = (item.start, name, zone)
        }
        return first.map { ($0.name, $0.zone) }
    }

    var id: Trip.ID { Trip.ID(exported.id) }

    /// Sets the fields that the file has; it has no destination.
    func set(on trip: inout Trip) {
        trip.name = exported.name
        trip.notes = exported.notes
        let (start, end) = (exported.startDate.map { Day($0, in: zone) }, exported.endDate.map { Day($0, in: zone) })
        // An export has the end that is shown: one that a merge put before the start stays.
        if trip.startDay != start || trip.effectiveEndDay != end { trip.endDay = end }
        trip.startDay = start
        trip.isProtected = exported.isProtected
        if let created = exported.createdDate { trip.originalCreation = created }
    }
}

/// The values of an export's item, in the store's types.
struct ItemValues: Sendable {
    let exported: ExportedItem
    let trip: Trip.ID
    /// Nil where the file has only a placeholder.
    let start: Moment?
    let end: Moment?
    let cost: Money?
    let paid: PaidStatus
    let mode: TransportationMode
    /// Values that were changed.
    private(set) var warnings: [String] = []

    /// Throws `ExportError` if the cost is too large.
    init(_ exported: ExportedItem, in trip: Trip.ID, zone: String, currency: Currency) throws(ExportError) {
        self.exported = exported
        self.trip = trip
        // Lodgings and activities are at one location.
        let isAtOnePlace = exported.kind != .transportation
        let start = exported.startTimeZone ?? (isAtOnePlace ? exported.endTimeZone : nil) ?? zone
        let end = exported.endTimeZone ?? (isAtOnePlace ? exported.startTimeZone : nil) ?? zone
        self.start = exported.hasStart ? Moment(exported.start, start) : nil
        self.end = exported.hasEnd ? Moment(exported.end, end) : nil
        let named = exported.currency.flatMap { Currency($0) }
        let currency = named ?? currency
        let units = try exported.cost?.minorUnits(digits: currency.minorDigits ?? 0)
        // The app has no items without a cost: a cost of nothing is one only where its currency is named.
        cost = units.flatMap { $0 == 0 && named == nil ? nil : Money(minorUnits: $0, currency) }
        if let number = exported.cost, let units,
            !number.isExactly(minorUnits: units, digits: currency.minorDigits ?? 0)
        {
            let taken = Money(minorUnits: units, currency)
            warnings.append(
                "\(exported.place): the cost \(number.text.prefix(40)) has more decimals than \(currency) has: taken as \(taken)."
            )
        }
        let paid = Self.paid(exported.paid)
        let mode = exported.mode.map { TransportationMode.named($0) } ?? .other
        self.paid = paid ?? .none
        self.mode = mode ?? .other
        if let text = exported.currency, named == nil {
            warnings.append("\(exported.place): \"\(text.prefix(100))\" is no currency: taken as \(currency).")
        }
        if let text = exported.paid, paid == nil {
            warnings.append(
                "\(exported.place): \"\(text.prefix(100))\" says nothing known of what is paid: taken as none.")
        }
        if let text = exported.mode, mode == nil, !isAtOnePlace {
            warnings.append(
                "\(exported.place): \"\(text.prefix(100))\" is no known type of transportation: taken as other.")
        }
    }

    private static func paid(_ text: String?) -> PaidStatus? {
        switch text?.lowercased() {
        case "infull": .inFull
        case "deposit": .deposit
        case "none", nil: PaidStatus.none
        default: nil
        }
    }

    /// Sets the fields that the file has, except the mode; it has no address.
    /// - Parameter organization: nil to leave it unchanged.
    func set<Kind>(on item: inout Item<Kind>, organization: Organization.ID??) {
        item.name = exported.name
        item.trip = trip
        // As of trips.
        if item.start != start || item.effectiveEnd != end { item.end = end }
        item.start = start
        item.cost = cost
        item.paid = paid
        item.reservation = exported.reservation
        item.notes = exported.notes
        item.customLocationName = exported.customLocationName
        item.hidesLocation = exported.hidesLocation
        if let organization { item.organization = organization }
    }
}

extension TransportationMode {
    /// The mode with that name, in upper or lower case.
    fileprivate static func named(_ name: String) -> TransportationMode? {
        let name = name.lowercased()
        return known.first { $0.name == name }?.value
    }
}

extension ExportedItem {
    /// The item as the store names it.
    var reference: EntityReference {
        switch kind {
        case .activity: Activity.ID(id).reference
        case .lodging: Lodging.ID(id).reference
        case .transportation: Transportation.ID(id).reference
        }
    }
}

extension ExportedAttachment {
    /// The store's own id for it: attachments have ids of their own kind. One that was exported from a store is of that kind.
    var importedID: AttachedFile.ID {
        let own = AttachedFile.ID(id)
        return own.isOfKind ? own : .derived(from: "travelingsnails", id.uuidString)
    }

    /// The item that it belongs to.
    var owner: EntityReference {
        switch parentKind {
        case .activity: Activity.ID(parentID).reference
        case .lodging: Lodging.ID(parentID).reference
        case .transportation: Transportation.ID(parentID).reference
        }
    }

    /// Sets the fields that the file has; `content` is what its bytes were stored as.
    func set(on attachment: inout AttachedFile, _ content: ContentID) {
        attachment.name = name.isEmpty ? id.uuidString : name
        attachment.owner = owner
        attachment.content = content
        attachment.mediaType = mimeType
        attachment.caption = caption
    }
}

extension ExportedOrganization {
    /// Whether it stands for no organization.
    var isNone: Bool { name == "None" }

    /// Sets the fields that the file has.
    /// - Parameter keepsAddress: whether the file has an address that cannot be used.
    func set(on organization: inout Organization, keepsAddress: Bool) {
        organization.name = name
        organization.phone = phone
        organization.email = email
        organization.website = website
        organization.logoURL = logoURL
        if keepsAddress { return }
        organization.address = address.flatMap { exported in
            var address = Address(
                street: exported.street, city: exported.city, state: exported.state, country: exported.country,
                postalCode: exported.postalCode, formatted: exported.formatted)
            if let latitude = exported.latitude, let longitude = exported.longitude {
                address.coordinates = Coordinates(latitude: latitude, longitude: longitude)
            }
            return address.isEmpty ? nil : address
        }
    }
}
