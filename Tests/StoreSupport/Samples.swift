public import Foundation
import Logging
public import TripStore
@_exported public import TripStoreTestSupport

extension TripStore {
    /// A store with a clock and randomness of the test's, in a temporary folder.
    public static func test(
        journal: JournalID? = nil, clock: ManualClock = ManualClock(), at folder: URL? = nil,
        attachments: AttachmentPolicy = .all, schema: [any SchemaPart] = []
    ) async throws -> TripStore {
        var options = Options(
            journal: journal, deviceName: "test", mapSize: 1 << 30, schema: schema, dependencies: clock.dependencies)
        options.logger.logLevel = .critical
        // Any two may exchange, and none is a stranger to another.
        options.foundsJournal = false
        options.attachments = attachments
        if let folder { return try await open(at: folder, options: options) }
        return try await temporary(options: options)
    }

    /// The same of a journal that it founds, in which members alone may write.
    public static func founded(
        clock: ManualClock = ManualClock(), schema: [any SchemaPart] = []
    ) async throws -> TripStore {
        var options = Options(
            deviceName: "founder", mapSize: 1 << 30, schema: schema, dependencies: clock.dependencies)
        options.logger.logLevel = .critical
        return try await temporary(options: options)
    }
}
