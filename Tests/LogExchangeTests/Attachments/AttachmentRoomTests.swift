import EventLog
import Events
import Foundation
import StoreSupport
import Synchronization
import Testing

@testable import LogExchange

@Suite("The room for attachments' bytes")
struct AttachmentRoomTests {
    private final class Clock: Sendable {
        private let time = Mutex<Int64>(1_000_000)
        var now: Int64 { time.withLock { $0 } }
        func pass(_ milliseconds: Int64) { time.withLock { $0 += milliseconds } }
    }

    private let place = TemporaryFolder()
    private let clock = Clock()
    private let folder: ContentFolder

    init() {
        folder = ContentFolder(place.path("attachments"), now: { [clock] in clock.now })
    }

    /// A connection, where the folder may have that many parts of 1 MiB.
    private func sender(parts: Int64) -> FolderContents {
        FolderContents(folder, most: parts * Int64(ContentID.partSize))
    }

    private func isRefused(_ body: () async throws -> Int) async -> Bool {
        do {
            _ = try await body()
            return false
        } catch {
            return (error as? EventLogError)?.quota == .attachmentBytes
        }
    }

    @Test("Contents that were begun without a part keep no room from others")
    func begun() async throws {
        let (idle, author) = (sender(parts: 3), sender(parts: 3))
        for seed in 1...5 as ClosedRange<UInt64> {
            #expect(try await SentContent(3 << 20, seed: seed).begin(at: idle) == 0)
        }
        let sent = try SentContent(3 << 20, seed: 9)
        #expect(try await sent.begin(at: author) == 0)
        for index in 0..<3 { #expect(try await sent.send(index, to: author) == index + 1) }
        #expect(try folder.holds(sent.content))
    }

    @Test("Wrong bytes keep no room from others", arguments: [1 << 20, 2 << 20])
    func wrong(size: Int) async throws {
        let (liar, author) = (sender(parts: 2), sender(parts: 2))
        let claimed = try SentContent(size, seed: 1)
        #expect(try await claimed.begin(at: liar) == 0)
        await #expect(throws: ContentError.self) {
            try await liar.store([UInt8](repeating: 0, count: 1 << 20), at: 0, of: claimed.named)
        }
        let sent = try SentContent(2 << 20, seed: 2)
        for index in 0..<2 {
            if index == 0 { #expect(try await sent.begin(at: author) == 0) }
            #expect(try await sent.send(index, to: author) == index + 1)
        }
    }

    @Test("With its first part a content has room for all of its bytes, and another that would take it is refused")
    func reserved() async throws {
        let (one, two) = (sender(parts: 4), sender(parts: 4))
        let (first, second) = (try SentContent(3 << 20, seed: 1), try SentContent(2 << 20, seed: 2))
        #expect(try await first.begin(at: one) == 0)
        #expect(try await second.begin(at: two) == 0)
        #expect(try await first.send(0, to: one) == 1)
        #expect(await isRefused { try await second.send(0, to: two) })
        #expect(await isRefused { try await second.begin(at: two) })
        // It leaves no file.
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.incoming).count == 1)
        clock.pass(ContentFolder.reservingTime - 1)
        #expect(await isRefused { try await second.begin(at: two) })
        for index in 1..<3 { #expect(try await first.send(index, to: one) == index + 1) }
        #expect(await isRefused { try await second.begin(at: two) })
        let small = try SentContent(1 << 20, seed: 3)
        #expect(try await small.send(0, to: two) == 1)
    }

    @Test(
        "A content of which no part came for an hour gives up the room of its missing bytes, and goes on where there is room again"
    )
    func stalled() async throws {
        let (one, two) = (sender(parts: 4), sender(parts: 4))
        let (first, second) = (try SentContent(3 << 20, seed: 1), try SentContent(2 << 20, seed: 2))
        #expect(try await first.begin(at: one) == 0)
        #expect(try await first.send(0, to: one) == 1)
        clock.pass(ContentFolder.reservingTime)
        #expect(try await second.begin(at: two) == 0)
        #expect(try await second.send(0, to: two) == 1)
        // One part of the first, and two of the second.
        #expect(await isRefused { try await first.send(1, to: one) })
        #expect(try await second.send(1, to: two) == 2)
        try folder.remove(second.content)
        clock.pass(60_000)
        #expect(try await first.begin(at: one) == 1)
        for index in 1..<3 { #expect(try await first.send(index, to: one) == index + 1) }
    }

    @Test("Parts of a content that is sent no longer are removed where their room is needed, and not before")
    func removed() async throws {
        let (one, two) = (sender(parts: 4), sender(parts: 4))
        let (first, second) = (try SentContent(4 << 20, seed: 1), try SentContent(3 << 20, seed: 2))
        #expect(try await first.begin(at: one) == 0)
        for index in 0..<3 { _ = try await first.send(index, to: one) }
        clock.pass(ContentFolder.reservingTime + 1)
        // One that is too large in any case takes nothing away.
        let huge = try SentContent(5 << 20, seed: 3)
        #expect(await isRefused { try await huge.begin(at: two) })
        #expect(try await first.begin(at: one) == 3)
        clock.pass(60_000)
        #expect(try await second.begin(at: two) == 0)
        for index in 0..<3 { #expect(try await second.send(index, to: two) == index + 1) }
        #expect(try folder.holds(second.content))
        let gone = await #expect(throws: (any Error).self) { try await first.send(3, to: one) }
        #expect((gone as? ContentError)?.code == .busy)
    }
}
