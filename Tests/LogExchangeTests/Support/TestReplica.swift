import EventLog
import Events
import Foundation
import LMDB
import LogExchange
import StoreSupport
import Testing

/// A replica: a log in a store's folder of its own, with the test's clock and randomness.
///
/// It does not notice that it is a copy: these tests are about what happens then.
final class TestReplica: Sendable {
    let name: String
    let folder = TemporaryFolder()
    /// For bundles, which must not lie in a store.
    private let outside = TemporaryFolder()
    let clock: ManualClock
    let log: Log

    /// How it is reached, which decides whether its commits must wait for the medium: only a carrier that opens the log
    /// once more, as another process would, requires that.
    private let carrier: Carrier
    private let hasFixedKeys: Bool

    /// A new one, of a journal or of one of its own. With fixed keys these follow from its name.
    convenience init(
        _ name: String, journal: JournalID? = nil, over carrier: Carrier = .inProcess, founding: Bool = false,
        fixedKeys: Bool = false
    ) throws {
        try self.init(name, journal: journal, carrier, founding: founding, fixedKeys: fixedKeys) { _ in }
    }

    private init(
        _ name: String, journal: JournalID?, _ carrier: Carrier, founding: Bool = false, fixedKeys: Bool,
        _ prepare: (TemporaryFolder) throws -> Void
    ) throws {
        self.name = name
        self.carrier = carrier
        hasFixedKeys = fixedKeys
        clock = ManualClock(seed: name.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
        try prepare(folder)
        log = try Self.open(
            folder, clock, name, carrier, journal: journal, founding: founding, fixedKeys: fixedKeys)
    }

    private static func open(
        _ folder: TemporaryFolder, _ clock: ManualClock, _ name: String, _ carrier: Carrier,
        journal: JournalID? = nil, readOnly: Bool = false, founding: Bool = false, fixedKeys: Bool = false
    ) throws -> Log {
        var dependencies = clock.dependencies
        if fixedKeys { dependencies.newKey = { [randomBytes = dependencies.randomBytes] in randomBytes(32) } }
        dependencies.fileOrigin = { _ in nil }
        var options = Log.Options(
            journal: journal, deviceName: name,
            environment: Environment.Options(
                readOnly ? .reading : .creating, durability: carrier == .folder ? .synced : .unsynced,
                mapSize: 256 << 20),
            dependencies: dependencies)
        options.foundsJournal = founding
        return try Log.open(at: folder.path("log"), keyPath: folder.path("replica.key"), options: options)
    }

    /// A copy of the store as it is, which does not know that it is one.
    func copied(as name: String) throws -> TestReplica {
        let copy = try TestReplica(name, journal: nil, carrier, fixedKeys: hasFixedKeys) { target in
            try FileManager.default.createDirectory(atPath: target.path("log"), withIntermediateDirectories: true)
            for file in ["log/data.mdb", "replica.key"] {
                try FileManager.default.copyItem(atPath: folder.path(file), toPath: target.path(file))
            }
        }
        copy.clock.now = clock.now
        return copy
    }

    /// A copy that has noticed that it is one, from what this replica wrote since, and continues as another that has
    /// this one's key.
    func succeeded(as name: String) async throws -> TestReplica {
        let copy = try copied(as: name)
        try await write(1)
        try await copy.exchange(with: LogPeer(log))
        return copy
    }

    /// A file for a bundle of the replica.
    func bundle(_ name: String) throws -> URL {
        try FileManager.default.createDirectory(at: outside.url, withIntermediateDirectories: true)
        return outside.url.appendingPathComponent(name)
    }

    /// A second handle on the log that only reads.
    func readOnly() throws -> Log { try Self.open(folder, clock, name, carrier, readOnly: true) }

    var id: ReplicaID { log.replica }

    /// Appends that many commits, of about that many bytes.
    @discardableResult
    func write(_ count: Int = 1, bytes: Int = 16) async throws -> TestReplica {
        for number in 0..<count {
            // Copies must not write the very same commits.
            let text = "\(name) \(number)"
            let value = Array(text.utf8) + [UInt8](repeating: 46, count: max(bytes - text.utf8.count, 0))
            let entity = EntityReference(kind: EntityKind(rawValue: 1), id: UUID())
            let change = Change(path: FieldPath(field: 1), value: value)
            _ = try await log.append(
                Payload(author: name, events: [Event(verb: .created, entity: entity, changes: [change])]))
        }
        return self
    }

    /// What it holds, signed to its end.
    func frontier() async throws -> Frontier {
        try await log.signHead()
        return try log.read { try Frontier($0) }
    }

    /// The hashes of all commits, in order of arrival.
    func hashes() throws -> [Digest] {
        try log.read { log in
            var found: [Digest] = []
            try log.forEachCommit(after: .start) { commit in
                found.append(commit.hash)
                return true
            }
            return found
        }
    }

    /// Invariants of every log at any time.
    func expectIntact(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let report = try LogVerifier.verify(EnvironmentRows(at: folder.path("log")))
        #expect(report.findings == [], sourceLocation: sourceLocation)
    }

    /// Everything that a peer could send.
    func allSegments() async throws -> [LineSegment] { try await log.allSegments() }
}

/// All hold the same, each commit once, and are intact.
func expectEqual(_ replicas: [TestReplica], sourceLocation: SourceLocation = #_sourceLocation) async throws {
    var frontiers: Set<Frontier> = []
    var contents: Set<Set<Digest>> = []
    for replica in replicas {
        frontiers.insert(try await replica.frontier())
        let hashes = try replica.hashes()
        #expect(Set(hashes).count == hashes.count, sourceLocation: sourceLocation)
        contents.insert(Set(hashes))
        try replica.expectIntact(sourceLocation: sourceLocation)
    }
    #expect(frontiers.count == 1, sourceLocation: sourceLocation)
    #expect(contents.count == 1, sourceLocation: sourceLocation)
}

/// Two replicas of one journal.
func twoReplicas(over carrier: Carrier = .inProcess) throws -> (TestReplica, TestReplica) {
    let one = try TestReplica("one", over: carrier)
    return (one, try TestReplica("two", journal: one.log.journal, over: carrier))
}

/// Runs a session that must fail, and returns its error.
func failure(of exchange: () async throws -> Void) async -> (any Error)? {
    do {
        try await exchange()
        return nil
    } catch { return error }
}

/// The code of an error of the exchange or of the log.
func code(_ error: (any Error)?) -> String? {
    switch error {
    case let error as ExchangeError: error.code.rawValue
    case let error as EventLogError: error.code.rawValue
    case nil: nil
    default: "\(String(describing: error))"
    }
}
