import Foundation
import Logging
import Platform
import Synchronization

@testable import EventLog
@testable import LMDB
@testable import TripStore
@testable import TripStoreTestSupport

/// What a `FaultWorker` does: commands on stores by their names in a folder.
///
/// | command | what |
/// |---|---|
/// | `open S`, `close S`, `drop S` | opens a store; closes it; releases it without closing |
/// | `found S` | opens a store, which founds a journal if it is new |
/// | `clock DAYS` | lets this process's clock be ahead |
/// | `small S N`, `large S N` | writes N trips, each a commit; large ones have over 128 KiB |
/// | `tasks S T N` | the same from T tasks at once |
/// | `edit S N`, `mixed S N SEED` | renames trips of this process; does all of it at random |
/// | `erase S N` | erases the first N trips of this process |
/// | `rebuild S`, `rebuilding S N` | rebuilds the views; N times, with a commit before each |
/// | `exchange S T`, `exchanging S T N` | with another store; N times, with a commit before each |
/// | `bundle S FILE`, `read S FILE T` | writes a bundle; reads one of the store T |
/// | `copy S T`, `move S T` | copies a closed store, durably; gives its folder another name |
/// | `die N`, `die N renames` | kills the process after N file operations, or renames |
/// | `fail room\|writes\|syncs NTH once\|on cut\|whole`, `count`, `heal` | makes file operations fail; counts them |
/// | `contents S FILE` | writes the contents into a file, as `StoreContents` |
/// | `size S` | bytes of the log's file |
/// | `check FOLDER` | checks what a fault left in a folder against the expected contents beside it: returns `StoreFault`s |
public final class Worker: Sendable {
    struct State {
        var stores: [String: TripStore] = [:]
        var trips: [String: [Trip.ID]] = [:]
        /// By store, the writes with an unknown outcome, which are to be tried again.
        var unknown: [String: [NamedWrite]] = [:]
        var number = 0

        mutating func takeUnknown(in name: String) -> NamedWrite? {
            guard unknown[name]?.isEmpty == false else { return nil }
            return unknown[name]?.removeFirst()
        }
    }

    private let folder: String
    private let dependencies: Dependencies
    /// Milliseconds by which the clock is ahead.
    private let lead: Lead
    let state = Mutex(State())
    private let recorder = RecorderFunctions()

    public init(folder: String) {
        self.folder = folder
        let variables = ProcessInfo.processInfo.environment
        let marks = variables["FAULT_WORKER_MARKS"].flatMap { try? String(contentsOfFile: $0, encoding: .utf8) }
        var dependencies = Dependencies.faulty(
            state: variables["XDG_STATE_HOME"] ?? folder + "/state",
            marks: marks.map { FileOrigins(text: $0) } ?? FileOrigins())
        let (clock, lead) = (dependencies.now, Lead())
        dependencies.now = { clock() + lead.milliseconds.withLock { $0 } }
        (self.dependencies, self.lead) = (dependencies, lead)
    }

    private final class Lead: Sendable {
        let milliseconds = Mutex<Int64>(0)
    }

    /// Prints a line.
    public func say(_ line: String) {
        // In one write, so that lines of several tasks do not mix.
        let bytes = Array("\(line)\n".utf8)
        _ = bytes.withUnsafeBytes { Foundation.write(1, $0.baseAddress, $0.count) }
    }

    func say(_ line: JournalLine) {
        recorder.mark(line.text)
        say(line.text)
    }

