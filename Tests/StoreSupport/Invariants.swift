import EventLog
public import Testing
public import TripStore
import TripStoreTestSupport

extension TripStore {
    /// Invariants of every store at any time; every test of a store ends with them.
    public func expectInvariants(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        // In two steps, so that a failure shows what was violated.
        let violated = try await violatedInvariants()
        #expect(violated == [], sourceLocation: sourceLocation)
    }

    /// The digest of every view.
    public func digests() throws -> [String: Digest] {
        Dictionary(
            uniqueKeysWithValues: try status(digests: true).views.compactMap { view in
                view.digest.map { (view.name, $0) }
            })
    }
}

extension TripStore {
    /// The log verifies: for stores whose views are checked at the end.
    public func expectSoundLog(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let findings = try await TripStore.verify(at: folder).findings
        #expect(findings == [], sourceLocation: sourceLocation)
    }
}

extension TripStore {
    /// Another store holds the same commits, and its views are equal.
    public func expectEqual(
        to other: TripStore, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let (own, theirs) = (try await frontier(), try await other.frontier())
        #expect(own == theirs, sourceLocation: sourceLocation)
        let (views, others) = (try digests(), try other.digests())
        #expect(views == others, sourceLocation: sourceLocation)
    }
}
