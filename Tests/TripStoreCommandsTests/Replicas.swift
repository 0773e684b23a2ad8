import EventLog
import Foundation
import Testing

@testable import TripStore

/// Two tools whose stores are replicas of each other.
struct Replicas {
    let ana: Tool
    let ben: Tool

    init() async throws {
        ana = try await Tool.withStore()
        ben = Tool()
        let journal = try #require(try await ana.run("status", "--json").object()["journal"] as? String)
        #expect(await ben.run("init", "--journal", journal).code == 0)
    }

    /// A trip that both hold.
    func trip(named name: String) async throws -> String {
        let trip = try await ana.value("add", "trip", "--name", name, "--author", "ana")
        try await meet()
        return trip
    }

    /// Brings each what the other has.
    func meet() async throws {
        let stores = (try await Self.open(ana), try await Self.open(ben))
        try await Self.pass(from: stores.0, to: stores.1)
        try await Self.pass(from: stores.1, to: stores.0)
        for store in [stores.0, stores.1] {
            try await store.settled()
            await store.close()
        }
        // So that what is written next is later on both, whoever writes it.
        try await Task.sleep(for: .milliseconds(3))
    }

    private static func open(_ tool: Tool) async throws -> TripStore {
        try await TripStore.open(at: URL(fileURLWithPath: tool.path))
    }

    private static func pass(from: TripStore, to: TripStore) async throws {
        for segment in try await from.log.allSegments() { try await to.log.store(segment) }
    }
}
