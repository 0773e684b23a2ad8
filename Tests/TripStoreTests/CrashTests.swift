import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStore

@Suite("Killed writers")
struct CrashTests {
    @Test("Nothing acknowledged is lost by a process that is killed, twenty times over (L1)")
    func killedWriters() async throws {
        let folder = TemporaryFolder()
        var generator = SeededGenerator(seed: 1)
        var acknowledged: Set<Trip.ID> = []
        for round in 0..<20 {
            acknowledged.formUnion(
                try Self.writeUntilKilled(folder.url, lines: Int.random(in: 0...150, using: &generator)))
            let store = try await TripStore.test(at: folder.url)
            for trip in acknowledged {
                #expect(try store.trip(trip) != nil, "round \(round)")
                #expect(try store.items(of: trip).count == 1, "round \(round)")
            }
            try await store.expectInvariants()
        }
        #expect(!acknowledged.isEmpty)
    }

    /// Starts the writer, reads so many acknowledgements, kills it, and answers all that it had said by then.
    private static func writeUntilKilled(_ folder: URL, lines: Int) throws -> [Trip.ID] {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = try writer
        process.arguments = [folder.path]
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        var data = Data()
        while data.count(where: { $0 == UInt8(ascii: "\n") }) < lines {
            let part = pipe.fileHandleForReading.availableData
            if part.isEmpty { break }
            data += part
        }
        kill(process.processIdentifier, SIGKILL)
        data += pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        // A last line may be cut off; it counts only if it is whole.
        return String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap { Trip.ID(String($0)) }
    }

    /// The executable lies beside the tests.
    static var writer: URL {
        get throws {
            let places =
                [Bundle.main.bundleURL, Bundle.main.executableURL?.deletingLastPathComponent()].compactMap { $0 }
                + ProcessInfo.processInfo.arguments.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
            let found = places.map { $0.appendingPathComponent("CrashWriter") }.first {
                FileManager.default.isExecutableFile(atPath: $0.path)
            }
            return try #require(found)
        }
    }

    @Test(
        "A flipped byte in the stored log is reported, or changes nothing that counts, and never ends the process",
        arguments: Seeds.some(150))
    func damage(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let folder = TemporaryFolder()
        do {
            let store = try await TripStore.test(at: folder.url)
            var writer = RandomWriter(seed: 7)
            for _ in 0..<20 { try await writer.write(to: store) }
            await store.close()
        }
        let copy = TemporaryFolder()
        try FileManager.default.copyItem(at: folder.url, to: copy.url)
        let file = copy.url.appendingPathComponent("log/data.mdb")
        var bytes = try Data(contentsOf: file)
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[place] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &generator)
        try bytes.write(to: file)
        do {
            let report = try await TripStore.verify(at: copy.url)
            // What lies in pages that are no longer in use may change without harm; then all is as it was.
            if report.isIntact { #expect(report.commits == (try await TripStore.verify(at: folder.url)).commits) }
        } catch {
            #expect("\(error)".contains(copy.url.path), "the error names the store")
        }
        #expect(try await TripStore.verify(at: folder.url).isIntact)
    }
}
