import ArgumentParser
import Foundation
import TripStore

/// Options that change fields of an entity, if it is of a kind that has them.
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
    @Option(name: .long, help: "The trip that the item belongs to.")
    var trip: UUID?
    @Option(name: .long, help: "When it starts: local time in its zone, as 2027-05-01T10:00, or with an offset.")
    var start: String?
    @Option(name: .long, help: "The zone of the start, as Europe/Lisbon.")
    var startTimeZone: String?
    @Option(name: .long, help: "When it ends.")
    var end: String?
    @Option(name: .long, help: "The zone of the end. Default: that of the start.")
    var endTimeZone: String?
    @Option(name: .long, parsing: .unconditional, help: "The cost, as 12.34; with --currency.")
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
    @Option(name: .long, help: "The id of the organization that runs it.")
    var organization: UUID?

    var given: [String] {
        [
            trip.map { _ in "--trip" }, start.map { _ in "--start" }, startTimeZone.map { _ in "--start-time-zone" },
            end.map { _ in "--end" }, endTimeZone.map { _ in "--end-time-zone" }, cost.map { _ in "--cost" },
            currency.map { _ in "--currency" }, paid.map { _ in "--paid" }, reservation.map { _ in "--reservation" },
            customLocationName.map { _ in "--custom-location-name" }, hidesLocation.map { _ in "--hides-location" },
            organization.map { _ in "--organization" },
        ].compactMap { $0 }
    }

    func apply<Kind: ItemKind>(to item: inout Item<Kind>) throws {
        if let trip { item.trip = Trip.ID(trip) }
        item.start = try moment(start, startTimeZone, item.start, "--start", or: nil)
        item.end = try moment(end, endTimeZone, item.end, "--end", or: item.start?.zone)
        if let cost { item.cost = try money(cost, item.cost) } else if currency != nil { try needsCost(item.cost) }
        if let paid { item.paid = paid.status }
        if let reservation { item.reservation = reservation }
        if let customLocationName { item.customLocationName = customLocationName }
        if let hidesLocation { item.hidesLocation = hidesLocation }
        if let organization { item.organization = Organization.ID(organization) }
    }

    /// Throws if the organization that is named is not there.
    func check(in store: TripStore) throws {
        guard let organization, try store.read({ try $0.entity(Organization.ID(organization)) }) == nil else { return }
        let reference = Organization.ID(organization).reference
        let isDeleted = try store.read { try $0.record(of: reference) }?.isDeleted == true
        throw TripStoreError(
            isDeleted ? .deleted : .unknownEntity,
            "There is no organization with the id \(organization.uuidString)"
                + (isDeleted
                    ? ": it was deleted. Restore it with 'tripstore restore \(organization.uuidString)'."
                    : ". Check the id."),
            entity: reference)
    }

    private func moment(
        _ time: String?, _ zone: String?, _ present: Moment?, _ option: String, or fallback: String?
    ) throws -> Moment? {
        guard time != nil || zone != nil else { return present }
        guard let zone = zone ?? present?.zone ?? fallback else {
            throw CommandError("\(option) needs its zone: add \(option)-time-zone, as in Europe/Lisbon.")
        }
        guard let time else {
            guard var moment = present else { throw CommandError("\(option)-time-zone needs \(option) beside it.") }
            moment.zone = zone
            return moment
        }
        return try Moment(parsing: time, in: zone)
    }

    private func money(_ cost: String, _ present: Money?) throws -> Money {
        guard let code = currency ?? present?.currency.code else {
            throw CommandError("--cost needs its currency: add --currency, as in EUR.")
        }
        return try Money(parsing: cost, Currency(code) ?? Currency(unchecked: code))
    }

    private func needsCost(_ present: Money?) throws {
        throw CommandError("--currency needs --cost beside it: an amount is not converted.")
    }
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
