import EventLog
public import Testing
public import TripStore
import TripStoreTestSupport

extension TripStore {
    /// What holds of every store at any time; every test of a store ends with it.
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
