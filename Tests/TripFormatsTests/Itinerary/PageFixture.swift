import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStore

@testable import TripFormats

/// Pages of a trip's itinerary.
enum PageFixture {
    static let days = Day(2027, 4, 2)...Day(2027, 4, 5)

    static func time(_ text: String, _ zone: String) throws -> Moment { try Moment(parsing: text, in: zone) }

    static func page(
        _ items: [TripItem], of trip: Trip = Trip(name: "Japan", days: days),
        travellers: [Traveller] = [], organizations: [Organization] = [], files: [(TripItem, AttachedFile)] = [],
        _ options: ItineraryPage.Options = .init()
    ) async throws -> (html: String, leftOut: [ItineraryPage.LeftOut]) {
        let document = TripDocument(
            contents: TripContents(trip: trip, items: items),
            travellers: Dictionary(uniqueKeysWithValues: travellers.map { ($0.id, $0) }),
            organizations: Dictionary(uniqueKeysWithValues: organizations.map { ($0.id, $0) }),
            attachments: Dictionary(grouping: files, by: \.0.reference).mapValues { $0.map(\.1) })
        return try await ItineraryPage.html(document, options)
    }

    static func content(_ size: Int64) throws -> ContentID {
        let root = try #require(Digest(String(repeating: "ab", count: 32)))
        return try #require(ContentID(root: root, size: size))
    }

    /// The names of the open elements where one is closed that is not the innermost, or at the end; empty of a sound page.
    static func unbalanced(_ html: String) -> [String] {
        var open: [String] = []
        for match in html.matches(of: /<(\/?)([a-z][a-z0-9]*)[^<>]*>/) {
            let name = String(match.output.2)
            if ["meta", "img"].contains(name) { continue }
            if match.output.1.isEmpty {
                open.append(name)
            } else if open.last == name {
                open.removeLast()
            } else {
                return open + ["/" + name]
            }
        }
        return open
    }
}
