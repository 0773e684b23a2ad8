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
    public package(set) var createdAt: Date?
    public package(set) var updatedAt: Date?

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
}

extension Organization {
    /// The fields and their numbers in the log.
    public enum Field: UInt32, EntityField {
        case name = 1
        case email = 3
        case website = 4
        case logoURL = 5
        case address = 6
        case phone = 7
    }

    public static let kind = EntityKind.organization

    public static let fields = Field.allCases

    public static let fieldSet = Set(fields)

    public init(id: ID, record: borrowing RecordView) throws(WireError) {
        // Not through another initialiser: the finished value would be copied.
        self.id = id
        (createdAt, updatedAt) = try read(record)
    }

    public init(id: ID, record: EntityRecord) {
        self.init(id: id)
        (createdAt, updatedAt) = read(record)
    }

    public func encoded(_ field: Field) -> [UInt8]? {
        switch field {
        case .name: name.encodedValue
        case .phone: phone.encodedValue
        case .email: email.encodedValue
        case .website: website.encodedValue
        case .logoURL: logoURL.encodedValue
        case .address: address?.encodedValue
        }
    }

    public mutating func decode(_ field: Field, _ value: [UInt8]?) { decodeCopy(field, value) }

    mutating func decode(_ field: Field, _ value: UnsafeRawBufferPointer?) {
        switch field {
        case .name: name = String.decoded(value) ?? ""
        case .phone: phone = String.decoded(value) ?? ""
        case .email: email = String.decoded(value) ?? ""
        case .website: website = String.decoded(value) ?? ""
        case .logoURL: logoURL = String.decoded(value) ?? ""
        case .address: address = Address.decoded(value)
        }
    }
}

extension Organization.Field: SchemaField {
    var isJudgedWithOthers: Bool { false }

    var isName: Bool { self == .name }

    var valueType: any FieldValue.Type {
        switch self {
        case .name, .phone, .email, .website, .logoURL: String.self
        case .address: Address.self
        }
    }
}
