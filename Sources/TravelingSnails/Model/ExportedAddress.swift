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
    /// Degrees north, from -90 to 90; nil together with the longitude if unknown, which the file writes as 0, 0.
    public let latitude: Double?
    /// Degrees east, from -180 to 180; nil together with the latitude.
    public let longitude: Double?
    /// The whole address in one text, from `formattedAddress`.
    public let formatted: String
    /// Where the address begins in the file.
    public let place: Place
}
