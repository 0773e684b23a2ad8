public import Events
public import Foundation

/// The provider of an item: an airline, a hotel, a museum.
public struct Organization: TripEntity {
    public let id: Identifier<Organization>
    public var name = ""
    public var phone = ""
    public var email = ""
    public var website = ""
    public var logoURL = ""
    public var address: Address?
    public var own = OwnValues()
    public private(set) var createdAt: Date?
    public private(set) var updatedAt: Date?

    /// An organization of which all but the name may be left out.
    public init(
        id: ID = .new(), name: String, phone: String = "", email: String = "", website: String = "",
        logoURL: String = "", address: Address? = nil
    ) {
        self.id = id
        self.name = name
        self.phone = phone
        self.email = email
        self.website = website
        self.logoURL = logoURL
        self.address = address
    }

    public init(id: ID) { self.id = id }

    /// Addresses on the web beside its website. Concurrent additions all count.
    public var links: [Link] {
        get { self[OwnList(.links)] }
        set { self[OwnList(.links)] = newValue }
    }

    /// Whom to turn to there, likewise.
    public var contacts: [Contact] {
        get { self[OwnList(.contacts)] }
        set { self[OwnList(.contacts)] = newValue }
    }
}

extension Organization {
    public static let schema = Schema<Organization>(
        kind, "organization",
        [
            Field(1, "name", \.name, .name, search: .name, help: "The name."),
            Field(7, "phone", \.phone, search: .contact, help: "A telephone number."),
            Field(3, "email", \.email, search: .contact, help: "An e-mail address."),
            Field(4, "website", \.website, search: .link, help: "The address of a website."),
            Field(5, "logoURL", \.logoURL, help: "The address of a logo."),
            Field(6, "address", \.address, search: .address, help: "The address."),
            .added(.links, as: [\.links]), .added(.contacts, as: [\.contacts]),
        ])

    public static let kind = EntityKind.organization

    public init(id: ID, record: borrowing RecordView) throws(WireError) {
        self.init(id: id)
        try read(record)
    }

    public mutating func setTimes(created: Date?, updated: Date?) { (createdAt, updatedAt) = (created, updated) }
}
