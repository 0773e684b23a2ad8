import Foundation
import Platform
import StoreSupport
import TripStore
import TripStoreTestSupport

extension DiagnosisScenario {
    /// A store that took as many ids as are warned of.
    func identities() async throws -> StoreDiagnosis {
        try await written()
        for inode in 0..<UInt64(StoreDiagnosis.manyIdentities) {
            var options = options
            options.dependencies.fileOrigin = { _ in FileOrigin(inode: inode + 7, birthTime: 1) }
            let store = try await TripStore.open(at: folder.url, options: options)
            try await store.create(Trip(name: "Trip \(inode)"))
            await store.close()
        }
        return try await diagnose()
    }
}
