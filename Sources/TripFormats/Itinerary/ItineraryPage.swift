import EventLog
public import Foundation
public import TripStore

/// Trips as one HTML page for people: to hand on, to read on a phone without a network, and to print.
///
/// The page loads nothing and runs no script; its policy (`Content-Security-Policy`) forbids both. It is written piece by piece, so that
/// memory holds one trip and one attachment at a time:
///
/// ```swift
/// var page = ItineraryPage(of: [document.contents.trip])
/// try write(page.head)
/// let leftOut = try await page.write(document, to: write)
/// try write(page.foot)
/// ```
///
/// It has an overview, a map, the days and times of the places, addresses, confirmations, contacts, links, the names of those who take
/// part, and checklists; costs, who paid them, budgets and attachments on request. Of an item that hides its location it has no city,
/// address or place. It never has the travellers' own addresses and telephone numbers, apps' own fields, or ids that other devices could
/// use.
public struct ItineraryPage: Sendable {
    /// The optional contents of a page.
    public struct Options: Sendable {
        /// Whether costs, what is paid of them and by whom, and budgets are on the page.
        public var showsCosts = false
        /// Whether checklists are on the page.
        public var showsChecklists = true
        /// Which attachments are in the page; nil for none.
        public var embedding: Embedding?
        /// The day on which the page is made, to tell a newer print from an older one; nil to leave it out.
        public var day: Day?

        public init(showsCosts: Bool = false, embedding: Embedding? = nil, day: Day? = nil) {
            (self.showsCosts, self.embedding, self.day) = (showsCosts, embedding, day)
        }
    }

    /// Attachments in a page: images as such, other files as links that save them.
    public struct Embedding: Sendable {
        /// The most bytes of one file.
        public var mostOfOne: Int64 = 8 << 20
        /// The most bytes of all files of a page. In the page they take a third more.
        public var mostOfAll: Int64 = 24 << 20
        /// Reads the bytes of an attachment. What it throws is the reason why the attachment is left out.
        let bytes: @Sendable (AttachedFile) async throws -> Data

        public init(bytes: @escaping @Sendable (AttachedFile) async throws -> Data) { self.bytes = bytes }

        /// Reads them from a store.
        public init(from store: TripStore) { self.init { try await store.data(of: $0) } }
    }

    /// An attachment that is named on the page, but not in it.
    public struct LeftOut: Sendable, Hashable, CustomStringConvertible {
        public let attachment: AttachedFile.ID
        public let name: String
        /// Why, in words.
        public let reason: String

        public var description: String { "The attachment '\(name)' is not in the page: \(reason)" }
    }

    private let trips: [(id: Trip.ID, name: String)]
    private let options: Options
    private var embedded = EmbeddedFiles()
    /// Where trips are written.
    private let executor = ThreadExecutor(name: "tripstore.export")

    /// A page of some trips, which are written to it in this order.
    public init(of trips: [Trip], _ options: Options = Options()) {
        self.init(of: trips.map { ($0.id, $0.name) }, options)
    }

    /// A page of some trips, given by their ids and names alone and written to it in this order: for pages of more
    /// trips than memory should hold.
    public init(of trips: [(id: Trip.ID, name: String)], _ options: Options = Options()) {
        (self.trips, self.options) = (trips, options)
    }

    /// The part of the page before the first trip. O(trips).
    public var head: String {
        let title = trips.count == 1 ? trips[0].name : "Itineraries"
        let style = PageText.itineraryStyle
        let policy =
            "default-src 'none'; style-src \(PageText.source(style)); img-src data:; base-uri 'none'; form-action 'none'"
        var page = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="generator" content="tripstore itinerary">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <meta name="color-scheme" content="light dark">
            <meta name="format-detection" content="telephone=no">
            <title>\(title.isEmpty ? "Itinerary" : HTML.plain(title))</title>
            <style>\(style)</style>
            </head>
            <body>

            """
        if trips.count != 1 {
            page += "<header class=\"front\"><h1>Itineraries</h1>"
            if trips.isEmpty { page += "<p>No trips.</p>" }
            page += "</header>\n"
        }
        if trips.count > 1 {
            page += "<nav aria-label=\"Trips\"><ol>\n"
            for trip in trips { page += "<li><a href=\"#\(Self.anchor(trip.id))\">\(HTML.name(trip.name))</a></li>\n" }
            page += "</ol></nav>\n"
        }
        return page + "<main>\n"
    }

    /// Passes the pieces of a trip to `write`, and returns which of its attachments are left out.
    ///
    /// Throws what `write` throws. O(contents of the trip, and bytes of what is embedded).
    public mutating func write(
        _ document: TripDocument, to write: (String) throws -> Void
    ) async throws -> [LeftOut] {
        let text = ItineraryMarkup(document, options, level: trips.count == 1 ? 1 : 2, zones: ClockZones())
        return try await withTaskExecutorPreference(executor) { try await text.write(to: write, &embedded) }
    }

    /// The part of the page after the last trip.
    public var foot: String { "</main>\n</body>\n</html>\n" }

    /// A page of one trip in memory.
    public static func html(
        _ document: TripDocument, _ options: Options = Options()
    ) async throws -> (html: String, leftOut: [LeftOut]) {
        var page = ItineraryPage(of: [document.contents.trip], options)
        var html = page.head
        let leftOut = try await page.write(document) { html += $0 }
        return (html + page.foot, leftOut)
    }

    static func anchor(_ trip: Trip.ID) -> String { "trip-\(trip)" }
}
