import EventLog
import Events
import Foundation
import LMDB
import LogExchange
import Logging
import StoreSupport
import TestSupport
import Testing

@testable import TripStore

extension Trip {
    fileprivate static let remark = OwnField<Trip, String>("org.example.scrub", 1, "remark")
}

/// Random bytes, each in a place of its own: a name, notes, a cost, the key of an element, an app's own field, an
/// attachment. Those of every second six are to be erased.
private struct PlantedCanaries {
    let count: Int
    let bytes: [[UInt8]]
    let search: CanarySearch

    init(_ count: Int, seed: UInt64) {
        self.count = count
        var generator = SeededGenerator(seed: seed)
        let bytes = (0..<count).map { _ in (0..<24).map { _ in UInt8.random(in: .min ... .max, using: &generator) } }
        self.bytes = bytes
        search = CanarySearch((0..<count).map { Self.isText($0) ? Array(bytes[$0].hexadecimal.utf8) : bytes[$0] })
    }

    var gone: Set<Int> { Set((0..<count).filter { $0 / 6 % 2 == 1 }) }
    var kept: Set<Int> { Set(0..<count).subtracting(gone) }
    var attached: Set<Int> { Set((0..<count).filter { $0 % 6 == 5 }) }

    private static func isText(_ number: Int) -> Bool { ![2, 5].contains(number % 6) }

    /// Writes them, twelve in a commit, and returns the entities that have them, and what the attachments belong to.
    func plant(in store: TripStore) async throws -> (entities: [Int: EntityReference], home: Trip.ID) {
        let home = try await store.create(Trip(name: "Home"))
        var entities: [Int: EntityReference] = [:]
        for start in stride(from: 0, to: count, by: 12) {
            var events: [TripEvent] = []
            for number in start..<min(start + 12, count) where number % 6 != 5 {
                let text = bytes[number].hexadecimal
                var trip = Trip(name: "Trip \(number)")
                switch number % 6 {
                case 0: trip.name = text
                case 1: trip.notes = text
                case 3: trip[Trip.packed][text] = true
                case 4: trip[Trip.remark] = text
                default:
                    var activity = Activity(name: "Activity \(number)", in: home, from: .sample(1))
                    var cost = Money(minorUnits: 100, "EUR")
                    var writer = WireWriter()
                    writer.bytes(15, bytes[number])
                    cost.unknownFields = writer.bytes
                    activity.cost = cost
                    events.append(.created(activity))
                    entities[number] = activity.id.reference
                    continue
                }
                events.append(.created(trip))
                entities[number] = trip.id.reference
            }
            try await store.append(events)
        }
        for number in attached.sorted() {
            let attachment = try await store.attach(Data(bytes[number]), to: home.reference, as: "\(number).bin")
            entities[number] = attachment.reference
        }
        return (entities, home)
    }
}

@Suite("Erased bytes in the files of a store", .timeLimit(.minutes(5)))
struct ScrubTests {
    private let place = TemporaryFolder()

    private func options(journal: JournalID? = nil) -> TripStore.Options {
        var options = TripStore.Options(
            journal: journal, mapSize: 1 << 30, schema: SharedCollections.all + [Trip.remark], search: .indexed)
        options.dependencies.machineFolder = place.path("machine")
        options.logger.logLevel = .critical
        return options
    }

    private func open(_ name: String = "store", journal: JournalID? = nil) async throws -> TripStore {
        try await TripStore.open(at: URL(fileURLWithPath: place.path(name)), options: options(journal: journal))
    }

    /// Closes a store; its files are then whole and at rest as soon as it is released.
    private func awaitClosed(_ name: String = "store") async throws {
        try await eventually { try !Environment.isOpen(at: place.path("\(name)/log")) }
    }

    /// Erases every event of some entities.
    private static func erase(_ entities: Set<EntityReference>, in store: TripStore) async throws {
        let found = try store.log.read { log in
            var found: [CommitID: [Int]] = [:]
            try log.forEachCommit(after: .start) { commit in
                let id = CommitID(replica: commit.header.replica, sequence: commit.header.sequence, hash: commit.hash)
                commit.forEachEvent { event, index in
                    if entities.contains(event.entity) { found[id, default: []].append(index) }
                }
                return true
            }
            return found
        }
        for (commit, events) in found { try await store.log.erase(.some(LeafSet(events: events)), in: commit) }
    }

