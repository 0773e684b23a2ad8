import ArgumentParser
import Foundation
import TripStore

/// Options that change fields of an entity, if its kind has them.
protocol FieldOptions: ParsableArguments {
    /// The options that were given, as typed.
    var given: [String] { get }
}

struct NameOptions: FieldOptions {
    @Option(name: .long, help: "The name.")
    var name: String?

    var given: [String] { name == nil ? [] : ["--name"] }
}

struct NotesOptions: FieldOptions {
    @Option(name: .long, help: "Notes.")
    var notes: String?

    var given: [String] { notes == nil ? [] : ["--notes"] }
}

struct TripOptions: FieldOptions {
    @Option(name: .long, help: "Where the trip goes.")
    var destination: String?
    @Option(name: .long, help: "The first day, as 2027-05-01.")
    var startDate: Day?
    @Option(name: .long, help: "The last day.")
    var endDate: Day?
    @Flag(name: .long, inversion: .prefixedNo, help: "Whether apps ask before they show or change the trip.")
    var protected: Bool?

    var given: [String] {
        [
            destination.map { _ in "--destination" }, startDate.map { _ in "--start-date" },
            endDate.map { _ in "--end-date" }, protected.map { _ in "--protected" },
        ].compactMap { $0 }
    }

    func apply(to trip: inout Trip) {
        if let destination { trip.destination = destination }
        if let startDate { trip.startDay = startDate }
        if let endDate { trip.endDay = endDate }
        if let protected { trip.isProtected = protected }
    }
}

struct ItemOptions: FieldOptions {
    @Option(
        name: .long, help: "The trip that the item belongs to: its id, the first digits of that, its name, or 'last'.")
    var trip: EntityArgument?
    @Option(
        name: .long,
        help: "When it starts: local time in its zone, as 2027-05-01T10:00, or with an offset; or as JSON prints it.")
    var start: String?
    @Option(name: .long, help: "The zone of the start, as Europe/Lisbon.")
    var startTimeZone: String?
    @Option(name: .long, help: "When it ends.")
    var end: String?
    @Option(name: .long, help: "The zone of the end. Default: that of the start.")
    var endTimeZone: String?
    @Option(name: .long, parsing: .unconditional, help: "The cost, as 12.34, with --currency; or as JSON prints it.")
    var cost: String?
    @Option(name: .long, help: "The currency of the cost, as EUR.")
    var currency: String?
    @Option(name: .long, help: "What has been paid: none, deposit or in-full.")
    var paid: PaidArgument?
    @Option(name: [.long, .customLong("confirmation")], help: "The number of the reservation or confirmation.")
    var reservation: String?
    @Option(name: .long, help: "A name for the place.")
    var customLocationName: String?
    @Flag(name: .long, inversion: .prefixedNo, help: "Whether apps leave the place out.")
    var hidesLocation: Bool?
    @Option(name: .long, help: "The organization that runs it: its id, the first digits of that, or its name.")
    var organization: EntityArgument?

    var given: [String] {
        [
            trip.map { _ in "--trip" }, start.map { _ in "--start" }, startTimeZone.map { _ in "--start-time-zone" },
            end.map { _ in "--end" }, endTimeZone.map { _ in "--end-time-zone" }, cost.map { _ in "--cost" },
            currency.map { _ in "--currency" }, paid.map { _ in "--paid" }, reservation.map { _ in "--reservation" },
            customLocationName.map { _ in "--custom-location-name" }, hidesLocation.map { _ in "--hides-location" },
            organization.map { _ in "--organization" },
        ].compactMap { $0 }
    }

    func apply<Kind: ItemKind>(to item: inout Item<Kind>, _ links: ItemLinks) throws {
        if let trip = links.trip { item.trip = trip }
        item.start = try moment(start, startTimeZone, item.start, "--start", or: nil)
        item.end = try moment(end, endTimeZone, item.end, "--end", or: item.start?.zone)
        if let cost { item.cost = try money(cost, item.cost) } else if currency != nil { try needsCost(item.cost) }
        if let paid { item.paid = paid.status }
        if let reservation { item.reservation = reservation }
        if let customLocationName { item.customLocationName = customLocationName }
        if let hidesLocation { item.hidesLocation = hidesLocation }
        if let organization = links.organization { item.organization = organization }
    }

    /// Warns if the item was put, or its times were set, outside of its trip's days.
    func warn<Kind: ItemKind>(of item: Item<Kind>, in store: TripStore) throws {
        guard trip != nil || start != nil || end != nil || startTimeZone != nil || endTimeZone != nil,
            let trip = try item.trip.flatMap({ try store.trip($0) })
        else { return }
        if let warning = ItemWarnings(trip: trip).outside(item.start, item.effectiveEnd) {
            Console.current.warn(warning)
        }
    }

