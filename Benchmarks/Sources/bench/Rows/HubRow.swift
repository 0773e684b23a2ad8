import BenchmarkData
import Foundation
import HubCarrier
import LogExchange
import TripStore

/// Two devices and a hub on loopback, over TLS: the time from a commit on one device until the other's live query yields it, and that of a
/// new device's first exchange.
struct HubRow: Row {
    let name = "hub"
    let work = "two devices over a hub"
    let peer = "a folder"

    func run(in scratch: ScratchDirectory) async throws -> Outcome {
        let delays = try await scratch.withFolder { try await latency($0, scratch.settings) }
        let cold = try await scratch.withFolder { try await coldSync($0, scratch.settings) }
        return Outcome(measurements: delays + cold)
    }

    private func latency(_ folder: URL, _ settings: Settings) async throws -> [Measurement] {
        let first = try await TripStore.open(at: folder.appendingPathComponent("one"), options: .bench)
        let trip = try await first.create(Trip(name: "Lisbon", days: Day(2027, 5, 1)...Day(2027, 5, 8)))
        let second = try await TripStore.clone(
            .store(first), to: folder.appendingPathComponent("two"), options: .bench
        ).store
        let hub = try await LocalHub(folder.appendingPathComponent("hub"))
        let (syncOfFirst, syncOfSecond) = (
            first.stayInSync(with: hub.connector(first)), second.stayInSync(with: hub.connector(first))
        )
        for await state in syncOfFirst where state == .connected { break }
        for await state in syncOfSecond where state == .connected { break }
        let (told, teller) = AsyncStream.makeStream(of: (ContinuousClock.Instant, String?).self)
        let follower = Task {
            for try await update in second.live(.trips()) {
                teller.yield((ContinuousClock.now, update.rows.first?.trip.notes))
            }
        }
        defer { follower.cancel() }
        var updates = told.makeAsyncIterator()
        _ = await updates.next()
        var (delays, commits): ([Double], [Double]) = ([], [])
        for number in 0..<settings.count(500) {
            let notes = "Number \(number)."
            let began = ContinuousClock.now
            try await first.edit(trip) { $0.notes = notes }
            commits.append((ContinuousClock.now - began).seconds)
            while let (instant, shown) = await updates.next() {
                guard shown == notes else { continue }
                delays.append((instant - began).seconds)
                break
            }
        }
        await syncOfFirst.stop()
        await syncOfSecond.stop()
        await hub.stop()
        // The device's commit, the hub's and the other device's are durable one after the other.
        return [
            Measurement(
                detail: "from a commit until the other's live query, beyond two durable commits",
                ours: .seconds(delays.median - 2 * commits.median), goal: .atMost(5e-3)),
            Measurement(detail: "from a commit until the other's live query", ours: .seconds(delays.median)),
        ]
    }

    private func coldSync(_ folder: URL, _ settings: Settings) async throws -> [Measurement] {
        let place = folder.appendingPathComponent("source")
        // Makes the journal's founder, without whom a hub takes nothing.
        let founded = try await TripStore.open(at: place, options: .bench)
        try await founded.create(Trip(name: "Lisbon"))
        await founded.close()
        try await FilledLog.make(place, events: settings.events)
        let source = try await TripStore.open(at: place, options: .bench)
        let hub = try await LocalHub(folder.appendingPathComponent("hub"))
        let pushed = try await seconds { try await source.exchange(with: .connector(hub.connector(source))) }
        let invitation = try await source.invite(.write, uses: 1_000)
        try await source.exchange(with: .connector(hub.connector(source)))
        let paired = try await Paired.measure(settings, repeats: settings.repeats(atMost: 3)) {
            try await scratchClone(folder, of: .connector(hub.connector(source)), invitation)
        } peer: {
            try await scratchClone(folder, of: .folder(place), invitation)
        }
        await hub.stop()
        return [
            paired.times("a new device takes \(settings.events) events", goal: .ratioAtMost(2)),
            Measurement(detail: "a device's first push of them to a hub", ours: .seconds(pushed)),
        ]
    }

    private func scratchClone(
        _ folder: URL, of target: ExchangeTarget, _ invitation: InvitationCode
    ) async throws -> Double {
        let place = folder.appendingPathComponent("clone")
        defer { try? FileManager.default.removeItem(at: place) }
        return try await seconds {
            let store = try await TripStore.open(at: place, options: .bench)
            try await store.join(invitation)
            try await store.exchange(with: target)
            guard try store.read({ try $0.tripCount() }) > 1 else {
                throw BenchError("The new device lacks something.")
            }
            await store.close()
        }
    }
}

/// A hub of this process, on loopback.
private struct LocalHub {
    private let journals: JournalFolder
    private let listener: HubListener

    init(_ folder: URL) async throws {
        let journals = JournalFolder(folder, options: JournalFolder.Options(beginners: .anyone))
        let server = SessionServer(journals)
        let made = try SelfSignedCertificate(for: ["127.0.0.1"])
        listener = try await HubListener.start(
            host: "127.0.0.1", port: 0,
            certificate: try HubCertificate(certificates: made.certificate, key: made.key)
        ) { await server.serve($0) }
        self.journals = journals
    }

    func connector(_ store: TripStore) -> HubConnector {
        HubConnector(
            HubAddress(host: listener.host, port: listener.port, journal: store.journal),
            trust: .pinned(listener.pin))
    }

    func stop() async {
        await listener.shutDown()
        await journals.close()
    }
}