    /// A store in which half of the canaries were erased, closed; and what else holds erased bytes, as it is left by
    /// other processes.
    private func writeAndErase(_ canaries: PlantedCanaries) async throws -> ReplicaID {
        let store = try await open()
        let (entities, home) = try await canaries.plant(in: store)
        let contents = Dictionary(
            uniqueKeysWithValues: try store.attachments(of: home).compactMap { attachment in
                attachment.content.map { (attachment.id.reference, $0) }
            })
        try await Self.erase(Set(canaries.gone.compactMap { entities[$0] }), in: store)
        #expect(try store.owedScrubs() == [.log])
        // Each erasure begins the views anew, beside the store.
        try await store.catchUp()
        try await store.searchViews.catchUp()
        try await store.expectInvariants()
        for numbers in [canaries.gone, canaries.kept] {
            let number = try #require(numbers.sorted().first { canaries.attached.contains($0) })
            let content = try #require(entities[number].flatMap { contents[$0] })
            try leave(canaries.bytes[number], at: "attachments/incoming/\(content.root).part")
        }
        let secret = canaries.bytes[try #require(canaries.gone.filter { $0 % 6 == 2 }.min())]
        try leave(secret, at: "views/0123456789abcdef-older/in-use")
        try leave(secret, at: "views/app/0123456789abcdef-other/in-use")
        try leave(secret, at: "arriving/peer/segment")
        try leave(secret, at: "log/wal.other")
        let replica = store.replica
        await store.close()
        return replica
    }

    private func leave(_ bytes: [UInt8], at name: String) throws {
        let path = place.path("store/\(name)")
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    @Test("After the next opening no file of the store has one, nor what is written afterwards; all others are there")
    func thousand() async throws {
        let canaries = PlantedCanaries(1000, seed: 60)
        let replica = try await writeAndErase(canaries)
        try await awaitClosed()
        let before = try canaries.search.found(inFilesOf: place.path("store"))
        #expect(!canaries.gone.isDisjoint(with: before.keys))
        do {
            let store = try await open()
            #expect(store.replica == replica && store.identityChange == nil)
            try await eventually { try await store.scrub().isEmpty }
            // Also after more was written, and views were changed.
            try await store.create(Trip(name: "Later"))
            await store.close()
        }
        try await awaitClosed()
        try expect(canaries, canaries.kept, inFilesOf: "store")
        let incoming = try FileManager.default.contentsOfDirectory(atPath: place.path("store/attachments/incoming"))
        #expect(incoming.count == 1)

        let store = try await open()
        let file = URL(fileURLWithPath: place.path("bundle"))
        try await store.write(bundle: file, attachments: true, compression: Compression.none)
        let bundled = canaries.search.found(in: try Data(contentsOf: file))
        #expect(bundled.isDisjoint(with: canaries.gone) && !bundled.isEmpty)
        var dumped: Set<Int> = []
        try await store.dump { part in
            guard case .segment(let segment, _) = part else { return }
            for bytes in segment.commits { dumped.formUnion(canaries.search.found(in: bytes)) }
        }
        #expect(dumped == canaries.kept.subtracting(canaries.attached))
        do {
            let other = try await open("other", journal: store.journal)
            try await other.exchange(with: .bundle(file))
            await other.close()
        }
        try await awaitClosed("other")
        try expect(canaries, canaries.kept, inFilesOf: "other")
        try await store.expectInvariants()
    }

    private func expect(
        _ canaries: PlantedCanaries, _ expected: Set<Int>, inFilesOf name: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let found = try canaries.search.found(inFilesOf: place.path(name))
        let wrong = found.filter { canaries.gone.contains($0.key) }.sorted { $0.key < $1.key }.prefix(5)
        #expect(wrong.map { "\($0.key): \($0.value.sorted())" } == [], sourceLocation: sourceLocation)
        #expect(Set(found.keys) == expected, sourceLocation: sourceLocation)
    }

    @Test("Attachments that another commit names stay, and so do new ones that no commit names yet")
    func sharedContents() async throws {
        let bytes = Data((0..<24).map { UInt8($0) })
        let (kept, later): (AttachedFile.ID, ContentID)
        do {
            let store = try await open()
            let home = try await store.create(Trip(name: "Home"))
            let erased = try await store.attach(bytes, to: home.reference, as: "a.bin")
            kept = try await store.attach(bytes, to: home.reference, as: "b.bin")
            try await Self.erase([erased.reference], in: store)
            await store.close()
        }
        try await awaitClosed()
        let store = try await open()
        later = try store.contentFolder.add(bytesOf: Data("about to be named".utf8))
        try await eventually { try await store.scrub().isEmpty }
        #expect(try store.contentFolder.holds(later))
        let attachment = try #require(try store.entity(kept))
        #expect(try await store.data(of: attachment) == bytes)
        try await store.expectInvariants()
    }

    @Test("While another handle has the log open nothing is removed, and the store says that it is owed")
    func owed() async throws {
        do {
            let store = try await open()
            let trip = try await store.create(Trip(name: "Secret"))
            try await Self.erase([trip.reference], in: store)
            let second = try await open()
            #expect(try second.owedScrubs() == [.log])
            #expect(try await second.scrub() == [.log])
            await second.close()
            await store.close()
        }
        try await awaitClosed()
        try await eventually {
            try await TripStore.scrub(at: URL(fileURLWithPath: place.path("store")), options: options()).isEmpty
        }
        let store = try await open()
        #expect(try store.owedScrubs().isEmpty)
        try await store.expectInvariants()
    }
}

extension ContentFolder {
    fileprivate func add(bytesOf data: Data) throws -> ContentID {
        var rest: [UInt8]? = Array(data)
        return try add {
            defer { rest = nil }
            return rest
        }
    }
}
