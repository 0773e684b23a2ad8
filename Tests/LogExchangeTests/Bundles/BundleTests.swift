import EventLog
import Events
import Foundation
import LogExchange
import StoreSupport
import TestSupport
import Testing

@Suite("Bundle files")
struct BundleTests {
    private let folder = TemporaryFolder()

    init() throws { try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true) }

    private func file(_ name: String = "a.bundle") -> URL { folder.url.appendingPathComponent(name) }

    @Test("A bundle says what is in it")
    func summary() async throws {
        let (one, two) = try twoReplicas()
        try await one.write(2)
        try await two.write(3)
        try await one.exchange(with: LogPeer(two.log))
        let written = try await BundleWriter.write(one.log, to: file())
        let read = try await BundlePeer(file()).summary
        #expect(read == written)
        #expect(read.header.replica == one.id && read.header.name == "one" && read.header.created == one.clock.now)
        let frontier = try await one.frontier()
        #expect(read.header.since == .empty && read.header.frontier == frontier)
        #expect(read.commits == 7 && read.events == 5)
        let lines = Dictionary(uniqueKeysWithValues: read.lines.map { ($0.replica, $0) })
        #expect(lines[one.id]?.first.rawValue == 1 && lines[one.id]?.last.rawValue == 3)
        #expect(lines[two.id]?.first.rawValue == 1 && lines[two.id]?.last.rawValue == 4)
        #expect(read.fileSize == (try Data(contentsOf: file())).count)
    }

    @Test("It holds just what a frontier lacks, and that is enough for a replica with that frontier")
    func since() async throws {
        let (one, two) = try twoReplicas()
        try await one.write(20, bytes: 1000)
        try await one.exchange(with: LogPeer(two.log))
        let since = try await two.frontier()
        try await one.write(2)
        let summary = try await BundleWriter.write(one.log, lacking: since, to: file())
        #expect(summary.commits == 2 && summary.header.since == since && summary.fileSize < 3000)
        let report = try await two.exchange(with: BundlePeer(file()))
        #expect(report.received.commits == 2)
        try await expectEqual([one, two])
    }

    @Test("A reader that lacks its beginning gets an error that names it, and nothing is stored")
    func missingStart() async throws {
        let (one, two) = try twoReplicas()
        try await one.write(3)
        let since = try await one.frontier()
        try await one.write(2)
        _ = try await BundleWriter.write(one.log, lacking: since, to: file())
        let error = await failure { try await two.exchange(with: BundlePeer(file())) }
        #expect(code(error) == "missingStart")
        #expect(error.map { "\($0)".contains("commit 4") && "\($0)".contains("\(one.id)") } == true)
        #expect(try two.log.isEmpty())
    }

    @Test("A bundle with nothing new in it is a bundle too")
    func nothingNew() async throws {
        let (one, two) = try twoReplicas()
        try await one.write(1)
        let summary = try await BundleWriter.write(one.log, lacking: one.frontier(), to: file())
        #expect(summary.commits == 0 && summary.lines == [])
        _ = try await BundlePeer(file())
        // For a replica that holds nothing it is unusable.
        let error = await failure { try await two.exchange(with: BundlePeer(file())) }
        #expect(code(error) == "missingStart")
    }

    @Test("What the other holds and this log does not is no matter")
    func sinceUnknown() async throws {
        let (one, two) = try twoReplicas()
        try await one.write(2)
        try await two.write(2)
        let summary = try await BundleWriter.write(one.log, lacking: two.frontier(), to: file())
        #expect(summary.commits == 3 && summary.header.since == .empty)
    }

    @Test("Read twice, and in any order, bundles come to the same (X1)")
    func anyOrder() async throws {
        let (one, two) = try twoReplicas()
        var files: [URL] = []
        for number in 0..<3 {
            try await one.write(2)
            files.append(file("\(number)"))
            _ = try await BundleWriter.write(one.log, to: files[number])
        }
        for number in [2, 0, 1, 2, 0] { try await two.exchange(with: BundlePeer(files[number])) }
        try await expectEqual([one, two])
    }

    @Test("A bundle that is cut off anywhere, or has more bytes, is refused whole", arguments: Seeds.some(30))
    func cutOff(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let (one, two) = try twoReplicas()
        try await one.write(3)
        _ = try await BundleWriter.write(one.log, to: file())
        let bytes = try Data(contentsOf: file())
        let length = seed == 1 ? bytes.count - 1 : seed == 2 ? 0 : Int.random(in: 0..<bytes.count, using: &random)
        for damaged in [bytes.prefix(length), bytes + [0], bytes + bytes] {
            try damaged.write(to: file("damaged"))
            let error = await failure { try await two.exchange(with: BundlePeer(file("damaged"))) }
            #expect(["damagedBundle", "notAStore"].contains(code(error)))
            #expect(try two.log.isEmpty())
        }
    }

    @Test("A bundle with any byte changed is refused whole", arguments: Seeds.some(30))
    func changedByte(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let (one, two) = try twoReplicas()
        try await one.write(2)
        _ = try await BundleWriter.write(one.log, to: file())
        var bytes = try Data(contentsOf: file())
        let index = Int.random(in: 0..<bytes.count, using: &random)
        bytes[index] ^= UInt8.random(in: 1 ... .max, using: &random)
        try bytes.write(to: file())
        let error = await failure { try await two.exchange(with: BundlePeer(file())) }
        #expect(["damagedBundle", "notAStore", "newerVersion"].contains(code(error)), "byte \(index)")
        #expect(try two.log.isEmpty())
    }

    @Test("Other files are recognised", arguments: ["", "x", "TSBUNDL", "TSBUNDLE", "TSBUNDLE\u{FF}\u{FF}\u{FF}"])
    func noBundle(text: String) async throws {
        try Data(text.utf8).write(to: file())
        let error = await failure { _ = try await BundlePeer(file()) }
        #expect(code(error) == (text.hasPrefix("TSBUNDLE") ? "damagedBundle" : "notAStore"))
        let missing = await failure { _ = try await BundlePeer(file("nowhere")) }
        #expect(code(missing) == "notAStore")
        let directory = await failure { _ = try await BundlePeer(folder.url) }
        #expect(["notAStore", "unusableFile"].contains(code(directory)))
    }

    @Test("A length beyond reason is refused before anything is set aside for it")
    func giantLength() async throws {
        try Data(Array("TSBUNDLE".utf8) + [0x7F, 0xFF, 0xFF, 0xFF]).write(to: file())
        let error = await failure { _ = try await BundlePeer(file()) }
        #expect(code(error) == "damagedBundle")
        #expect("\(String(describing: error))".contains("2147483647"))
    }

    @Test(
        "Writing replaces a bundle, and another file only if requested, atomically, and leaves nothing else behind"
    )
    func replaces() async throws {
        let one = try TestReplica("one")
        try await one.write(2)
        try Data("something else".utf8).write(to: file())
        let refused = await failure { _ = try await BundleWriter.write(one.log, to: file()) }
        #expect(code(refused) == "fileExists")
        #expect(try Data(contentsOf: file()) == Data("something else".utf8))
        for replacesOthers in [true, false] {
            _ = try await BundleWriter.write(one.log, to: file(), replacingOtherFiles: replacesOthers)
            _ = try await BundlePeer(file())
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["a.bundle"])
        let nowhere = folder.url.appendingPathComponent("no/such/folder/a.bundle")
        let error = await failure { _ = try await BundleWriter.write(one.log, to: nowhere) }
        #expect(code(error) == "unusableFile")
    }

    @Test("Neither a pipe nor a file of a store is ever overwritten, and a link stays")
    func places() async throws {
        let one = try TestReplica("one")
        try await one.write(2)
        let path = { (name: String) in folder.url.appendingPathComponent(name) }
        try FileManager.default.createDirectory(at: path("store/log"), withIntermediateDirectories: true)
        try Data("log".utf8).write(to: path("store/log/data.mdb"))
        #expect(mkfifo(path("pipe").path, 0o600) == 0)
        try FileManager.default.createSymbolicLink(atPath: path("link").path, withDestinationPath: "a.bundle")
        for name in ["pipe", "store/log/data.mdb", "store/new", "store"] {
            let refused = await failure {
                _ = try await BundleWriter.write(one.log, to: path(name), replacingOtherFiles: true)
            }
            #expect(code(refused) == "unusableFile", "\(name)")
        }
        #expect(try Data(contentsOf: path("store/log/data.mdb")) == Data("log".utf8))
        // It makes no file where a link leads, and replaces one.
        let refused = await failure { _ = try await BundleWriter.write(one.log, to: path("link")) }
        #expect(code(refused) == "unusableFile")
        _ = try await BundleWriter.write(one.log, to: file())
        _ = try await BundleWriter.write(one.log, to: path("link"))
        _ = try await BundlePeer(file())
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(Set(names) == ["a.bundle", "link", "pipe", "store"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path("link").path) == "a.bundle")
    }

    @Test("Writing that is cancelled leaves what was there")
    func cancelled() async throws {
        let one = try TestReplica("one")
        try await one.write(2)
        try Data("something else".utf8).write(to: file())
        let task = Task { [file = file()] in
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await BundleWriter.write(one.log, to: file, replacingOtherFiles: true)
        }
        let result = await task.result
        let error = await failure { _ = try result.get() }
        #expect(error is CancellationError)
        #expect(try Data(contentsOf: file()) == Data("something else".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["a.bundle"])
    }

    @Test("The checksum is SHA-256 over all before it")
    func checksum() async throws {
        let one = try TestReplica("one")
        try await one.write(2)
        _ = try await BundleWriter.write(one.log, to: file())
        let bytes = [UInt8](try Data(contentsOf: file()))
        var digest = DigestBuilder()
        digest.add(Array(bytes.dropLast(32)))
        #expect(Array(bytes.suffix(32)) == digest.finish().bytes)
    }

    @Test("A bundle that needs earlier commits leaves an empty log as it was, of no journal but its own")
    func partForNobody() async throws {
        let writer = try TestReplica("writer")
        try await writer.write(1)
        let since = try await writer.frontier()
        try await writer.write(1)
        let file = try writer.bundle("part.bundle")
        _ = try await BundleWriter.write(writer.log, lacking: since, to: file)
        let reader = try TestReplica("reader")
        let journal = reader.log.journal
        let error = await failure { try await reader.exchange(with: BundlePeer(file)) }
        #expect((error as? ExchangeError)?.code == .missingStart)
        #expect(reader.log.journal == journal)
        try reader.expectIntact()
    }
}