    /// Runs a command; returns its result.
    public func run(_ words: [String]) async throws -> String {
        func word(_ index: Int) throws -> String {
            guard index < words.count else { throw FaultTestingError("\(words) is too short") }
            return words[index]
        }
        func number(_ index: Int) throws -> Int {
            guard let number = Int(try word(index)) else { throw FaultTestingError("\(words) lacks a number") }
            return number
        }
        switch try word(0) {
        case "open": try await open(try word(1))
        case "found": try await open(try word(1), founds: true)
        case "clock": setClock(daysAhead: try number(1))
        case "close": await state.withLock { $0.stores.removeValue(forKey: words[1]) }?.close()
        case "drop": _ = state.withLock { $0.stores.removeValue(forKey: words[1]) }
        case "small": for _ in 0..<(try number(2)) { try await write(to: try word(1), bytes: 40) }
        case "large": for _ in 0..<(try number(2)) { try await write(to: try word(1), bytes: 180_000) }
        case "tasks": try await writeFromTasks(try word(1), try number(2), try number(3))
        case "edit": for index in 0..<(try number(2)) { try await edit(in: try word(1), index) }
        case "erase": try await erase(in: try word(1), try number(2))
        case "mixed": try await writeMixed(try word(1), try number(2), UInt64(try number(3)))
        case "rebuild": try await store(try word(1)).rebuildViews()
        case "rebuilding":
            for _ in 0..<(try number(2)) {
                try await write(to: try word(1), bytes: 40)
                try await store(try word(1)).rebuildViews()
            }
        case "exchange": try await exchange(try word(1), try word(2))
        case "exchanging":
            for _ in 0..<(try number(3)) {
                try await write(to: try word(1), bytes: 40)
                try await exchange(try word(1), try word(2))
            }
        case "bundle": try await writeBundle(of: try word(1), try word(2))
        case "read":
            let (name, other) = (try word(1), try word(3))
            _ = try await store(name).exchange(with: .bundle(url(try word(2))))
            try acknowledge(other, in: name)
        case "copy": try copy(try word(1), try word(2))
        case "move": try move(try word(1), try word(2))
        case "die": recorder.die(after: UInt64(try number(1)), renames: words.last == "renames")
        case "fail":
            try recorder.fail(
                try word(1), nth: UInt64(try number(2)), lasts: try word(3) == "on", cut: try word(4) == "cut")
        case "heal": recorder.heal()
        case "count": return "\(recorder.count) \(recorder.failures)"
        case "size":
            let path = url(try word(1)).path + "/log/data.mdb"
            return "\(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0)"
        case "contents":
            let contents = try StoreContents(of: try store(try word(1)))
            try JSONEncoder().encode(contents).write(to: url(try word(2)))
        case "check": return try await StoreCheck(savedAt: try word(1)).report()
        case let other: throw FaultTestingError("There is no command \(other).")
        }
        return ""
    }

    private func url(_ name: String) -> URL { URL(fileURLWithPath: "\(folder)/\(name)") }

    func store(_ name: String) throws -> TripStore {
        guard let store = state.withLock({ $0.stores[name] }) else { throw FaultTestingError("\(name) is not open.") }
        return store
    }

    private func open(_ name: String, founds: Bool = false) async throws {
        var options = TripStore.Options(deviceName: name, mapSize: 256 << 20, cacheLimit: 1 << 16)
        options.logger.logLevel = .critical
        options.dependencies = dependencies
        // Stores that exchange are no strangers to one another.
        options.foundsJournal = founds
        let store = try await TripStore.open(at: url(name), options: options)
        state.withLock { $0.stores[name] = store }
        say(.replica(store: name, id: "\(store.replica)"))
    }

    // MARK: Exchanging

    private func exchange(_ name: String, _ other: String) async throws {
        _ = try await store(name).exchange(with: .folder(url(other)))
        try acknowledge(name, in: other)
        try acknowledge(other, in: name)
    }

    /// Prints that a store holds what another one does.
    private func acknowledge(_ name: String, in other: String) throws {
        let source = try store(name)
        for id in state.withLock({ $0.trips[name] ?? [] }) {
            guard let trip = try source.trip(id) else { continue }
            say(.acknowledged(store: other, trip: id, name: trip.name))
        }
    }

    private func writeBundle(of name: String, _ file: String) async throws {
        let summary = try await store(name).write(bundle: url(file))
        say(.bundle(file: file, commits: summary.commits))
    }

    /// Copies the files of a closed store and syncs the copies.
    private func copy(_ name: String, _ other: String) throws {
        let (from, to) = (url(name).path, url(other).path)
        try Folder.create(to + "/log")
        for file in ["log/data.mdb", "replica.key"] {
            try FileManager.default.copyItem(atPath: "\(from)/\(file)", toPath: "\(to)/\(file)")
            let descriptor = Foundation.open("\(to)/\(file)", O_RDONLY)
            guard descriptor >= 0, fsync(descriptor) == 0 else {
                throw FaultTestingError("\(to)/\(file) was not synced.")
            }
            Foundation.close(descriptor)
        }
        for folder in [to + "/log", to, self.folder] { try Folder.sync(folder) }
        say(.copied(store: name, to: other))
        for trip in state.withLock({ $0.trips[name] ?? [] }) {
            state.withLock { $0.trips[other, default: []].append(trip) }
        }
    }

    /// Gives the folder of a closed store another name, durably.
    private func move(_ name: String, _ other: String) throws {
        guard state.withLock({ $0.stores[name] == nil }) else { throw FaultTestingError("\(name) is open.") }
        say(.moving(store: name, to: other))
        guard rename(url(name).path, url(other).path) == 0 else {
            throw FaultTestingError("\(name) could not be moved: \(errno).")
        }
        try Folder.sync(folder)
        say(.moved(store: name, to: other))
        state.withLock { $0.trips[other] = $0.trips.removeValue(forKey: name) }
    }

    /// What is written to the open stores while the clock is ahead is written again, by another replica, once it is right.
    private func setClock(daysAhead days: Int) {
        if days > 0 {
            for name in state.withLock({ $0.stores.keys.sorted() }) { say(.renewal(store: name)) }
        }
        lead.milliseconds.withLock { $0 = Int64(days) * 86_400_000 }
    }
}
