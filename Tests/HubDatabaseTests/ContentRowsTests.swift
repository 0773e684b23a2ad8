import DatabaseSupport
import Events
import Foundation
import Logging
import StoreSupport
import Testing

@testable import HubDatabase

@Suite("Attachments in a database", .enabled(if: TestServer.isAvailable, "\(TestServer.hint)"))
struct ContentRowsTests {
    private let journal = JournalID(UUID())

    private func outline(_ bytes: [UInt8]) throws -> (outline: ContentOutline, parts: [[UInt8]]) {
        let parts = stride(from: 0, to: bytes.count, by: ContentID.partSize).map {
            Array(bytes[$0..<min($0 + ContentID.partSize, bytes.count)])
        }
        let leaves = parts.map { part in part.withUnsafeBytes { ContentTree.leaf($0) } }
        let content = try #require(ContentID(root: ContentTree.root(leaves), size: Int64(bytes.count)))
        return (try #require(ContentOutline(content, leaves: leaves)), parts)
    }

    private func hub() async throws -> (TestServer, String, HubDatabase) {
        let (server, name, address) = try await TestServer.database()
        let hub = try await HubDatabase.open(
            address, options: HubDatabase.Options(connections: 4, allowsUnsynced: true),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await hub.pool.read { [journal] in try JournalRows(connection: $0, journal: journal).begin() }
        return (server, name, hub)
    }

    private func rows<T: Sendable>(_ hub: HubDatabase, _ body: @escaping @Sendable (ContentRows) throws -> T)
        async throws -> T
    {
        try await hub.pool.read { [journal] in try body(ContentRows(connection: $0, journal: journal)) }
    }

    private static let day: Int64 = 86_400_000

    /// Removes contents, as a hub does on a day whose copy has no entries, as there are none.
    private func tidy(_ hub: HubDatabase, _ limits: [ContentID: Int64], day: Int64) async throws {
        let cursor = try await cursor(hub)
        let isDone = try await rows(hub) {
            try $0.tidy(limits, unfinishedBefore: 0, at: day * Self.day, cursor)
        }
        #expect(isDone)
    }

    private func cursor(_ hub: HubDatabase) async throws -> DatabaseCursor {
        .start(try await hub.pool.read { try HubRow(connection: $0).identity().epoch })
    }

    @Test("Bytes come in parts, through any hub, go on at the first that is missing, and are whole with the last")
    func transfer() async throws {
        let (_, _, hub) = try await hub()
        defer { hub.close() }
        let (made, parts) = try outline((0..<2_200_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 2) })
        let content = made.content
        #expect(try await rows(hub) { try $0.begin(made, at: 1, most: 3_000_000) } == 0)
        for (index, part) in parts.enumerated() {
            #expect(try await rows(hub) { try $0.state(of: content)?.isWhole(content) } == false)
            // Twice, as over two hubs.
            for _ in 0..<2 {
                #expect(try await rows(hub) { try $0.store(part, at: index, of: content, 1, most: 3_000_000) })
            }
            #expect(try await rows(hub) { try $0.begin(made, at: 1, most: 3_000_000) } == index + 1)
        }
        let state = try #require(try await rows(hub) { try $0.state(of: content)?.outline(of: content) })
        #expect(state == made)
        for (index, part) in parts.enumerated() {
            #expect(try await rows(hub) { try $0.part(index, of: content) } == part)
        }
        #expect(try await rows(hub) { try $0.part(3, of: content) } == nil)
    }

    @Test("No more bytes are begun than a journal may have, and what is removed makes room")
    func quotas() async throws {
        let (server, name, hub) = try await hub()
        defer { hub.close() }
        let (first, parts) = try outline([UInt8](repeating: 1, count: 700_000))
        let (second, _) = try outline([UInt8](repeating: 2, count: 700_000))
        // Two hubs begin the same at once.
        let begun = try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<4 { group.addTask { try await rows(hub) { try $0.begin(first, at: 5, most: 1_000_000) } } }
            var found: [Int?] = []
            for try await next in group { found.append(next) }
            return found
        }
        #expect(begun == [0, 0, 0, 0])
        #expect(try await rows(hub) { try $0.store(parts[0], at: 0, of: first.content, 5, most: 1_000_000) })
        #expect(try await rows(hub) { try $0.begin(second, at: 5, most: 1_000_000) } == nil)
        try await rows(hub) { try $0.removeUnfinished(writtenBefore: 9) }
        try await tidy(hub, [first.content: 5], day: 2)
        #expect(try await rows(hub) { try $0.state(of: first.content) } != nil)
        try await tidy(hub, [first.content: 6], day: 4)
        #expect(
            try await server.sql(
                "SELECT count(*), (SELECT content_bytes FROM tripstore.journal) FROM tripstore.content_part", in: name)
                == "0|0")
        #expect(try await rows(hub) { try $0.begin(second, at: 5, most: 1_000_000) } == 0)
        // It was given up.
        try await rows(hub) { try $0.removeUnfinished(writtenBefore: 6) }
        #expect(try await rows(hub) { try $0.state(of: second.content) } == nil)
    }

    @Test("Bytes that were begun and of which no part came keep no room from others, and then find none themselves")
    func begun() async throws {
        let (_, _, hub) = try await hub()
        defer { hub.close() }
        let (idle, parts) = try outline([UInt8](repeating: 1, count: 700_000))
        let (sent, others) = try outline([UInt8](repeating: 2, count: 700_000))
        #expect(try await rows(hub) { try $0.begin(idle, at: 5, most: 1_000_000) } == 0)
        #expect(try await rows(hub) { try $0.begin(sent, at: 5, most: 1_000_000) } == 0)
        #expect(try await rows(hub) { try $0.store(others[0], at: 0, of: sent.content, 5, most: 1_000_000) })
        #expect(try await !rows(hub) { try $0.store(parts[0], at: 0, of: idle.content, 5, most: 1_000_000) })
        #expect(try await rows(hub) { try $0.state(of: idle.content)?.nextPart } == 0)
        #expect(try await rows(hub) { try $0.part(0, of: idle.content) } == nil)
        try await tidy(hub, [sent.content: 6], day: 2)
        #expect(try await rows(hub) { try $0.store(parts[0], at: 0, of: idle.content, 5, most: 1_000_000) })
    }

    @Test("One hub a day tidies up, and none whose copy is not where the journal is")
    func tidying() async throws {
        let (server, name, hub) = try await hub()
        defer { hub.close() }
        let (made, parts) = try outline([UInt8](repeating: 1, count: 700_000))
        func isDue(_ day: Int64) async throws -> Bool {
            try await rows(hub) { try $0.isTidyingDue(at: day * Self.day) }
        }
        // There is nothing.
        #expect(try await !isDue(2))
        #expect(try await rows(hub) { try $0.begin(made, at: 5, most: 1_000_000) } == 0)
        #expect(try await rows(hub) { try $0.store(parts[0], at: 0, of: made.content, 5, most: 1_000_000) })
        #expect(try await isDue(2))
        let cursor = try await cursor(hub)
        func tidy(_ day: Int64, _ cursor: DatabaseCursor) async throws -> Bool {
            try await rows(hub) {
                try $0.tidy([made.content: .max], unfinishedBefore: 0, at: day * Self.day, cursor)
            }
        }
        // Another hub has appended something, which may name the content.
        try await server.sql("UPDATE tripstore.journal SET next_entry = 2", in: name)
        #expect(try await !tidy(2, cursor))
        #expect(try await rows(hub) { try $0.contents() } == [made.content])
        try await server.sql("UPDATE tripstore.journal SET next_entry = 1, tidied_at = 1", in: name)
        // Another hub was first.
        #expect(try await !isDue(1))
        #expect(try await !tidy(1, cursor))
        var other = cursor
        other.epoch = UUID().bytes
        #expect(try await !tidy(2, other))
        #expect(try await tidy(2, cursor))
        #expect(try await rows(hub) { try $0.contents() } == [])
        #expect(
            try await server.sql("SELECT content_bytes, tidied_at FROM tripstore.journal", in: name)
                == "0|\(2 * Self.day)")
    }
}
