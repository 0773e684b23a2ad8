import EventLog
import Foundation
import Logging
import TripProjections
import TripStore
import TripStoreTestSupport

/// A store with everything that a store can hold, which is damaged again and again: as it was closed, and as a process left
/// it that was killed.
struct Sample {
    /// What lies below the folder of the trials: the store, what the machine remembers of it, and a bundle.
    let root: String
    private(set) var closed: Version
    private(set) var killed: Version
    /// A trip with items.
    let trip: String

    /// One state of the store, with what its commands say.
    struct Version {
        let image: StoreImage
        let hashes: [Digest]
        var answers: [TrialStep: String] = [:]
    }

    static let scratch: Set<String> = ["tmp", "out"]

    static func store(in root: String) -> String { root + "/store" }
    static func bundle(in root: String) -> String { root + "/trips.bundle" }

    /// The projection of an app, for views of its own.
    static let projection = EntityProjection<Trip>("by-name", version: 1) { trip, sink in
        sink.put(Array(trip.name.utf8.prefix(80)) + [0] + withUnsafeBytes(of: trip.id.uuid.uuid) { Array($0) })
    }

    /// Makes the store below a folder, the same for the same seed.
    init(in root: String, seed: UInt64) async throws {
        self.root = root
        let folder = URL(fileURLWithPath: Self.store(in: root))
        // Three days before the machine's clock: exchanges refuse what is to come.
        let clock = ManualClock(milliseconds: Surroundings.system.now() - 259_200_000, seed: seed)
        var options = Self.options
        options.surroundings = clock.surroundings
        options.surroundings.machineFolder = Surroundings.system.machineFolder
        var samples = SampleTrips(seed: seed)
        var store: TripStore? = try await TripStore.open(at: folder, options: options)
        let trips = try await Self.fill(store, &samples, clock, seed)
        trip = "\(trips[0])"
        try await store?.write(bundle: URL(fileURLWithPath: Self.bundle(in: root)), for: .anyone)
        try await store?.appViews.settled()
        let hashes = try store?.commitHashes(after: .start) ?? []
        await store?.close()
        store = nil
        try await OpenFiles.waitUntilClosed(below: root)
        closed = Version(image: try StoreImage(of: root, leavingOut: Self.scratch), hashes: hashes)

        store = try await TripStore.open(at: folder, options: options)
        for number in 0..<12 {
            clock.advance(by: 60_000)
            try await store?.create(Trip(name: "Weekend \(number)", notes: String(repeating: "n", count: 40 * number)))
        }
        try await store?.appViews.settled()
        let more = try store?.commitHashes(after: .start) ?? []
        killed = Version(image: try StoreImage(of: root, leavingOut: Self.scratch), hashes: more)
        await store?.close()
        store = nil
        try await OpenFiles.waitUntilClosed(below: root)
    }

    /// How the store is opened where no command does it.
    static var options: TripStore.Options {
        var options = TripStore.Options(deviceName: "sample", projections: [projection])
        options.logger.logLevel = .critical
        return options
    }

    private static func fill(
        _ store: TripStore?, _ samples: inout SampleTrips, _ clock: ManualClock, _ seed: UInt64
    ) async throws -> [Trip.ID] {
        guard let store else { return [] }
        var trips: [Trip.ID] = []
        for part in 0..<6 {
            trips += try await samples.write(12, to: store)
            clock.advance(by: 3_600_000)
            // A record that takes pages of its own, and one that moves about.
            try await store.edit(trips[part]) { $0.notes = String(repeating: "Notes \(part). ", count: 900) }
            try await store.edit(trips[0]) { $0.name = "Renamed \(part)" }
            try await store.delete(trips[12 * part + 8])
        }
        let subscription = try await store.subscription("sample", from: .beginning)
        try await subscription.acknowledge(Position(7))
        return trips
    }

    /// With what the commands say of it undamaged.
    func answered() async throws -> Sample {
        var answered = self
        for (version, isKilled) in [(closed, false), (killed, true)] {
            for step in TrialStep.reads {
                try version.image.restore(to: root, leavingOut: Self.scratch)
                let outcome = try await step.run(in: root, trip: trip)
                try await OpenFiles.waitUntilClosed(below: root)
                guard outcome.isSuccess else {
                    throw TrialError("\(step) of the undamaged store: \(outcome.complaint)")
                }
                if isKilled {
                    answered.killed.answers[step] = step.answer(outcome)
                } else {
                    answered.closed.answers[step] = step.answer(outcome)
                }
            }
        }
        return answered
    }
}
