import Foundation
import LogExchange
import StoreSupport
import TestSupport
import Testing
import TripStoreTestSupport

@testable import TripStore

/// A phone and a laptop that exchange attachments, and the ways in which they do.
enum AttachmentFixture {
    enum Way: CaseIterable { case store, folder, session }

    static func bytes(_ count: Int, seed: UInt64 = 1) -> Data {
        var random = SeededGenerator(seed: seed)
        return Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }

    static func target(_ way: Way, _ other: TripStore) -> ExchangeTarget {
        switch way {
        case .store: return .store(other)
        case .folder: return .folder(other.folder)
        case .session: return .connector(network(other))
        }
    }

    static func network(_ other: TripStore) -> MemoryNetwork {
        let server = SessionServer(SingleLogHost(other.log), limits: .patient)
        return MemoryNetwork(server, journal: other.journal)
    }

    static func pair() async throws -> (TripStore, TripStore, Trip.ID) {
        let (phone, laptop) = try await SyncFixture.devices()
        try await laptop.exchange(with: .store(phone))
        return (phone, laptop, try #require(try phone.trips(.dated).rows.first?.trip.id))
    }
}
