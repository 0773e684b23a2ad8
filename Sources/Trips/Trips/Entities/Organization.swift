package import Events
import Foundation

/// The provider of an item: an airline, a hotel, a museum.
public struct Organization: NumberedEntity {
    public let id: Identifier<Organization>
    public var name = ""
    public var phone = ""
    public var email = ""
    public var website = ""
    public var logoURL = ""
    public var address: Address?
    var state = StoredState()

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

    init(blank id: ID) { self.id = id }

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
    static let builtInSchema = Schema<Organization>(
        .organization, "organization",
        EntityReader { id, record throws(WireError) in try Organization(id: Identifier(id), record: record) },
        [
            Field(builtIn: 1, "name", \.name, .name, search: .name, help: .common("The name.")),
            Field(builtIn: 7, "phone", \.phone, search: .contact, help: .common("A telephone number.")),
            Field(builtIn: 3, "email", \.email, search: .contact, help: .common("An e-mail address.")),
            Field(builtIn: 4, "website", \.website, search: .link, help: .common("The address of a website.")),
            Field(builtIn: 5, "logoURL", \.logoURL, help: .about(.more, "The address of a logo.")),
            Field(builtIn: 6, "address", \.address, search: .address, help: "The address."),
            .added(.links, as: [\.links]), .added(.contacts, as: [\.contacts]),
        ])

    /// Compiled for the kind.
    package init(id: ID, record: borrowing RecordView) throws(WireError) {
        self.init(blank: id)
        try read(record)
    }
}
