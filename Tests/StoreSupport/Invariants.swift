import EventLog
import Foundation
public import Testing
public import TripStore

extension TripStore {
    /// What holds of every store at any time; every test of a store ends with it.
    ///
    /// The log verifies: hashes, numbers, timestamps, signatures, and the tables derived from them. The views stand at
    /// its end, and equal what is built anew from it.
    public func expectInvariants(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await settled()
        let verification = try await TripStore.verify(at: folder)
        #expect(verification.findings == [], sourceLocation: sourceLocation)
        let status = try status()
        #expect(Position(UInt64(verification.commits)) == status.position, sourceLocation: sourceLocation)
        #expect(status.fault == nil, sourceLocation: sourceLocation)
        let replay = try await verifyViews()
        #expect(replay.position == status.position, sourceLocation: sourceLocation)
        for view in replay.views {
            #expect(
                view.matches == true, "view \(view.name): \(String(describing: view.difference))",
                sourceLocation: sourceLocation)
        }
    }

    /// The digest of every view.
    public func digests() throws -> [String: Digest] {
        Dictionary(
            uniqueKeysWithValues: try status(digests: true).views.compactMap { view in
                view.digest.map { (view.name, $0) }
            })
    }
}
