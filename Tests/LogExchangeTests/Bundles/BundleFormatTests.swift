import EventLog
import Events
import Foundation
import LMDB
import LogExchange
import StoreSupport
import Synchronization
import TestSupport
import Testing

/// Compares the worked example in the description of the format with what the library writes.
@Suite("The worked example of the exchange format")
struct BundleFormatTests {
    private let example: WorkedExample
    /// That of the log format, whose log the bundle holds.
    private let logExample: WorkedExample
    private let folder = TemporaryFolder()

    init() throws {
        example = try WorkedExample(in: SourceFile.path("Sources/LogExchange/LogExchange.docc/ExchangeFormat.md"))
        logExample = try WorkedExample(in: SourceFile.path("Sources/EventLog/EventLog.docc/LogFormat.md"))
    }

    /// The log of both examples; the folder outlives it.
    private func makeLog() async throws -> Log {
        let seed = try logExample.block("seed")
        let next = Mutex<UInt8>(0)
        let dependencies = Dependencies(
            now: { 1_798_761_600_000 },
            randomBytes: { count in
                next.withLock { next in
                    defer { next += UInt8(count) }
                    return (0..<UInt8(count)).map { next + $0 }
                }
            }, newKey: { seed }, fileOrigin: { _ in nil })
        let journal = try #require(JournalID("00112233-4455-6677-8899-aabbccddeeff"))
        let log = try Log.open(
            at: folder.path("log"), keyPath: folder.path("replica.key"),
            options: Log.Options(
                journal: journal, deviceName: "example", schema: 1,
                environment: Environment.Options(durability: .unsynced, mapSize: 256 << 20), dependencies: dependencies)
        )
        // The rows of the log begin with the hash.
        let commit = try logExample.block("log 0000000000000002").dropFirst(Digest.size)
        let payload = try Array(commit).withUnsafeBytes { try CommitView($0).payload?.copy() }
        _ = try await log.append(try #require(payload))
        return log
    }

    @Test("The file is the one in the document, byte for byte")
    func bytes() async throws {
        let place = TemporaryFolder()
        try FileManager.default.createDirectory(at: place.url, withIntermediateDirectories: true)
        let file = URL(fileURLWithPath: place.path("example.bundle"))
        let summary = try await BundleWriter.write(makeLog(), to: file, compression: Compression.none)
        var (written, described) = ([UInt8](try Data(contentsOf: file)), try example.block("bundle"))
        #expect(summary.fileSize == described.count && summary.commits == 2 && summary.events == 1)
        #if canImport(Darwin)
            // Not every implementation of Ed25519 gives the same signature twice; the checksum depends on it.
            let signature = described.count - 32 - 10 - 64
            for bytes in [signature..<signature + 64, described.count - 32..<described.count] {
                written.replaceSubrange(bytes, with: [])
                described.replaceSubrange(bytes, with: [])
            }
        #endif
        #expect(written.hexadecimal == described.hexadecimal)
        written = []
        described = []
    }

    @Test("The file in the document is a bundle like any other")
    func isRead() async throws {
        let file = URL(fileURLWithPath: folder.path("described.bundle"))
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try Data(try example.block("bundle")).write(to: file)
        let replica = try TestReplica("reader")
        try await replica.exchange(with: BundlePeer(file))
        #expect(try await replica.frontier().digest.bytes == (try example.block("digest")))
        try replica.expectIntact()
    }
}
