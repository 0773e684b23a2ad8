public import Foundation
public import GRDB

/// A trip as read from SQLite. Rows are read by hand and by column number, which is GRDB's fastest way.
public struct TripRecord: FetchableRecord, Sendable {
    static let columns = "id, name, destination, notes, start_day, end_day, is_protected, created_at, updated_at"

    public let id: UUID
    public let name: String
    public let destination: String
    public let notes: String
    public let startDay: Int?
    public let endDay: Int?
    public let isProtected: Bool
    public let createdAt: Int64
    public let updatedAt: Int64

    public init(row: Row) {
        id = row[0]
        name = row[1]
        destination = row[2]
        notes = row[3]
        startDay = row[4]
        endDay = row[5]
        isProtected = row[6]
        createdAt = row[7]
        updatedAt = row[8]
    }
}

/// The cost of a trip's items in a currency, and their number.
public struct TotalRecord: FetchableRecord, Sendable {
    public let trip: UUID
    public let currency: String?
    public let items: Int
    public let sum: Int64

    public init(row: Row) {
        trip = row[0]
        currency = row[1]
        items = row[2]
        sum = row[3]
    }
}

/// A row of a page: a trip, and the sums over its items.
public struct TripRowRecord: Sendable {
    public let trip: TripRecord
    public let totals: [TotalRecord]
}

/// An item as read from SQLite.
public struct ItemRecord: FetchableRecord, Sendable {
    static let columns = """
        id, kind, trip, name, start_at, start_zone, end_at, end_zone, cost, currency, paid, reservation, notes, location, \
        hides_location, street, city, state, country, postal_code, latitude, longitude, formatted, organization, mode, \
        created_at, updated_at
        """

    public let id: UUID
    public let kind: Int
    public let trip: UUID
    public let name: String
    public let startAt: Int64?
    public let startZone: String?
    public let endAt: Int64?
    public let endZone: String?
    public let cost: Int64?
    public let currency: String?
    public let paid: Int
    public let reservation: String
    public let notes: String
    public let location: String
    public let hidesLocation: Bool
    public let street: String?
    public let city: String?
    public let state: String?
    public let country: String?
    public let postalCode: String?
    public let latitude: Double?
    public let longitude: Double?
    public let formatted: String?
    public let organization: UUID?
    public let mode: Int
    public let createdAt: Int64
    public let updatedAt: Int64

    public init(row: Row) {
        id = row[0]
        kind = row[1]
        trip = row[2]
        name = row[3]
        startAt = row[4]
        startZone = row[5]
        endAt = row[6]
        endZone = row[7]
        cost = row[8]
        currency = row[9]
        paid = row[10]
        reservation = row[11]
        notes = row[12]
        location = row[13]
        hidesLocation = row[14]
        street = row[15]
        city = row[16]
        state = row[17]
        country = row[18]
        postalCode = row[19]
        latitude = row[20]
        longitude = row[21]
        formatted = row[22]
        organization = row[23]
        mode = row[24]
        createdAt = row[25]
        updatedAt = row[26]
    }
}
