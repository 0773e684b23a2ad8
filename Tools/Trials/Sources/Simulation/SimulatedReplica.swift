import Foundation
import Logging
import Platform
import Synchronization

@testable import EventLog
@testable import Events
@testable import LMDB
@testable import TripStore
@testable import TripStoreTestSupport

/// One device of a simulation: a folder, a clock, a source of random writes, and, while its process runs, a store.
final class SimulatedReplica {
    let number: Int
    private(set) var folder: String
    private let clock: ManualClock
    private let randomness: SimulatedRandomness
    private let journal: JournalID?
    private var open: TripStore?
    private(set) var backup: String?
    private var incarnation = 0
    private var backups = 0
    private let root: String

    /// `journal` is nil for a device that joins the journal of the first replica that it meets.
    init(number: Int, root: String, seed: UInt64, journal: JournalID?) {
        self.number = number
        self.root = root
        self.journal = journal
        folder = "\(root)/\(number)"
        clock = ManualClock(seed: seed &+ UInt64(number) &* 7919)
        randomness = SimulatedRandomness(seed: seed &* 31 &+ UInt64(number), mark: UInt64(number) + 1)
    }

    /// The store; opens it if the process does not run.
    func store() async throws -> TripStore {
        if let open { return open }
        var options = TripStore.Options(
            journal: isNew ? journal : nil, deviceName: "device \(number)", mapSize: 64 << 20,
            schema: SimulatedFields.all, cacheLimit: 1 << 16, dependencies: dependencies)
        options.logger.logLevel = .critical
        options.syncsCommits = false
        let store = try await TripStore.open(at: URL(fileURLWithPath: folder), options: options)
        open = store
        return store
    }

    private var isNew: Bool { !TripStore.exists(at: URL(fileURLWithPath: folder)) }

    private var dependencies: Dependencies {
        var dependencies = clock.dependencies
        dependencies.newKey = { [randomness] in randomness.key() }
        // The simulation decides whether a copy is detected.
        dependencies.fileOrigin = { [randomness] _ in FileOrigin(inode: randomness.mark, birthTime: 0) }
        return dependencies
    }

    /// The time of its clock, in milliseconds since 1970.
    var time: Int64 { clock.now }

    func setClock(by milliseconds: Int64) { clock.advance(by: milliseconds) }

    func setClock(to time: Int64, mayGoBack: Bool) { if mayGoBack || time > clock.now { clock.now = time } }

    /// Ends the process without closing the store; commits that were not acknowledged may or may not survive.
    func crash() { open = nil }

    /// Closes the store and ends the process.
    func close() async {
        await open?.close()
        open = nil
    }

    /// Makes a backup of the store.
    func backUp() throws {
        guard !isNew else { return }
        backups += 1
        let path = "\(root)/\(number)-backup-\(backups)"
        try SimulatedReplica.copy(folder, path)
        if let backup { try? FileManager.default.removeItem(atPath: backup) }
        backup = path
    }

    /// Continues with the backup; false if there is none.
    func restore(isSeen: Bool) throws -> Bool {
        guard let backup else { return false }
        crash()
        incarnation += 1
        let path = "\(root)/\(number)-\(incarnation)"
        try SimulatedReplica.copy(backup, path)
        try? FileManager.default.removeItem(atPath: folder)
        folder = path
        if isSeen { randomness.mark += 1000 }
        return true
    }

    /// Another device that starts with a copy of this one's store; nil if this one has none.
    func copied(as number: Int, seed: UInt64, isSeen: Bool) throws -> SimulatedReplica? {
        guard !isNew else { return nil }
        let copy = SimulatedReplica(number: number, root: root, seed: seed, journal: journal)
        copy.clock.now = clock.now
        if !isSeen { copy.randomness.mark = randomness.mark }
        try SimulatedReplica.copy(folder, copy.folder)
        return copy
    }

    /// Copies the files of a store that no process is writing to: the log and the key, not the views.
    private static func copy(_ from: String, _ to: String) throws {
        try FileManager.default.createDirectory(atPath: to + "/log", withIntermediateDirectories: true)
        for name in ["log/data.mdb", "replica.key"] {
            try FileManager.default.copyItem(atPath: "\(from)/\(name)", toPath: "\(to)/\(name)")
        }
    }
}

/// The keys of a simulated replica, and the mark that distinguishes its file from a copy.
final class SimulatedRandomness: Sendable {
    private let state: Mutex<(random: SeededRandom, mark: UInt64)>

    init(seed: UInt64, mark: UInt64) { state = Mutex((SeededRandom(seed: seed), mark)) }

    var mark: UInt64 {
        get { state.withLock { $0.mark } }
        set { state.withLock { $0.mark = newValue } }
    }

    func key() -> [UInt8] {
        state.withLock { state in (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &state.random) } }
    }
}
