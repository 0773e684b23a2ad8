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
    /// Where the organization begins in the file.
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
