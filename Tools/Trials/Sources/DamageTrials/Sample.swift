import Foundation
import Logging

@testable import EventLog
@testable import TripProjections
@testable import TripStore
@testable import TripStoreTestSupport

/// A store with everything that a store can hold, which is damaged repeatedly: as it was closed, and as a killed
/// process left it.
struct Sample {
    /// The folder of the trials: the store, the machine's records, bundles, and other stores.
    let root: String
    private(set) var closed: Version
    private(set) var killed: Version
    let subjects: Subjects
    /// The commits of the bundle.
    let bundled: Set<Digest>
    /// The other stores, which are restored only for those that use them.
    let others: StoreImage
    /// The commits of the replica and of the store of another journal.
    let peer: [Digest]
    let stranger: [Digest]

    /// One state of the store, with the output of its commands.
    struct Version {
        let image: StoreImage
        let hashes: [Digest]
        var answers: [TrialStep: String] = [:]
    }

    static let scratch: Set<String> = ["tmp", "out", "others", "originals"]
    /// The author whose undo can be redone.
    static let undoer = "ben"
    /// The name of a subscription.
    static let subscription = "sample"

    static func store(in root: String) -> String { Places(root: root).store }

    /// The projection of an app, for views of its own.
    static let projection = EntityProjection<Trip>("by-name", version: 1) { trip, sink in
        sink.put(Array(trip.name.utf8.prefix(80)) + [0] + withUnsafeBytes(of: trip.id.uuid.uuid) { Array($0) })
    }

    /// Makes the store below a folder, the same for the same seed.
    init(in root: String, seed: UInt64) async throws {
        self.root = root
        let places = Places(root: root)
        let folder = URL(fileURLWithPath: places.store)
        // Three days before the machine's clock: exchanges refuse the future.
        let clock = ManualClock(milliseconds: Dependencies.system.now() - 259_200_000, seed: seed)
        let options = Self.options(clock)
        var store: TripStore? = try await TripStore.open(at: folder, options: options)
        let filled = try await Self.fill(store, places, clock, seed)
        (subjects, peer, stranger) = (filled.subjects, filled.peer, filled.stranger)
        try await store?.write(bundle: URL(fileURLWithPath: places.bundle), for: .anyone)
        try await store?.appViews.catchUp()
        let hashes = try store?.commitHashes(after: .start) ?? []
        bundled = Set(hashes)
        await store?.close()
        store = nil
        try await OpenFiles.waitUntilClosed(below: root)
        closed = Version(
            image: try StoreImage(of: root, leavingOut: Self.scratch, originals: places.originals), hashes: hashes)
        others = try StoreImage(of: places.others, originals: places.originals)

        store = try await TripStore.open(at: folder, options: options)
        for number in 0..<12 {
            clock.advance(by: 60_000)
            try await store?.create(Trip(name: "Weekend \(number)", notes: String(repeating: "n", count: 40 * number)))
        }
        try await store?.appViews.catchUp()
        let more = try store?.commitHashes(after: .start) ?? []
        killed = Version(
            image: try StoreImage(of: root, leavingOut: Self.scratch, originals: places.originals), hashes: more)
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

    /// How the store is opened while the sample is made.
    static func options(_ clock: ManualClock) -> TripStore.Options {
        var options = options
        options.dependencies = clock.dependencies
        options.dependencies.machineFolder = Dependencies.system.machineFolder
        return options
    }

    /// Restores the store to one of its versions, and empties the output folders.
    func restore(_ version: Version) throws {
        try version.image.restore(to: root, leavingOut: Self.scratch)
        for folder in ["tmp", "out"] {
            try? FileManager.default.removeItem(atPath: root + "/" + folder)
            try FileManager.default.createDirectory(atPath: root + "/" + folder, withIntermediateDirectories: true)
        }
    }

    /// Restores the other stores.
    func restoreOthers() throws { try others.restore(to: Places(root: root).others) }

    /// With the output of the commands on the undamaged store. Throws if a command fails there.
    func answered() async throws -> Sample {
        var answered = self
        for step in TrialStep.reads + TrialStep.drawnReads {
            answered.closed.answers[step] = step.answer(try await use(step, on: closed))
            answered.killed.answers[step] = step.answer(try await use(step, on: killed))
        }
        for step in TrialStep.drawnWrites { _ = try await use(step, on: closed) }
        return answered
    }

    /// Runs a step on the undamaged store.
    private func use(_ step: TrialStep, on version: Version) async throws -> TrialStep.Outcome {
        try restore(version)
        if step.usesOthers { try restoreOthers() }
        let outcome = try await step.run(on: self)
        try await OpenFiles.waitUntilClosed(below: root)
        guard outcome.isSuccess != step.isRefused else {
            throw TrialError("\(step) of the undamaged store: \(outcome.complaint)")
        }
        return outcome
    }
}
