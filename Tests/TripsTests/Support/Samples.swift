import Events
import Foundation
import TestSupport

@testable import Trips

/// An entity of each kind in which every field has a value, and lists have no elements.
enum Samples {
    static let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    static let uuidText = "01020304-0506-0708-090A-0B0C0D0E0F10"
    static let otherUUID = UUID(uuid: (255, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    static let otherUUIDText = "FF020304-0506-0708-090A-0B0C0D0E0F10"

    /// 2027-05-01T08:30:00Z, in Lisbon half past nine.
    static let morning = Moment(milliseconds: 1_809_160_200_000, zone: "Europe/Lisbon")
    static let morningInMadrid = Moment(milliseconds: morning.milliseconds, zone: "Europe/Madrid")
    static let noon = Moment(milliseconds: 1_809_169_200_000, zone: "Europe/Madrid")

    static let address = Address(
        street: "Rua A 1", city: "Lisboa", state: "LX", country: "Portugal", postalCode: "1000-001",
        coordinates: Coordinates(latitude: 38.5, longitude: -9.25), formatted: "Rua A 1\n1000-001 Lisboa")

    static let trip: Trip = {
        var trip = Trip(
            id: Trip.ID(uuid), name: "Lisbon", destination: "Lisboa", days: Day(2027, 5, 1)...Day(2027, 5, 8),
            notes: "By train", isProtected: true, originalCreation: Date(milliseconds: 1_500))
        trip.archivedAt = Date(milliseconds: 2_500)
        trip.status = .processing
        trip.stage = .booked
        trip.cover = otherUUID
        trip.color = "#2A6F97"
        var generator = SeededGenerator(seed: 1)
        trip.rank = .between(nil, nil, using: &generator)
        return trip
    }()

    static let activity: Activity = item()
    static let lodging: Lodging = {
        var lodging: Lodging = item()
        lodging.checkIn = morning
        lodging.checkOut = noon
        return lodging
    }()
    static let transportation: Transportation = {
        var transportation: Transportation = item()
        transportation.mode = .train
        transportation.carrier = "CP"
        transportation.number = "AP 182"
        transportation.seat = "12A"
        transportation.travelClass = "2"
        transportation.departure = TravelPlace(
            name: "Lisboa Santa Apolónia", code: "94-30007", terminal: "1", gate: "4", address: address)
        transportation.arrival = TravelPlace(
            name: "Porto Campanhã", code: "94-2006", terminal: "2", gate: "6", address: Address(city: "Porto"))
        return transportation
    }()

    static let organization = Organization(
        id: Organization.ID(uuid), name: "CP", phone: "+351", email: "cp@example.org", website: "https://example.org",
        logoURL: "https://example.org/logo", address: address)

    private static func item<Kind: ItemKind>() -> Item<Kind> {
        var item = Item<Kind>(
            id: Identifier(uuid), name: "Tram 28", in: Trip.ID(otherUUID), from: morning, until: noon,
            cost: Money(minorUnits: 310, "EUR"), paid: .deposit, reservation: "ABC", notes: "Left side",
            customLocationName: "The stop", hidesLocation: true, address: address,
            organization: Organization.ID(otherUUID))
        item.status = .failed
        item.stage = .booked
        (item.startDay, item.endDay) = (Day(2027, 5, 1), Day(2027, 5, 2))
        item.paidAmount = Money(minorUnits: 100, "EUR")
        item.category = "transport"
        return item
    }
}
