import EventLog
import StoreSupport
import TripStoreTestSupport
import Trips

@testable import TripStore

/// An app's kind and fields at which searches look, and others at which they do not.
struct Souvenir: OwnEntity {
    let id: Identifier<Souvenir>
    var what = ""
    var trip: Trip.ID?
    var shelf = ""
    var stored = StoredState()

    init(id: ID) { self.id = id }

    init(_ what: String, in trip: Trip.ID, shelf: String = "") {
        self.init(id: .new())
        self.what = what
        self.trip = trip
        self.shelf = shelf
    }

    static let schema = Schema<Souvenir>(
        "org.example.search", 1, "souvenir",
        [
            Field(1, "what", \.what, isRequired: true, isSearched: true), .parent("trip", \.trip),
            Field(3, "shelf", \.shelf),
        ])
}

extension Trip {
    static let hashtags = OwnSet<Trip, String>("org.example.search", 2, "hashtags", isSearched: true)
    static let secret = OwnField<Trip, String>("org.example.search", 3, "secret")
}

extension TripStore {
    /// A store that searches so, in a journal that any other of these has.
    static func searching(
        _ search: Options.Search, schema: [any SchemaPart] = [Souvenir.schema, Trip.hashtags, Trip.secret]
    ) async throws -> TripStore {
        var options = Options(
            mapSize: 1 << 30, schema: schema, search: search, dependencies: ManualClock().dependencies)
        options.foundsJournal = false
        return try await temporary(options: options)
    }

    /// The names of what is found, once the index is there.
    func names(
        found text: String, kinds: [any TripEntity.Type] = [], in trip: Trip.ID? = nil
    ) async throws -> [String] {
        if searchViews.exists { try await searchViews.catchUp() }
        return try search(text, kinds: kinds, in: trip).map(\.name)
    }

    /// Both then hold what either held.
    func exchange(withTest other: TripStore) async throws {
        try await pass(to: other)
        try await other.pass(to: self)
    }
}
