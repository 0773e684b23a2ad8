import Foundation
import HubCarrier
import LogExchange
import NIOCore
import TripStore
import TripStoreTestSupport

/// Opens many connections to a hub that say nothing, half of them after TLS's handshake, and looks whether a member is served
/// meanwhile, how much memory the hub takes, and whether it closes them.
public struct SilentConnectionsTrial: Sendable {
    public struct Outcome: Sendable {
        /// Of the exchange of a member while the others are open.
        public var exchangeSeconds = 0.0
        /// From the last opened connection until all were closed by the hub.
        public var closingSeconds = 0.0
        /// Resident memory of the hub before, and at most: nil where the system does not tell.
        public var memoryBefore: Int?
        public var memoryAtMost: Int?
    }

    private let folder: String
    private let count: Int

    public init(in folder: String, count: Int) {
        self.folder = folder
        self.count = count
    }

    /// Runs it. Throws what prevents running it, or what a member's exchange throws.
    public func run() async throws -> Outcome {
        let place = folder + "/hub"
        let hub = try await BlockingWork.run { try HubProcess(in: place) }
        let store = try await TripStore.open(at: URL(fileURLWithPath: folder + "/store"))
        try await store.create(Trip(name: "Lisbon"))
        try await store.exchange(with: .connector(hub.connector))
        var outcome = Outcome(memoryBefore: hub.memory)
        var channels: [any Channel] = []
        for number in 0..<count {
            channels.append(try await RawConnection.open(to: hub.port, shakingHands: number % 2 == 1))
        }
        let opened = ContinuousClock.now
        let memory = hub.watchMemory()
        try await store.create(Trip(name: "Porto"))
        let start = ContinuousClock.now
        try await store.exchange(with: .connector(hub.connector))
        outcome.exchangeSeconds = (ContinuousClock.now - start) / .seconds(1)
        for channel in channels { try await channel.closeFuture.get() }
        outcome.closingSeconds = (ContinuousClock.now - opened) / .seconds(1)
        memory.cancel()
        outcome.memoryAtMost = await memory.value
        await store.close()
        let code = try await BlockingWork.run { hub.end() }
        guard code == 0 else { throw HubTrialError("The hub ended with the exit code \(code).") }
        return outcome
    }
}
