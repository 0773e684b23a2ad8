public import Foundation

/// An airline, a hotel or another company that items are booked with.
public struct ExportedOrganization: Sendable, Hashable {
    /// The identity that items name in `organizationID`.
    public let id: UUID
    /// The name; "None" is the name of the entry that stands for no organization, which is not treated specially here.
    public let name: String
    /// The telephone number as it stands; empty when the file gives none.
    public let phone: String
    /// The mail address as it stands; empty when the file gives none.
    public let email: String
    /// The address of the site as it stands, unchecked; empty when the file gives none.
    public let website: String
    /// The address of the logo as it stands, unchecked; empty when the file gives none.
    public let logoURL: String
    /// The postal address; nil if missing or unusable; an unusable one is among the problems.
    public let address: ExportedAddress?
    /// The place in the file at which the organization begins.
    public let place: Place

    /// Makes an organization from its parts.
    public init(
        id: UUID, name: String, phone: String = "", email: String = "", website: String = "", logoURL: String = "",
        address: ExportedAddress? = nil, place: Place = .start
    ) {
        self.id = id
        self.name = name
        self.phone = phone
        self.email = email
        self.website = website
        self.logoURL = logoURL
        self.address = address
        self.place = place
    }
}

/// A postal address, of an organization or of the file's own list. Texts are empty if the file has none.
public struct ExportedAddress: Sendable, Hashable {
    /// The identity; nil when missing or empty.
    public let id: UUID?
    /// Street and number.
    public let street: String
    /// City or town.
    public let city: String
    /// State, province or region.
    public let state: String
    /// Country, as typed.
    public let country: String
    /// Postal code.
    public let postalCode: String
    /// Degrees north, from -90 to 90; nil together with the longitude if unknown, which the file writes as 0, 0; unless
    /// it has the key `hasCoordinates`, which the app does not know.
    public let latitude: Double?
    /// Degrees east, from -180 to 180; nil together with the latitude.
    public let longitude: Double?
    /// The whole address in one text, from `formattedAddress`.
    public let formatted: String
    /// The place in the file at which the address begins.
    public let place: Place

    /// Makes an address from its parts.
    public init(
        id: UUID?, street: String = "", city: String = "", state: String = "", country: String = "",
        postalCode: String = "", latitude: Double? = nil, longitude: Double? = nil, formatted: String = "",
        place: Place = .start
    ) {
        self.id = id
        self.street = street
        self.city = city
        self.state = state
        self.country = country
        self.postalCode = postalCode
        self.latitude = latitude
        self.longitude = longitude
        self.formatted = formatted
        self.place = place
    }
}
