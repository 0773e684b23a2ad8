public import Foundation

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
    /// Where the address begins in the file.
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
