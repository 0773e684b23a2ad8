import Foundation
import Platform

@testable import EventLog
@testable import Events
@testable import LMDB
@testable import TripStoreTestSupport

/// A device with a log: it writes, makes statements about members, is copied and restored.
final class SimulatedMember {
    let number: Int
    let folder: String
    let clock: ManualClock
    private let randomness: SimulatedRandomness
    private var opened: Log?
    private let journal: JournalID?
    /// What it appended of which entity, and under which id.
    private(set) var appended: [(commit: CommitID, entity: EntityReference, text: String)] = []

    init(number: Int, root: String, seed: UInt64, journal: JournalID?) {
        self.number = number
        folder = "\(root)/\(number)"
        self.journal = journal
        clock = ManualClock(seed: seed &* 131 &+ UInt64(number))
        randomness = SimulatedRandomness(seed: seed &* 17 &+ UInt64(number), mark: UInt64(number) + 1)
    }

    func log() throws -> Log {
        if let opened { return opened }
        var dependencies = clock.dependencies
        dependencies.newKey = { [randomness] in randomness.key() }
        dependencies.fileOrigin = { [randomness] _ in FileOrigin(inode: randomness.mark, birthTime: 0) }
        let isNew = !FileManager.default.fileExists(atPath: folder + "/log/data.mdb")
        let log = try Log.open(
            at: folder + "/log", keyPath: folder + "/replica.key",
            options: Log.Options(
                journal: isNew ? journal : nil, deviceName: "device \(number)",
                environment: Environment.Options(durability: .unsynced, mapSize: 64 << 20), dependencies: dependencies))
        opened = log
        return log
    }

    /// The process closes the log.
    func close() async throws {
        guard let log = opened else { return }
        try await log.worker.run { try log.prepareClose() }
        opened = nil
    }

    func append(_ text: String, _ random: inout SeededRandom) async throws {
        let entity = EntityReference(kind: EntityKind(rawValue: 1), id: UUID(random: &random))
        try await append(text, .created, entity)
    }

    /// Edits an entity, without what it held: as if it knew of no erasure.
    func edit(_ entity: EntityReference, _ text: String) async throws { try await append(text, .edited, entity) }

    private func append(_ text: String, _ verb: Verb, _ entity: EntityReference) async throws {
        let event = Event(
            verb: verb, entity: entity, changes: [Change(path: FieldPath(field: 1), value: Array(text.utf8))])
        guard let stored = try await log().append(Payload(author: "device \(number)", events: [event])) else { return }
        appended.append(
            (CommitID(replica: stored.replica, sequence: stored.sequence, hash: stored.hash), entity, text))
    }

    /// Another device that begins with a copy of this one's files; if the copy goes unnoticed, both write under one id.
    func copied(as number: Int, root: String, seed: UInt64, isSeen: Bool) async throws -> SimulatedMember {
        try await close()
        let copy = SimulatedMember(number: number, root: root, seed: seed, journal: journal)
        copy.clock.now = clock.now
        if !isSeen { copy.randomness.mark = randomness.mark }
        try FileManager.default.createDirectory(atPath: copy.folder + "/log", withIntermediateDirectories: true)
        for name in ["log/data.mdb", "replica.key"] {
            try FileManager.default.copyItem(atPath: "\(folder)/\(name)", toPath: "\(copy.folder)/\(name)")
        }
        return copy
    }
}