    /// What the options name. Throws if the organization is not there; of the trip the store says it.
    func links(in store: TripStore) throws -> ItemLinks {
        var links = ItemLinks()
        if let trip { links.trip = try store.trip(trip) }
        guard let organization else { return links }
        let reference = try store.entity(organization, of: [.organization])
        let id = Organization.ID(reference.id)
        guard try store.organization(id) != nil else {
            throw TripStoreError(
                .deleted,
                "There is no organization with the id \(id): it was deleted. Restore it with 'tripstore restore \(id)'.",
                entity: reference)
        }
        links.organization = id
        return links
    }

    private func moment(
        _ time: String?, _ zone: String?, _ present: Moment?, _ option: String, or fallback: String?
    ) throws -> Moment? {
        guard time != nil || zone != nil else { return present }
        let printed = try time.flatMap { try PrintedMoment(json: $0) }
        guard let zone = try zone ?? printed?.zone ?? present?.zone ?? fallback ?? Configuration.current()[.timeZone]
        else {
            throw CommandError("\(option) needs its zone: add \(option)-time-zone, as in Europe/Lisbon.")
        }
        // Who mends a zone alone means the time that the clocks there show.
        guard let time = printed?.time ?? time ?? present?.localTime else {
            throw CommandError("\(option)-time-zone needs \(option) beside it.")
        }
        let local = try LocalTime(parsing: time, in: zone)
        if let warning = local.warning { Console.current.warn("\(option) \(warning)") }
        return local.moment
    }

    private func money(_ cost: String, _ present: Money?) throws -> Money {
        if let printed = try PrintedMoney(json: cost) {
            return Money(minorUnits: printed.minor, Currency(unchecked: printed.currency))
        }
        guard let code = try currency ?? present?.currency.code ?? Configuration.current()[.currency] else {
            throw CommandError("--cost needs its currency: add --currency, as in EUR.")
        }
        return try Money(parsing: cost, Currency(code) ?? Currency(unchecked: code))
    }

    private func needsCost(_ present: Money?) throws {
        throw CommandError("--currency needs --cost beside it: an amount is not converted.")
    }
}

/// What an item refers to.
struct ItemLinks {
    var trip: Trip.ID?
    var organization: Organization.ID?
}

struct ModeOptions: FieldOptions {
    @Option(name: .long, help: "The mode of transportation.")
    var mode: TransportationMode?

    var given: [String] { mode == nil ? [] : ["--mode"] }
}

struct ContactOptions: FieldOptions {
    @Option(name: .long, help: "A telephone number.")
    var phone: String?
    @Option(name: .long, help: "An e-mail address.")
    var email: String?
    @Option(name: .long, help: "The address of a website.")
    var website: String?
    @Option(name: .long, help: "The address of a logo.")
    var logoUrl: String?

    var given: [String] {
        [
            phone.map { _ in "--phone" }, email.map { _ in "--email" }, website.map { _ in "--website" },
            logoUrl.map { _ in "--logo-url" },
        ].compactMap { $0 }
    }

    func apply(to organization: inout Organization) {
        if let phone { organization.phone = phone }
        if let email { organization.email = email }
        if let website { organization.website = website }
        if let logoUrl { organization.logoURL = logoUrl }
    }
}

struct AddressOptions: FieldOptions {
    @Option(name: .long, help: "Street and number.")
    var street: String?
    @Option(name: .long, help: "City.")
    var city: String?
    @Option(name: .long, help: "State or province.")
    var state: String?
    @Option(name: .long, help: "Country.")
    var country: String?
    @Option(name: .long, help: "Postal code.")
    var postalCode: String?
    @Option(name: .long, parsing: .unconditional, help: "Degrees north, -90 to 90; with --longitude.")
    var latitude: Double?
    @Option(name: .long, parsing: .unconditional, help: "Degrees east, -180 to 180; with --latitude.")
    var longitude: Double?
    @Option(name: .long, help: "The whole address in one text.")
    var formattedAddress: String?

    var given: [String] {
        [
            street.map { _ in "--street" }, city.map { _ in "--city" }, state.map { _ in "--state" },
            country.map { _ in "--country" }, postalCode.map { _ in "--postal-code" },
            latitude.map { _ in "--latitude" }, longitude.map { _ in "--longitude" },
            formattedAddress.map { _ in "--formatted-address" },
        ].compactMap { $0 }
    }

    func apply(to present: inout Address?) throws {
        guard !given.isEmpty else { return }
        var address = present ?? Address()
        if let street { address.street = street }
        if let city { address.city = city }
        if let state { address.state = state }
        if let country { address.country = country }
        if let postalCode { address.postalCode = postalCode }
        if let formattedAddress { address.formatted = formattedAddress }
        if latitude != nil || longitude != nil {
            guard let latitude = latitude ?? address.coordinates?.latitude,
                let longitude = longitude ?? address.coordinates?.longitude
            else { throw CommandError("Give --latitude and --longitude together.") }
            address.coordinates = Coordinates(latitude: latitude, longitude: longitude)
        }
        present = address.isEmpty ? nil : address
    }
}
