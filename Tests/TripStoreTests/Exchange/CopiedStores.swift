import Foundation
import Logging
import StoreSupport
import TripStore

/// Stores in folders of which one is a copy of the other.
enum CopiedStores {
    private static let schema = SharedCollections.all + RelatedKinds.all

    /// A store in a folder; with `seesCopies` false it cannot be distinguished from a copy of it.
    static func open(
        _ folder: TemporaryFolder, _ clock: ManualClock, named name: String = "device", seesCopies: Bool = false
    ) async throws -> TripStore {
        var dependencies = clock.dependencies
        if !seesCopies { dependencies.fileOrigin = { _ in nil } }
        var options = TripStore.Options(deviceName: name, mapSize: 1 << 30, schema: schema, dependencies: dependencies)
        options.logger.logLevel = .critical
        return try await TripStore.open(at: folder.url, options: options)
    }

    static func copy(of folder: TemporaryFolder) throws -> TemporaryFolder {
        let copy = TemporaryFolder()
        try FileManager.default.copyItem(at: folder.url, to: copy.url)
        return copy
    }

    /// Five stores that share what `begin` writes. The first two are copies of each other: both write under one id, until an exchange
    /// shows them the other's writes.
    static func five(
        in folder: TemporaryFolder, _ clock: ManualClock, _ begin: (TripStore) async throws -> Void
    ) async throws -> (stores: [TripStore], copy: TemporaryFolder) {
        let founder = try await open(folder, clock)
        try await begin(founder)
        var others: [TripStore] = []
        for _ in 0..<3 {
            let store = try await TripStore.test(journal: founder.journal, clock: clock, schema: schema)
            try await store.exchange(with: .store(founder))
            try await founder.grant(.write, to: store.replica)
            others.append(store)
        }
        for store in others { try await store.exchange(with: .store(founder)) }
        await founder.close()
        let copy = try copy(of: folder)
        return ([try await open(folder, clock), try await open(copy, clock)] + others, copy)
    }
}
