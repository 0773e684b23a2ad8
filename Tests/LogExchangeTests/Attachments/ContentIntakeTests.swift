import Events
import Foundation
import Platform
import StoreSupport
import Synchronization
import Testing

@testable import LogExchange

@Suite("Bytes of attachments that others send")
struct ContentIntakeTests {
    private let place = TemporaryFolder()
    /// A folder as another process has it: what one knows of unfinished contents the other one does not.
    private func process() -> ContentFolder { ContentFolder(place.path("attachments"), now: { 0 }) }

    private func incoming() -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: place.path("attachments/incoming"))) ?? []).sorted()
    }

    private func path(_ content: SentContent) -> String {
        place.path("attachments/incoming/\(content.content.root).part")
    }

    @Test("Received bytes are shown once they are whole, and a sender goes on where an earlier one ended")
    func resumed() throws {
        let sent = try SentContent(3 << 20 + 9)
        for index in 0..<4 {
            let folder = process()
            let intake = ContentIntake(sent.outline, in: folder)
            #expect(try intake.begin() == index && !folder.holds(sent.content))
            #expect(try intake.put(sent.part(index), at: index) == index + 1)
        }
        #expect(try sent.stored(in: process()) == sent.bytes && incoming().isEmpty)
    }

    @Test("Bytes of one part and of none need nothing before them", arguments: [0, 1, 1 << 20])
    func short(size: Int) async throws {
        let (sent, folder) = (try SentContent(size), process())
        let peer = FolderContents(folder)
        if size == 0 {
            #expect(try await sent.begin(at: peer) == 0)
        } else {
            #expect(try await sent.send(0, to: peer) == 1)
        }
        #expect(try sent.stored(in: folder) == sent.bytes && incoming().isEmpty)
    }

    @Test("A part with other bytes is refused, the ones before stay, and the right ones are taken in")
    func wrong() throws {
        let sent = try SentContent(2 << 20 + 9)
        let folder = process()
        let intake = ContentIntake(sent.outline, in: folder)
        #expect(try intake.put(sent.part(0), at: 0) == 1)
        for wrong in [sent.part(0), sent.part(2), [], try SentContent(1 << 20, seed: 9).bytes] {
            let error = #expect(throws: ContentError.self) { try intake.put(wrong, at: 1) }
            #expect(error?.code == .wrongBytes)
        }
        #expect(try intake.begin() == 1)
        for index in 1..<3 { #expect(try intake.put(sent.part(index), at: index) == index + 1) }
        #expect(try sent.stored(in: folder) == sent.bytes)
    }

    @Test("After a crash the bytes of a received file are verified again", arguments: [0, 1, 2])
    func torn(place index: Int) throws {
        let sent = try SentContent(3 << 20)
        for index in 0..<2 { _ = try ContentIntake(sent.outline, in: process()).put(sent.part(index), at: index) }
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path(sent)))
        // Blocks that were never written read as zeros, and the file may be longer than what was stored.
        try file.seek(toOffset: UInt64(index << 20 + 100))
        try file.write(contentsOf: Data(count: 4096))
        try file.close()
        #expect(try ContentIntake(sent.outline, in: process()).begin() == min(index, 2))
    }

    @Test("A file whose last part was stored by a process that ended is put in its place by the next one that begins")
    func unplaced() throws {
        let sent = try SentContent(2 << 20)
        _ = try ContentIntake(sent.outline, in: process()).put(sent.part(0), at: 0)
        try Data(sent.bytes).write(to: URL(fileURLWithPath: path(sent)))
        #expect(try ContentIntake(sent.outline, in: process()).begin() == 2)
        #expect(try sent.stored(in: process()) == sent.bytes && incoming().isEmpty)
    }

    // MARK: Several senders

    enum Processes: CaseIterable { case one, two }

    private func senders(_ processes: Processes) -> (FolderContents, FolderContents) {
        let first = process()
        return (FolderContents(first), FolderContents(processes == .one ? first : process()))
    }

    @Test("A sender that begins and sends nothing keeps no other from sending", arguments: Processes.allCases)
    func idle(processes: Processes) async throws {
        let (sent, (idle, author)) = (try SentContent(2 << 20 + 1), senders(processes))
        #expect(try await sent.begin(at: idle) == 0)
        #expect(try await sent.begin(at: author) == 0)
        for index in 0..<3 { #expect(try await sent.send(index, to: author) == index + 1) }
        #expect(try sent.stored(in: process()) == sent.bytes)
        #expect(try await sent.begin(at: idle) == 3)
        #expect(try await sent.send(1, to: idle) == 3)
    }

    @Test("A sender that stops on the way keeps no other from sending the rest", arguments: Processes.allCases)
    func stopped(processes: Processes) async throws {
        let (sent, (stopping, other)) = (try SentContent(4 << 20), senders(processes))
        #expect(try await sent.begin(at: stopping) == 0)
        for index in 0..<2 { _ = try await sent.send(index, to: stopping) }
        #expect(try await sent.begin(at: other) == 2)
        for index in 2..<4 { #expect(try await sent.send(index, to: other) == index + 1) }
        #expect(try sent.stored(in: process()) == sent.bytes)
    }

    @Test("Two that send the same bytes at once both succeed, whichever is ahead", arguments: Processes.allCases)
    func interleaved(processes: Processes) async throws {
        let (sent, (one, two)) = (try SentContent(5 << 20), senders(processes))
        #expect(try await sent.begin(at: one) == 0)
        #expect(try await sent.begin(at: two) == 0)
        #expect(try await sent.send(0, to: one) == 1)
        #expect(try await sent.send(1, to: one) == 2)
        // It is told what is missing, and not to send what is here.
        #expect(try await sent.send(0, to: two) == 2)
        #expect(try await sent.send(2, to: two) == 3)
        #expect(try await sent.send(2, to: one) == 3)
        #expect(try await sent.send(3, to: two) == 4)
        #expect(try await sent.send(3, to: one) == 4)
        #expect(try await sent.send(4, to: one) == 5)
        #expect(try await sent.send(4, to: two) == 5)
        #expect(try sent.stored(in: process()) == sent.bytes && incoming().isEmpty)
    }

    @Test("While another process writes a part a sender is told to try again, and then goes on")
    func locked() async throws {
        let (sent, peer) = (try SentContent(2 << 20), FolderContents(process()))
        #expect(try await sent.begin(at: peer) == 0)
        #expect(try await sent.send(0, to: peer) == 1)
        let other = open(path(sent), O_RDWR)
        #expect(flock(other, LOCK_EX) == 0)
        let error = await #expect(throws: ContentError.self) { try await sent.send(1, to: peer) }
        #expect(error?.code == .busy)
        #expect(try await sent.begin(at: peer) == 1)
        close(other)
        #expect(try await sent.send(1, to: peer) == 2)
    }

    @Test(
        "A sender whose parts were removed begins again, and an unfinished file begun by another process is not taken for them"
    )
    func removed() async throws {
        let (sent, peer, other) = (try SentContent(3 << 20), FolderContents(process()), FolderContents(process()))
        #expect(try await sent.begin(at: peer) == 0)
        for index in 0..<2 { _ = try await sent.send(index, to: peer) }
        try process().removeLeftovers(writtenBefore: Date(timeIntervalSince1970: 1))
        let gone = await #expect(throws: ContentError.self) { try await sent.send(2, to: peer) }
        #expect(gone?.code == .busy)
        #expect(try await sent.begin(at: other) == 0)
        #expect(try await sent.send(0, to: other) == 1)
        let behind = await #expect(throws: ContentError.self) { try await sent.send(2, to: peer) }
        #expect(behind?.code == .busy)
        #expect(try await sent.begin(at: peer) == 1)
        for index in 1..<3 { #expect(try await sent.send(index, to: peer) == index + 1) }
        #expect(try sent.stored(in: process()) == sent.bytes)
    }

    @Test("Contents that were begun without a part take up no file, and so no descriptor, no lock and no room")
    func manyBegun() async throws {
        let folder = process()
        let peer = FolderContents(folder)
        for seed in 1...50 as ClosedRange<UInt64> {
            #expect(try await SentContent(1 << 20 + 1, seed: seed).begin(at: peer) == 0)
        }
        #expect(incoming().isEmpty && folder.verified.withLock { $0.isEmpty })
    }

    @Test("A part that needs the hashes of all parts is refused without them, and not where the bytes are here")
    func unbegun() async throws {
        let (sent, folder) = (try SentContent(2 << 20), process())
        let peer = FolderContents(folder)
        let error = await #expect(throws: ExchangeError.self) { try await sent.send(0, to: peer) }
        #expect(error?.code == .malformed)
        var rest: [UInt8]? = sent.bytes
        _ = try folder.add { rest.take() }
        #expect(try await sent.send(0, to: peer) == 2)
    }
}
