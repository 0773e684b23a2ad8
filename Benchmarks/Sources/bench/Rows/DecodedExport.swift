import Foundation

/// An export decoded by Foundation.
protocol Export: Decodable {
    var tripCount: Int { get }
}

/// The export as the synthesized decoder reads it, with the types that its values have: those that the import needs.
typealias DecodedExport = ExportRecord<UUID, Date, Decimal>

/// The same with the least work: text stays text.
typealias LeanExport = ExportRecord<String, String, Double>

struct ExportRecord<ID: Decodable, Instant: Decodable, Amount: Decodable>: Export {
    struct Info: Decodable {
        let version: String
        let timestamp: Instant
        let format: String
        let includesAttachments: Bool
    }

    struct Trip: Decodable {
        let id: ID
        let name: String
        let notes: String
        let createdDate: Instant
        let startDate: Instant
        let endDate: Instant
        let hasStartDate: Bool
        let hasEndDate: Bool
        let totalCost: Amount
        let isProtected: Bool
        let transportation: [ID]
        let lodging: [ID]
        let activities: [ID]
        let embeddedTransportation: [Item]
        let embeddedLodging: [Item]
        let embeddedActivities: [Item]
    }

    struct Item: Decodable {
        let id: ID
        let name: String
        let type: String?
        let start: Instant
        let end: Instant
        let startTZId: String
        let endTZId: String
        let cost: Amount
        let paid: String
        let confirmation: String?
        let reservation: String?
        let notes: String
        let organizationId: String
        let customLocationName: String?
        let hideLocation: Bool?
    }

    struct Organization: Decodable {
        let id: ID
        let name: String
        let phone: String
        let email: String
        let website: String
        let logoURL: String
        let cachedLogoFilename: String
    }

    let exportInfo: Info
    let trips: [Trip]
    let organizations: [Organization]

    var tripCount: Int { trips.count }
}
